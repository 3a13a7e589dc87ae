-- The language in which somebody is written to (BCP 47), where the company knows it.
ALTER TABLE users ADD COLUMN locale TEXT;
