-- The gate: who may work, kept from the first read of it on. One row while it is kept.
CREATE TABLE gate_head (
    id BIGINT NOT NULL PRIMARY KEY,
    -- Random: a cursor of another store, or of a gate that was kept before, is not understood.
    epoch TEXT NOT NULL,
    -- The number of the last change.
    seq BIGINT NOT NULL,
    -- Events of the outbox up to this number are in the answers.
    position BIGINT NOT NULL,
    -- Of the published terms that all answers are of, or will be when the sweep is over.
    revision BIGINT NOT NULL,
    terms_sha256 TEXT NOT NULL,
    -- The sweep over all riders has come to this one; NULL: it is over.
    swept TEXT,
    -- False until the first sweep is over.
    is_filled BOOLEAN NOT NULL,
    -- Erased people up to this change are not told of any more.
    gone BIGINT NOT NULL
);
CREATE TABLE gate_states (
    user_id TEXT NOT NULL PRIMARY KEY,
    market TEXT,
    may_work BOOLEAN NOT NULL,
    -- Ids of terms, a JSON array.
    reasons TEXT NOT NULL,
    changes_at BIGINT,
    -- The change after which the row is so; 0: it was so when the gate began.
    seq BIGINT NOT NULL
);
CREATE INDEX gate_states_changed ON gate_states (seq) WHERE seq > 0;
CREATE INDEX gate_states_due ON gate_states (changes_at) WHERE changes_at IS NOT NULL;
-- Who left a market, or is no rider any more. Without a market: ''.
CREATE TABLE gate_left (
    user_id TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (user_id, market)
);
CREATE INDEX gate_left_changed ON gate_left (seq);
-- Who was erased, by a hash, for 24 hours; by the markets whose readers knew them.
CREATE TABLE gate_erased (
    user_id_sha256 TEXT NOT NULL,
    market TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (seq, market)
);
