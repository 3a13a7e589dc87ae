-- Time stamps (RFC 3161) of signed heads of the log.
CREATE TABLE log_timestamps (
    -- From 1, without gaps.
    n BIGINT PRIMARY KEY,
    -- The head that was stamped.
    log BIGINT NOT NULL,
    size BIGINT NOT NULL,
    -- The time of the token, in milliseconds since 1970.
    at BIGINT NOT NULL,
    -- The address of the authority, as configured.
    tsa TEXT NOT NULL,
    -- The common name of its certificate.
    authority TEXT NOT NULL,
    stored_at BIGINT NOT NULL,
    -- The whole reply.
    reply BYTEA NOT NULL
);
-- The first time stamp that covers an entry is found in the index alone; a row has several kilobytes.
CREATE INDEX log_timestamps_covering ON log_timestamps (log, n, size);
