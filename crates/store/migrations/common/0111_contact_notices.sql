-- Messages to the former address of a person whose e-mail address or phone number was changed. A row is deleted when
-- its message was sent or given up.
CREATE TABLE contact_notices (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    address TEXT NOT NULL,
    locale TEXT,
    changed_at BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    PRIMARY KEY (user_id, address)
);
CREATE INDEX contact_notices_by_time ON contact_notices (next_at);
