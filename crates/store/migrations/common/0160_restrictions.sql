-- Limits of riders' access to work, and the people who answer for them. One row for each restriction, as of
-- its newest version.
CREATE TABLE restrictions (
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    market TEXT,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The order of the list: open reviews by due date, then the newest first.
    place BIGINT NOT NULL,
    -- NULL for a proposal that starts when it is imposed.
    starts_at BIGINT,
    ends_at BIGINT,
    -- When it expires by itself; NULL unless it is imposed and has an end.
    closes_at BIGINT,
    -- Of the open review.
    answer_due BIGINT,
    -- Of the open review: 1 once restriction.overdue was sent.
    reminded BIGINT NOT NULL,
    -- Subjects of the colleagues or service:NAME.
    proposed_by TEXT,
    imposed_by TEXT,
    -- The whole state, a JSON object.
    state TEXT NOT NULL
);
CREATE INDEX restrictions_of_person ON restrictions (person, created_at);
CREATE INDEX restrictions_imposed ON restrictions (person) WHERE status = 'IMPOSED';
CREATE INDEX restrictions_in_order ON restrictions (place, id);
CREATE INDEX restrictions_by_status ON restrictions (status, place, id);
CREATE INDEX restrictions_closing ON restrictions (closes_at) WHERE closes_at IS NOT NULL;
CREATE INDEX restrictions_due ON restrictions (answer_due) WHERE answer_due IS NOT NULL;

-- Each transition, with what its entry in the log commits to.
CREATE TABLE restriction_records (
    restriction TEXT NOT NULL REFERENCES restrictions (id),
    -- The version after the transition, from 1 without a gap.
    version BIGINT NOT NULL,
    person TEXT NOT NULL,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor TEXT,
    -- 32 random bytes in hex.
    salt TEXT NOT NULL,
    -- RFC 8785.
    record TEXT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (restriction, version)
);
CREATE INDEX restriction_records_of_person ON restriction_records (person);
CREATE INDEX restriction_records_by_entry ON restriction_records (log, idx);
