-- Who somebody is at a company's OpenID Connect provider. One each, and for good: an e-mail address
-- that the provider gives to another person later must not open the first one's account.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);
