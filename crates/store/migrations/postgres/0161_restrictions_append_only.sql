-- What a rider was notified of is never rewritten. It is deleted only with the person.
CREATE TRIGGER restriction_records_append_only BEFORE UPDATE OR TRUNCATE ON restriction_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
