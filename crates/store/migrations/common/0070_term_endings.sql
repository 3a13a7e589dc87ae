-- Which published versions were cancelled before they took effect, and which documents are retired, by
-- the version that the deed names. Undone, the row goes; the log has an entry of both.
CREATE TABLE term_endings (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    ending TEXT NOT NULL,
    at BIGINT NOT NULL
);
