-- The evidence log. A store that was restored goes on with a new log; the old ones stay, so that
-- their receipts can still be proved.
CREATE TABLE logs (
    -- Milliseconds since 1970 at its start: the newest is the last.
    id BIGINT NOT NULL PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    vkey TEXT NOT NULL
);

-- One row: the log that is signed here, and by which key. In no backup: two stores that sign one
-- log would fork it.
CREATE TABLE log_key (
    id BIGINT NOT NULL PRIMARY KEY,
    log BIGINT NOT NULL,
    seed TEXT NOT NULL
);

CREATE TABLE log_entries (
    log BIGINT NOT NULL REFERENCES logs (id),
    idx BIGINT NOT NULL,
    -- What it is the entry of: a submission, or the claim of this person.
    submission BIGINT UNIQUE REFERENCES submissions (seq),
    claim TEXT UNIQUE REFERENCES claims (person),
    entry TEXT NOT NULL,
    PRIMARY KEY (log, idx)
);

-- A full tile never changes; the open one of each level only grows.
CREATE TABLE log_tiles (
    log BIGINT NOT NULL REFERENCES logs (id),
    level BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    width BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (log, level, idx)
);

-- Every head that was ever signed, so that each receipt can be given again as it was.
CREATE TABLE log_heads (
    log BIGINT NOT NULL REFERENCES logs (id),
    size BIGINT NOT NULL,
    -- Size of the head before it, so that none can be taken out; -1 for the first.
    previous BIGINT NOT NULL,
    checkpoint TEXT NOT NULL,
    PRIMARY KEY (log, size)
);

-- The references of subjects whose rows were destroyed: without it a lost row would pass for an
-- erased one.
CREATE TABLE erasures (
    ref TEXT NOT NULL PRIMARY KEY
);

-- Digests of what the entries name and do not contain: terms, and documents with their pages.
CREATE TABLE seals (
    name TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL
);
