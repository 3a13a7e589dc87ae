-- Where a term is shown, if not where it was published: no part of what was agreed to.
CREATE TABLE term_order (
    term_id BIGINT NOT NULL PRIMARY KEY REFERENCES terms (id),
    position BIGINT NOT NULL
);
