-- What was once served can always be looked at again.
CREATE TRIGGER flag_versions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON flag_versions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
