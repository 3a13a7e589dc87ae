-- Also for rows that a program of the version before writes. A restored row has its place already.
CREATE TRIGGER audit_linked AFTER INSERT ON audit
BEGIN INSERT OR IGNORE INTO chain_links (history, item, n) VALUES ('audit', NEW.id, 0); END;
CREATE TRIGGER flag_versions_linked AFTER INSERT ON flag_versions
BEGIN
    INSERT OR IGNORE INTO chain_links (history, item, n)
    VALUES ('flags', NEW.environment, NEW.version);
END;
-- A place is given once.
CREATE TRIGGER chain_links_place_once BEFORE UPDATE ON chain_links
WHEN OLD.place IS NOT NULL OR NEW.history <> OLD.history OR NEW.item <> OLD.item OR NEW.n <> OLD.n
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;
CREATE TRIGGER chain_links_no_delete BEFORE DELETE ON chain_links
BEGIN SELECT RAISE(ABORT, 'chain_links is append-only'); END;
