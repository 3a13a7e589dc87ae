-- What a rider was told is never rewritten. It is deleted only with the person.
CREATE TRIGGER evaluation_records_append_only BEFORE UPDATE OR TRUNCATE ON evaluation_records
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
