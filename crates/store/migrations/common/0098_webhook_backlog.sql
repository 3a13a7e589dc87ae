-- Leases take the deliveries that are due longest, however many wait.
DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_at, seq) WHERE status = 'waiting';
-- The oldest delivery that waits is measured every second.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (webhook, seq) WHERE status = 'waiting';
