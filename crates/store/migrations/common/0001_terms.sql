-- Portable to SQLite and PostgreSQL: BIGINT (milliseconds since 1970 for instants), TEXT, BOOLEAN,
-- BYTEA; every id is made by us. Append-only tables are guarded in the dialect folders.

CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row: raised by every change that a running server must see.
CREATE TABLE revision (
    id BIGINT NOT NULL PRIMARY KEY,
    n BIGINT NOT NULL
);
INSERT INTO revision (id, n) VALUES (1, 1);

-- The running servers and the revision that each of them serves.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);

CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('term', 0);

CREATE TABLE documents (
    sha256 TEXT NOT NULL PRIMARY KEY,
    pages BIGINT NOT NULL,
    bytes BYTEA NOT NULL
);

-- What was made of a document at publishing: page images, text, manifest.
CREATE TABLE document_parts (
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (sha256, name)
);

CREATE TABLE terms (
    id BIGINT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    version BIGINT NOT NULL,
    mandatory BOOLEAN NOT NULL,
    display_order BIGINT NOT NULL,
    effective_from BIGINT NOT NULL,
    grace_until BIGINT,
    replaces BIGINT UNIQUE REFERENCES terms (id),
    material BOOLEAN NOT NULL,
    summary TEXT,
    published_at BIGINT NOT NULL
);

CREATE TABLE term_variants (
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- 0 is the default language.
    position BIGINT NOT NULL,
    locale TEXT NOT NULL,
    title TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES documents (sha256),
    PRIMARY KEY (term_id, locale)
);
