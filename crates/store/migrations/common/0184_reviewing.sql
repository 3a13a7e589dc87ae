-- Which reviewer works on an open discussion, so that two do not work on the same one unknowingly.
CREATE TABLE evaluation_assignments (
    evaluation TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- Subject of the reviewer.
    reviewer TEXT NOT NULL,
    -- Of the evaluation. With another version, the assignment has ended.
    version BIGINT NOT NULL,
    until BIGINT NOT NULL
);
CREATE INDEX evaluation_assignments_of_person ON evaluation_assignments (person);

-- When the work began, by which evaluations are selected to be excused.
ALTER TABLE evaluations ADD COLUMN starts_at BIGINT NOT NULL DEFAULT 0;

-- Evaluations that get the same reason 'excused' at a later time, until which it can be cancelled.
CREATE TABLE excusals (
    -- UUID of the caller.
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the colleague.
    author TEXT NOT NULL,
    -- All its evaluations are inside this market; NULL for anywhere.
    market TEXT,
    -- Of the body that created it, in hex.
    body_sha256 TEXT NOT NULL,
    -- The reason by language, a JSON object.
    text TEXT NOT NULL,
    -- scheduled, applying, applied or cancelled.
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    applies_at BIGINT NOT NULL,
    settled_at BIGINT,
    total BIGINT NOT NULL,
    excused BIGINT NOT NULL,
    refused BIGINT NOT NULL
);
CREATE INDEX excusals_newest ON excusals (created_at, id);
CREATE INDEX excusals_due ON excusals (applies_at) WHERE status IN ('scheduled', 'applying');

-- The evaluations of an excusal, with the result of each.
CREATE TABLE excusal_items (
    excusal TEXT NOT NULL,
    position BIGINT NOT NULL,
    evaluation TEXT NOT NULL,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- The version that the colleague saw.
    version BIGINT NOT NULL,
    -- 'excused', or the code of the error; NULL until it is applied.
    result TEXT,
    PRIMARY KEY (excusal, position)
);
CREATE INDEX excusal_items_of_person ON excusal_items (person);
