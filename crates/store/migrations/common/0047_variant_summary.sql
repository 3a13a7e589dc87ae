-- What has changed, in this language; without it the one sentence of the term stands for all.
ALTER TABLE term_variants ADD COLUMN summary TEXT;
