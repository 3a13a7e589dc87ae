-- Who is told that something waits for their approval, or was sent back. One row an object and person.
CREATE TABLE approval_notices (
    -- asked or returned.
    purpose TEXT NOT NULL,
    -- terms or flags, and the draft or change.
    kind TEXT NOT NULL,
    object TEXT NOT NULL,
    user_id TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    -- When a node sends it, or takes over from one that did not finish; NULL: it is over.
    next_at BIGINT,
    tries BIGINT NOT NULL,
    -- NULL: it was not sent, or not yet.
    sent_at BIGINT,
    PRIMARY KEY (purpose, kind, object, user_id)
);
CREATE INDEX approval_notices_due ON approval_notices (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX approval_notices_of ON approval_notices (user_id, sent_at);
