-- Who saw which arm, and what came of it. A person stands here as a keyed hash only.

-- What rows are counted under: an arm of an experiment or a group of a holdout in one phase, or a
-- metric. The id is a hash of the rest, so that no node has to ask another for it.
CREATE TABLE series (
    id BIGINT NOT NULL PRIMARY KEY,
    environment TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    phase BIGINT NOT NULL,
    arm TEXT NOT NULL
);
CREATE INDEX series_by_name ON series (environment, kind, name);

CREATE TABLE exposures (
    -- A hash of the event's id: that is what makes it count once.
    id BYTEA NOT NULL PRIMARY KEY,
    series BIGINT NOT NULL,
    unit BYTEA NOT NULL,
    at BIGINT NOT NULL,
    -- Of its arrival, in days since 1970: what is forgotten is forgotten by it.
    day BIGINT NOT NULL
);
CREATE INDEX exposures_of_series ON exposures (series, unit, at);
CREATE INDEX exposures_by_day ON exposures (day);

CREATE TABLE metric_values (
    id BYTEA NOT NULL PRIMARY KEY,
    series BIGINT NOT NULL,
    unit BYTEA NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    day BIGINT NOT NULL
);
CREATE INDEX metric_values_of_series ON metric_values (series, unit, at, value);
CREATE INDEX metric_values_by_day ON metric_values (day);
