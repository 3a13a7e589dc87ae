-- What was logged is never rewritten.
CREATE TRIGGER logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log_heads
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER erasures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON erasures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE OR TRUNCATE ON log_tiles
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- An open tile grows at its end.
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles FOR EACH ROW
    WHEN (NEW.log <> OLD.log OR NEW.level <> OLD.level OR NEW.idx <> OLD.idx
        OR NEW.width <= OLD.width OR NEW.width > 256
        OR substring(NEW.bytes FROM 1 FOR length(OLD.bytes)) <> OLD.bytes)
    EXECUTE FUNCTION refuse_change();
