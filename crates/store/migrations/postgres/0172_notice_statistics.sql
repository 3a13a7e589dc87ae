-- As in 0130: the planner's statistics would keep values of erased people.
ALTER TABLE notice_messages
    ALTER COLUMN person SET STATISTICS 0,
    ALTER COLUMN address SET STATISTICS 0,
    ALTER COLUMN sha256 SET STATISTICS 0,
    ALTER COLUMN salt SET STATISTICS 0,
    ALTER COLUMN record SET STATISTICS 0;
ALTER TABLE notice_opt_outs
    ALTER COLUMN person SET STATISTICS 0;
