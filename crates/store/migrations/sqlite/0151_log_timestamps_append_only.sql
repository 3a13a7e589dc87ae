CREATE TRIGGER log_timestamps_no_update BEFORE UPDATE ON log_timestamps
BEGIN SELECT RAISE(ABORT, 'log_timestamps is append-only'); END;
CREATE TRIGGER log_timestamps_no_delete BEFORE DELETE ON log_timestamps
BEGIN SELECT RAISE(ABORT, 'log_timestamps is append-only'); END;
