-- What a person opened is never rewritten. It is deleted only with the person.
CREATE TRIGGER notice_openings_no_update BEFORE UPDATE ON notice_openings
BEGIN SELECT RAISE(ABORT, 'notice_openings is append-only'); END;
