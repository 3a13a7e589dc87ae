-- A batch is never updated or deleted.
CREATE TRIGGER notice_batches_no_update BEFORE UPDATE ON notice_batches
BEGIN SELECT RAISE(ABORT, 'notice_batches is append-only'); END;
CREATE TRIGGER notice_batches_no_delete BEFORE DELETE ON notice_batches
BEGIN SELECT RAISE(ABORT, 'notice_batches is append-only'); END;
