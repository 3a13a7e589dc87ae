-- Keys of other programs of the company.
CREATE TABLE service_keys (
    -- UUIDv7, which is no secret.
    id TEXT NOT NULL PRIMARY KEY,
    -- By which the audit names what it does.
    name TEXT NOT NULL,
    -- Roles, separated by spaces.
    roles TEXT NOT NULL,
    -- SHA-256 of the key in lower-case hex.
    hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    -- To the hour.
    last_used_at BIGINT
);
