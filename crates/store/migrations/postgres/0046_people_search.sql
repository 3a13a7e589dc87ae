-- What people are found by, folded by the program, so that both engines find the same.
CREATE TABLE people_search (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    text TEXT NOT NULL
);
