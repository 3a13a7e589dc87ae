-- A version of terms in the making: JSON, as the console edits it. Gone when it is published.
CREATE TABLE term_drafts (
    id TEXT NOT NULL PRIMARY KEY,
    -- Raised by each change: who saves over another's change is told.
    revision BIGINT NOT NULL,
    body TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
