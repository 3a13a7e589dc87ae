-- `notice` for a text that users do not agree to. NULL: a consent.
ALTER TABLE terms ADD COLUMN term_kind TEXT;
