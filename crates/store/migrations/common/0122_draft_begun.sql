-- When the draft was begun; NULL: before this column.
ALTER TABLE term_drafts ADD COLUMN begun_at BIGINT;
