-- What a rider was notified of is never rewritten. It is deleted only with the person.
CREATE TRIGGER restriction_records_no_update BEFORE UPDATE ON restriction_records
BEGIN SELECT RAISE(ABORT, 'restriction_records is append-only'); END;
