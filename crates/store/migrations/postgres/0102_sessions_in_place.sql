-- No index has what a refresh changes: with room on the page the new row stands beside the old one, and no index is
-- written.
ALTER TABLE sessions SET (fillfactor = 70);
