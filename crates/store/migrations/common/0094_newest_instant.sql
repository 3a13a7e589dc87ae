-- The newest instant that a server on this store has seen: a start with a clock that is before it is noticed.
-- NULL until a server of a version that knows the column has run.
ALTER TABLE served_at ADD COLUMN newest_at BIGINT;
