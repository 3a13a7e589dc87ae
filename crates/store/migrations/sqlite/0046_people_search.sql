-- What people are found by, folded as only the program can: SQLite knows no case outside of ASCII.
CREATE TABLE people_search (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) WITHOUT ROWID;
