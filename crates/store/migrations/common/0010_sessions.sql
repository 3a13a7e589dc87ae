-- What a refresh needs to know, the ways to sign in, and what happened.

ALTER TABLE sessions ADD COLUMN rotated_at BIGINT;
-- The newest generation of which the client has shown that it got it, and when it first did.
ALTER TABLE sessions ADD COLUMN acked_generation BIGINT NOT NULL DEFAULT -1;
ALTER TABLE sessions ADD COLUMN acked_at BIGINT;
-- How often the former token was taken since.
ALTER TABLE sessions ADD COLUMN repeats BIGINT NOT NULL DEFAULT 0;
-- Who rotated to the current generation: a keyed hash.
ALTER TABLE sessions ADD COLUMN instance TEXT;
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_idle ON sessions (idle_until);

-- The last token that was issued for longer than usual expires then.
ALTER TABLE signing_keys ADD COLUMN last_exp BIGINT NOT NULL DEFAULT 0;

-- Raised when a session ends, so that the many log-outs do not make every node read all else again.
INSERT INTO revision (id, n) VALUES (2, 1);

-- Identifier, network and code are keyed hashes; nobody's row looks different from somebody's.
CREATE TABLE codes (
    identifier TEXT NOT NULL,
    network TEXT NOT NULL,
    hash TEXT NOT NULL,
    user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
    tries BIGINT NOT NULL,
    tries_elsewhere BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (identifier, network)
);
CREATE INDEX codes_by_age ON codes (expires_at);

CREATE TABLE sign_in_links (
    hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);

CREATE TABLE totp (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret TEXT NOT NULL,
    -- A code counts once.
    last_step BIGINT NOT NULL
);

-- Theoretical arrival times (GCRA), so that a limit holds on all nodes and over a restart.
CREATE TABLE throttles (
    key TEXT NOT NULL PRIMARY KEY,
    arrival BIGINT NOT NULL
);
CREATE INDEX throttles_by_age ON throttles (arrival);

-- Names a person by subject only, so that erasing them leaves nothing of them here.
CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT,
    sid TEXT,
    detail TEXT
);
CREATE INDEX audit_of_subject ON audit (subject);
