-- Who gave a colleague access to an account of the console, other than the colleague and commands. An account
-- and the one that gave access to it count as one person in approvals.
CREATE TABLE credential_issues (
    -- Subject of the account.
    subject TEXT NOT NULL,
    -- secret: a sign-in link, password or second factor. address: the account, its e-mail address or phone number.
    part TEXT NOT NULL,
    -- Subject of the account that did it.
    issued_by TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- Whether that account has seen the secret, because no delivery of messages is set up.
    is_shown BOOLEAN NOT NULL,
    PRIMARY KEY (subject, part, issued_by)
);
