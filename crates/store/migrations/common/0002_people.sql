-- Consents name a subject by reference; erasing a person destroys the subject row with its key.
CREATE TABLE subjects (
    ref TEXT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL
);

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE REFERENCES subjects (ref),
    name TEXT,
    email TEXT UNIQUE,
    phone TEXT UNIQUE,
    password_hash TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE user_roles (
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    PRIMARY KEY (user_id, role)
);

CREATE TABLE sessions (
    sid TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    salt TEXT NOT NULL,
    generation BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    idle_until BIGINT NOT NULL,
    absolute_until BIGINT NOT NULL,
    ended_at BIGINT,
    ended_because TEXT
);
CREATE INDEX sessions_of_user ON sessions (user_id);

CREATE TABLE signing_keys (
    kid TEXT NOT NULL PRIMARY KEY,
    seed TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Signs from then on; published before.
    signs_from BIGINT NOT NULL
);
