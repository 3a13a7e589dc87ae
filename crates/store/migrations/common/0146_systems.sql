-- Drafts of descriptions of automated systems, one for each system.
CREATE TABLE system_drafts (
    key TEXT NOT NULL PRIMARY KEY,
    -- Number of the revision, from 1.
    revision BIGINT NOT NULL,
    -- The description as canonical JSON.
    body TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Subject of the last editor.
    updated_by TEXT
);
-- Published descriptions. The log has an entry for each row.
CREATE TABLE system_versions (
    key TEXT NOT NULL,
    version BIGINT NOT NULL,
    -- The description as canonical JSON, whose SHA-256 is in the log.
    body TEXT NOT NULL,
    effective_from BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    PRIMARY KEY (key, version)
);
