-- Also for rows that a program of the version before writes. A restored row has its place already.
CREATE FUNCTION link_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION link_flag_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chain_links (history, item, n) VALUES ('flags', NEW.environment, NEW.version)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_linked AFTER INSERT ON audit
    FOR EACH ROW EXECUTE FUNCTION link_audit();
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions
    FOR EACH ROW EXECUTE FUNCTION link_flag_version();
-- A place is given once.
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links FOR EACH ROW
    WHEN (OLD.place IS NOT NULL OR NEW.history <> OLD.history OR NEW.item <> OLD.item
        OR NEW.n <> OLD.n)
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_links_no_delete BEFORE DELETE OR TRUNCATE ON chain_links
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
