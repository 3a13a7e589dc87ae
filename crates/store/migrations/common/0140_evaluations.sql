-- How pieces of work went, and who decided so. One row for each evaluation, as of its newest version.
CREATE TABLE evaluations (
    -- UUID of the caller.
    id TEXT NOT NULL PRIMARY KEY,
    -- Subject of the rider.
    person TEXT NOT NULL,
    -- Of the body that created it, in hex.
    body_sha256 TEXT NOT NULL,
    market TEXT,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    reference TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The order of the list: discussions by due date, then the newest first.
    place BIGINT NOT NULL,
    -- When it becomes final; NULL once it is, and while a discussion is open.
    closes_at BIGINT,
    -- Of the open discussion.
    answer_due BIGINT,
    opened_at BIGINT,
    -- Of the open discussion: 1 once due_soon was sent, 2 once overdue was.
    reminded BIGINT NOT NULL,
    -- Number of rows in evaluation_records.
    records BIGINT NOT NULL,
    -- The whole state, a JSON object.
    state TEXT NOT NULL
);
CREATE INDEX evaluations_of_person ON evaluations (person, created_at);
CREATE INDEX evaluations_in_order ON evaluations (place, id);
CREATE INDEX evaluations_by_status ON evaluations (status, place, id);
CREATE INDEX evaluations_by_reference ON evaluations (reference);
CREATE INDEX evaluations_closing ON evaluations (closes_at) WHERE closes_at IS NOT NULL;
CREATE INDEX evaluations_due ON evaluations (answer_due) WHERE answer_due IS NOT NULL;

-- Each transition, message and withdrawal, with what its entry in the log commits to.
CREATE TABLE evaluation_records (
    evaluation TEXT NOT NULL REFERENCES evaluations (id),
    -- From 1, without a gap.
    position BIGINT NOT NULL,
    person TEXT NOT NULL,
    -- The version after it. A message is no version and has that of its discussion.
    version BIGINT NOT NULL,
    is_message BOOLEAN NOT NULL,
    -- Subject of the colleague or service:NAME; NULL for the rider and the program.
    actor TEXT,
    -- 32 random bytes in hex.
    salt TEXT NOT NULL,
    -- RFC 8785.
    record TEXT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (evaluation, position)
);
CREATE INDEX evaluation_records_of_person ON evaluation_records (person);
CREATE INDEX evaluation_records_by_entry ON evaluation_records (log, idx);

CREATE TABLE review_rules (
    -- A code, or * for all others.
    market TEXT NOT NULL PRIMARY KEY,
    contest_days BIGINT NOT NULL,
    answer_days BIGINT NOT NULL
);

-- Answers to requests with an Idempotency-Key, for 7 days.
CREATE TABLE replies (
    -- Subject of the person, or the id of the service key.
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_sha256 TEXT NOT NULL,
    -- Subject of the rider whom the answer is about.
    person TEXT,
    status BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX replies_by_age ON replies (created_at);
CREATE INDEX replies_of_person ON replies (person) WHERE person IS NOT NULL;
