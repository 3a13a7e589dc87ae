-- Who did it, when that is another than the person it was done to.
ALTER TABLE audit ADD COLUMN actor TEXT;
CREATE INDEX audit_by_time ON audit (at);
