-- A batch is never updated or deleted.
CREATE TRIGGER notice_batches_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON notice_batches
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
