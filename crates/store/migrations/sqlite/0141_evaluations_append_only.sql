-- What a rider was told is never rewritten. It is deleted only with the person.
CREATE TRIGGER evaluation_records_no_update BEFORE UPDATE ON evaluation_records
BEGIN SELECT RAISE(ABORT, 'evaluation_records is append-only'); END;
