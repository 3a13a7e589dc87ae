-- Fills the column of 0184 from the states of existing rows.
UPDATE evaluations SET starts_at = state ->> '$.subject.starts_at';
CREATE INDEX evaluations_by_work ON evaluations (starts_at, id);
