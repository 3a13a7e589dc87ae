-- Acts that wait for approvals: ending or ordering published terms, and replacing the rules of approval.
CREATE TABLE proposals (
    -- UUIDv7.
    id TEXT PRIMARY KEY,
    -- The rules that it is under: terms, or rules for a change of the rules of approval.
    kind TEXT NOT NULL,
    -- The type of the terms; of rules: the subjects that need fewer approvals, separated by a space.
    scope TEXT NOT NULL,
    -- The market of the term; NULL: everywhere.
    market TEXT,
    -- What is done: JSON in the server's own form.
    body TEXT NOT NULL,
    -- Subject of the person or service key.
    author TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- proposed, done, refused or cancelled.
    status TEXT NOT NULL,
    settled_at BIGINT,
    -- Why it was refused.
    refusal TEXT
);
CREATE INDEX proposals_open ON proposals (id) WHERE status = 'proposed';
