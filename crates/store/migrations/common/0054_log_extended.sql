-- Entries that are of no submission and no claim: their type, and of a published term its id.
ALTER TABLE log_entries ADD COLUMN event TEXT;
ALTER TABLE log_entries ADD COLUMN term BIGINT;
CREATE INDEX log_entries_of_event ON log_entries (event, log, idx) WHERE event IS NOT NULL;
CREATE UNIQUE INDEX log_entries_of_term ON log_entries (term) WHERE term IS NOT NULL;

-- In which order the rows of a history (of `audit`, and of `flag_versions`) stand in its running hash,
-- whose value is an entry of the log from time to time. Without a place: not in it yet.
CREATE TABLE chain_links (
    history TEXT NOT NULL,
    item TEXT NOT NULL,
    n BIGINT NOT NULL,
    place BIGINT,
    PRIMARY KEY (history, item, n)
);
CREATE UNIQUE INDEX chain_links_by_place ON chain_links (history, place);
INSERT INTO chain_links (history, item, n) SELECT 'audit', id, 0 FROM audit;
INSERT INTO chain_links (history, item, n) SELECT 'flags', environment, version FROM flag_versions;
