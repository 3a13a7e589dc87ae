-- One row: where the server that started last is reached. In no backup: a copy is served elsewhere.
CREATE TABLE served_at (
    id BIGINT NOT NULL PRIMARY KEY,
    url TEXT NOT NULL
);
