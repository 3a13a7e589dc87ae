-- The market for which a draft would be published, by which drafts are listed. NULL: everywhere, and drafts that were
-- saved before: they are listed for whoever may see all.
ALTER TABLE term_drafts ADD COLUMN market TEXT;
