-- What the company calls a market, and its own places, which must stand here before they are used.
CREATE TABLE markets (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    timezone TEXT
);
-- Where somebody works; nobody's is known in a company without markets.
ALTER TABLE users ADD COLUMN market TEXT;
CREATE INDEX users_of_market ON users (market) WHERE market IS NOT NULL;
-- Where a text counts (null: everywhere), and a version of the broader text whose place it takes there.
ALTER TABLE terms ADD COLUMN market TEXT;
ALTER TABLE terms ADD COLUMN instead_of BIGINT REFERENCES terms (id);
-- Where the person worked at the time, as the log has it too.
ALTER TABLE submissions ADD COLUMN market TEXT;
