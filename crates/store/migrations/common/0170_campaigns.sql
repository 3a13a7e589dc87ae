-- Campaigns: messages that inform riders about a term or a notice.
CREATE TABLE campaigns (
    id TEXT NOT NULL PRIMARY KEY,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    market TEXT,
    -- Steps and texts, a JSON object.
    body TEXT NOT NULL,
    -- draft, running, paused, finished or cancelled.
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Subject of the author.
    created_by TEXT,
    started_at BIGINT,
    ended_at BIGINT
);
CREATE INDEX campaigns_running ON campaigns (id) WHERE status = 'running';
-- Passes over all riders, each of which prepares the messages of a step. Steps that were due before the start share one.
CREATE TABLE campaign_passes (
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    number BIGINT NOT NULL,
    -- Indexes of the steps, the latest first, separated by blanks.
    steps TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    -- Subject of the last rider whose messages were prepared.
    position TEXT NOT NULL,
    prepared_at BIGINT,
    PRIMARY KEY (campaign, number)
);
-- The message of a step to a rider. The unique index is the reason that no rider gets two.
CREATE TABLE notice_messages (
    id TEXT NOT NULL PRIMARY KEY,
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    step BIGINT NOT NULL,
    -- Subject of the rider. NULL once they are erased: the leaf remains, because others are proved with it.
    person TEXT,
    channel TEXT NOT NULL,
    -- Time zone whose hours of the day apply; empty for none.
    zone TEXT NOT NULL,
    locale TEXT,
    -- waiting (for its attempt), offered (until the app fetches it), done, skipped or erased.
    status TEXT NOT NULL,
    -- Why it was skipped.
    reason TEXT,
    next_at BIGINT NOT NULL,
    -- A node sends it until then; after a crash another one does.
    leased_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    -- An attempt began and has no result: the message may have been sent.
    in_doubt BOOLEAN NOT NULL,
    -- An attempt followed one without a result.
    repeated BOOLEAN NOT NULL,
    address TEXT,
    sha256 TEXT,
    -- The first attempt.
    sent_at BIGINT,
    settled_at BIGINT,
    -- accepted, bounced or failed.
    outcome TEXT,
    outcome_status TEXT,
    batch TEXT,
    idx BIGINT,
    -- 32 random bytes in hex.
    salt TEXT,
    -- RFC 8785.
    record TEXT,
    -- Leaf of the batch's tree in hex.
    leaf TEXT
);
CREATE UNIQUE INDEX notice_messages_once ON notice_messages (campaign, step, person);
CREATE INDEX notice_messages_due ON notice_messages (campaign, zone, next_at) WHERE status = 'waiting';
CREATE INDEX notice_messages_by_status ON notice_messages (campaign, step, status, outcome);
CREATE INDEX notice_messages_unbatched ON notice_messages (campaign, settled_at) WHERE status = 'done' AND batch IS NULL;
CREATE INDEX notice_messages_of_person ON notice_messages (person);
CREATE INDEX notice_messages_of_batch ON notice_messages (batch, idx) WHERE batch IS NOT NULL;
-- Batches of messages. The log has an entry for each row.
CREATE TABLE notice_batches (
    id TEXT NOT NULL PRIMARY KEY,
    campaign TEXT NOT NULL REFERENCES campaigns (id),
    step BIGINT NOT NULL,
    channel TEXT NOT NULL,
    count BIGINT NOT NULL,
    -- Root of the tree of the messages in hex.
    root TEXT NOT NULL,
    closed_at BIGINT NOT NULL,
    log BIGINT NOT NULL,
    idx BIGINT NOT NULL
);
CREATE INDEX notice_batches_of_campaign ON notice_batches (campaign);
-- Riders who do not want e-mails about optional terms.
CREATE TABLE notice_opt_outs (
    person TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
-- Raised when a campaign has something to do.
INSERT INTO revision (id, n) VALUES (4, 1);
