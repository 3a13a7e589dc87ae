-- What a person opened is never rewritten. It is deleted only with the person.
CREATE TRIGGER notice_openings_append_only BEFORE UPDATE OR TRUNCATE ON notice_openings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
