-- A published description is never updated or deleted.
CREATE TRIGGER system_versions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON system_versions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
