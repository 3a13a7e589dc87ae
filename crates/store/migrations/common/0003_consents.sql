-- One row: its update is the lock that puts all submissions, of all nodes, into one order.
CREATE TABLE submission_head (
    id BIGINT NOT NULL PRIMARY KEY,
    next_seq BIGINT NOT NULL
);
INSERT INTO submission_head (id, next_seq) VALUES (1, 0);

CREATE TABLE submissions (
    seq BIGINT NOT NULL PRIMARY KEY,
    entry_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- Whose decisions these are: a rider's subject, or the subject of an applicant's first
    -- submission, which later ones with its receipt continue.
    person TEXT NOT NULL,
    user_type TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    locale TEXT,
    app TEXT
);

CREATE TABLE consents (
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    position BIGINT NOT NULL,
    person TEXT NOT NULL,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    accepted BOOLEAN NOT NULL,
    consented_at BIGINT NOT NULL,
    -- As the device wrote it.
    consented_at_text TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    evidence TEXT NOT NULL,
    method TEXT,
    opened BOOLEAN,
    last_page BIGINT,
    PRIMARY KEY (submission, position)
);
CREATE INDEX consents_of_person ON consents (person, submission);

-- An applicant became a rider: from then on the person's decisions are the rider's.
CREATE TABLE claims (
    person TEXT NOT NULL PRIMARY KEY,
    submission BIGINT NOT NULL REFERENCES submissions (seq),
    subject TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX claims_of_subject ON claims (subject);

CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    submission BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
