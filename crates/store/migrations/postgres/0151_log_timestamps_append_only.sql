CREATE TRIGGER log_timestamps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
    ON log_timestamps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
