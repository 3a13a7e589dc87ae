-- What was decided about an experiment, by whom and why, and what its results said then.
CREATE TABLE experiment_decisions (
    -- UUIDv7.
    id TEXT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL,
    experiment TEXT NOT NULL,
    phase BIGINT NOT NULL,
    -- ship, stop or continue.
    decision TEXT NOT NULL,
    variation TEXT,
    reason TEXT NOT NULL,
    -- The results as JSON.
    shown TEXT NOT NULL,
    -- Subject of who decided.
    author TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX experiment_decisions_of ON experiment_decisions (environment, experiment, id);
