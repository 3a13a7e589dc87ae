-- What a document calls its version, such as 1.1; those published before have none.
ALTER TABLE terms ADD COLUMN label TEXT;
