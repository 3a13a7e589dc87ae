-- To whom a term was shown before they had decided on it, and who opened its document: for the funnel,
-- no part of the evidence. Gone with the person.
CREATE TABLE term_views (
    subject TEXT NOT NULL REFERENCES subjects (ref) ON DELETE CASCADE,
    term_id BIGINT NOT NULL REFERENCES terms (id),
    shown_at BIGINT NOT NULL,
    opened_at BIGINT,
    PRIMARY KEY (subject, term_id)
);
CREATE INDEX term_views_of_term ON term_views (term_id, shown_at);
