-- What was published or decided is never rewritten.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER documents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON documents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER document_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON document_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER terms_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON terms
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER term_variants_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON term_variants
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER submissions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON submissions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER consents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON consents
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER claims_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON claims
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
