-- A published description is never updated or deleted.
CREATE TRIGGER system_versions_no_update BEFORE UPDATE ON system_versions
BEGIN SELECT RAISE(ABORT, 'system_versions is append-only'); END;
CREATE TRIGGER system_versions_no_delete BEFORE DELETE ON system_versions
BEGIN SELECT RAISE(ABORT, 'system_versions is append-only'); END;
