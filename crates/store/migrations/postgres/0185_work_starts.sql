-- Fills the column of 0184 from the states of existing rows.
UPDATE evaluations SET starts_at = CAST(CAST(state AS jsonb) -> 'subject' ->> 'starts_at' AS BIGINT);
CREATE INDEX evaluations_by_work ON evaluations (starts_at, id);
-- As in 0130: the planner's statistics would keep values of erased people.
ALTER TABLE evaluation_assignments
    ALTER COLUMN evaluation SET STATISTICS 0,
    ALTER COLUMN person SET STATISTICS 0,
    ALTER COLUMN reviewer SET STATISTICS 0;
ALTER TABLE excusal_items
    ALTER COLUMN excusal SET STATISTICS 0,
    ALTER COLUMN evaluation SET STATISTICS 0,
    ALTER COLUMN person SET STATISTICS 0;
