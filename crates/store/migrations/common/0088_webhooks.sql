-- Addresses that events are sent to.
CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL,
    description TEXT,
    -- Types of events, separated by blanks.
    types TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Events up to this number have their deliveries.
    position BIGINT NOT NULL,
    disabled_at BIGINT,
    -- gone (410), failed, person or restored.
    disabled_because TEXT
);
-- What signs. A secret that was replaced goes on signing until a time.
CREATE TABLE webhook_secrets (
    id TEXT NOT NULL PRIMARY KEY,
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    secret TEXT NOT NULL,
    until BIGINT
);
-- One row an event and webhook.
CREATE TABLE webhook_deliveries (
    webhook TEXT NOT NULL REFERENCES webhooks (id),
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- waiting, delivered or failed.
    status TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    -- A node sends it until then; after a crash another one does.
    leased_until BIGINT NOT NULL,
    attempted_at BIGINT,
    response_status BIGINT,
    error TEXT,
    PRIMARY KEY (webhook, seq)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_at) WHERE status = 'waiting';
