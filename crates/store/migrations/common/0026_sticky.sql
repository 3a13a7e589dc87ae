-- What an experiment served a person, so that it goes on serving it.

-- One row: its update is the lock that puts all assignments, of all nodes, into one order, so that
-- who follows them by number misses none.
CREATE TABLE sticky_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL
);
INSERT INTO sticky_head (id, seq) VALUES (1, 0);

CREATE TABLE sticky (
    seq BIGINT NOT NULL,
    environment TEXT NOT NULL,
    experiment TEXT NOT NULL,
    -- A keyed hash of the person.
    unit BYTEA NOT NULL,
    variation TEXT NOT NULL,
    bucket_version BIGINT NOT NULL,
    assigned_at BIGINT NOT NULL,
    PRIMARY KEY (environment, experiment, unit)
);
CREATE INDEX sticky_by_seq ON sticky (seq);

-- A ticket for a stream opens one, on whichever node.
CREATE TABLE used_tickets (
    nonce TEXT NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX used_tickets_by_age ON used_tickets (expires_at);
