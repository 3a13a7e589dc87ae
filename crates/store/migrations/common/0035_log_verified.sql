-- When the log was last verified, and what came of it: for who looks after it, no part of the evidence.
CREATE TABLE log_verified (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    faults BIGINT NOT NULL
);
