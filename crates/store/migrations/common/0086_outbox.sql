-- The events outbox: what happened, written in the transaction in which it happened. `user_id` stands in a column of
-- its own, and nowhere in `data`, so that erasing a person takes it out.
CREATE TABLE outbox (
    seq BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    -- A JSON object.
    data TEXT NOT NULL
);
-- For erasing a person, and for the copy of their data.
CREATE INDEX outbox_user ON outbox (user_id) WHERE user_id IS NOT NULL;
-- One row: the last number given, and the last one that is not kept any more.
CREATE TABLE outbox_head (
    id BIGINT NOT NULL PRIMARY KEY,
    seq BIGINT NOT NULL,
    forgotten BIGINT NOT NULL
);
INSERT INTO outbox_head (id, seq, forgotten) VALUES (1, 0, 0);
-- Instants at which a published term changes by itself, and of which no event was written yet.
CREATE TABLE term_turns (
    term_id BIGINT NOT NULL REFERENCES terms (id),
    -- effective or grace_ended.
    turn TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (term_id, turn)
);
INSERT INTO term_turns (term_id, turn, at)
    SELECT id, 'effective', effective_from FROM terms WHERE effective_from > published_at;
INSERT INTO term_turns (term_id, turn, at)
    SELECT id, 'grace_ended', grace_until FROM terms WHERE grace_until > published_at;
