-- What was decided by is not written anew afterwards.
CREATE TRIGGER experiment_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
    ON experiment_decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
