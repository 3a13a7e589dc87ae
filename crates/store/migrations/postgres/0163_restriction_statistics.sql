-- As in 0130: the planner's statistics would keep values of erased people.
ALTER TABLE restrictions
    ALTER COLUMN id SET STATISTICS 0,
    ALTER COLUMN person SET STATISTICS 0,
    ALTER COLUMN proposed_by SET STATISTICS 0,
    ALTER COLUMN imposed_by SET STATISTICS 0,
    ALTER COLUMN state SET STATISTICS 0;
ALTER TABLE restriction_records
    ALTER COLUMN restriction SET STATISTICS 0,
    ALTER COLUMN person SET STATISTICS 0,
    ALTER COLUMN actor SET STATISTICS 0,
    ALTER COLUMN salt SET STATISTICS 0,
    ALTER COLUMN record SET STATISTICS 0;
ALTER TABLE gate_states
    ALTER COLUMN restrictions SET STATISTICS 0,
    ALTER COLUMN limitations SET STATISTICS 0;
