-- What was decided by is not written anew afterwards.
CREATE TRIGGER experiment_decisions_no_update BEFORE UPDATE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;
CREATE TRIGGER experiment_decisions_no_delete BEFORE DELETE ON experiment_decisions
BEGIN SELECT RAISE(ABORT, 'experiment_decisions is append-only'); END;
