-- Configurations of flags: one document a version, never rewritten. The environment's row is the lock
-- and the pointer to the current version; 0: nothing was saved yet.
CREATE TABLE flag_environments (
    name TEXT NOT NULL PRIMARY KEY,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    archived_at BIGINT
);

CREATE TABLE flag_versions (
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    version BIGINT NOT NULL,
    document TEXT NOT NULL,
    -- Subject of who saved it; none: the command line, or a step that had been scheduled.
    author TEXT,
    comment TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (environment, version)
);
CREATE INDEX flag_versions_by_time ON flag_versions (environment, created_at);

-- Of a key only its SHA-256 is kept.
CREATE TABLE flag_keys (
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    kind TEXT NOT NULL,
    debug BOOLEAN NOT NULL,
    name TEXT,
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
);
CREATE INDEX flag_keys_of_environment ON flag_keys (environment);

-- Documents that become current by themselves.
CREATE TABLE flag_changes (
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    at BIGINT NOT NULL,
    -- The version that the document was made from: what differs between them is the change.
    base BIGINT NOT NULL,
    document TEXT NOT NULL,
    author TEXT,
    comment TEXT,
    created_at BIGINT NOT NULL,
    -- waiting, done, cancelled or refused.
    status TEXT NOT NULL,
    settled_at BIGINT,
    -- The version that it became, or why it did not.
    version BIGINT,
    refusal TEXT
);
CREATE INDEX flag_changes_of_environment ON flag_changes (environment, id);
CREATE INDEX flag_changes_by_status ON flag_changes (status, at);

-- How often a flag gave which variation on a day (since 1970, UTC).
CREATE TABLE flag_usage (
    environment TEXT NOT NULL,
    flag TEXT NOT NULL,
    day BIGINT NOT NULL,
    variation TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (environment, flag, day, variation)
);
CREATE INDEX flag_usage_by_day ON flag_usage (day);

-- Raised by every change to flags, so that consents are not read again for it.
INSERT INTO revision (id, n) VALUES (3, 1);
-- Which of those a node serves. A node of the version before serves no flags: nobody waits for it.
ALTER TABLE nodes ADD COLUMN flags BIGINT NOT NULL DEFAULT 9223372036854775807;
