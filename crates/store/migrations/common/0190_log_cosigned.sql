-- Cosignatures of witnesses (C2SP tlog-cosignature) under signed heads of the log. Each is checked by
-- its own signature, so that rows may be thinned out later.
CREATE TABLE log_cosigned (
    -- The head that was cosigned.
    log BIGINT NOT NULL,
    size BIGINT NOT NULL,
    -- When a quorum had cosigned it, in milliseconds since 1970.
    at BIGINT NOT NULL,
    -- The signature lines of the witnesses. Each ends in a newline.
    lines TEXT NOT NULL,
    PRIMARY KEY (log, size)
);
CREATE INDEX log_cosigned_at ON log_cosigned (log, at);
-- The node that asks the witnesses. Other nodes do not ask until then.
CREATE TABLE log_witness_lease (
    id BIGINT PRIMARY KEY,
    node TEXT NOT NULL,
    until BIGINT NOT NULL
);
