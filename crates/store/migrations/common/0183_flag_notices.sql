-- Flags that no longer wait for the notice that they require, because its condition was met or an
-- admin bypassed it.
CREATE TABLE flag_notices (
    environment TEXT NOT NULL REFERENCES flag_environments (name),
    -- Key of the flag.
    flag TEXT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- The version of the configuration from which this holds.
    version BIGINT NOT NULL,
    -- The condition that holds: days in effect, and riders served of a million.
    days BIGINT NOT NULL,
    served_ppm BIGINT NOT NULL,
    PRIMARY KEY (environment, flag, term_id, version)
);
