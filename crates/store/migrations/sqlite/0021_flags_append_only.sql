-- What was once served can always be looked at again.
CREATE TRIGGER flag_versions_no_update BEFORE UPDATE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;
CREATE TRIGGER flag_versions_no_delete BEFORE DELETE ON flag_versions
BEGIN SELECT RAISE(ABORT, 'flag_versions is append-only'); END;
