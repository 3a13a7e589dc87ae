-- Subject of who changed the draft last.
ALTER TABLE term_drafts ADD COLUMN updated_by TEXT;
