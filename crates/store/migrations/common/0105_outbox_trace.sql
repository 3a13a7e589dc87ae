-- The trace of the request that caused an event (`traceparent`), which its deliveries belong to; only while traces
-- are on.
ALTER TABLE outbox ADD COLUMN trace TEXT;
