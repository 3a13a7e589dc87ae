-- What was logged is never rewritten.
CREATE TRIGGER logs_no_update BEFORE UPDATE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;
CREATE TRIGGER logs_no_delete BEFORE DELETE ON logs
BEGIN SELECT RAISE(ABORT, 'logs is append-only'); END;
CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'log_entries is append-only'); END;
CREATE TRIGGER log_heads_no_update BEFORE UPDATE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;
CREATE TRIGGER log_heads_no_delete BEFORE DELETE ON log_heads
BEGIN SELECT RAISE(ABORT, 'log_heads is append-only'); END;
CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures is append-only'); END;
CREATE TRIGGER seals_no_update BEFORE UPDATE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER seals_no_delete BEFORE DELETE ON seals
BEGIN SELECT RAISE(ABORT, 'seals is append-only'); END;
CREATE TRIGGER log_tiles_no_delete BEFORE DELETE ON log_tiles
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;
-- An open tile grows at its end.
CREATE TRIGGER log_tiles_grow_only BEFORE UPDATE ON log_tiles
WHEN NEW.log <> OLD.log OR NEW.level <> OLD.level OR NEW.idx <> OLD.idx
    OR NEW.width <= OLD.width OR NEW.width > 256
    OR substr(NEW.bytes, 1, length(OLD.bytes)) <> OLD.bytes
BEGIN SELECT RAISE(ABORT, 'log_tiles is append-only'); END;
