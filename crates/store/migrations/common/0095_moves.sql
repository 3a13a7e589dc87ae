-- Where this store stands while it is moved to another database (`leaving`, `arriving`, `moved`); the token names the
-- attempt. No row: it is not moved.
CREATE TABLE moves (
    id BIGINT NOT NULL PRIMARY KEY,
    state TEXT NOT NULL,
    token TEXT NOT NULL,
    at BIGINT NOT NULL
);
