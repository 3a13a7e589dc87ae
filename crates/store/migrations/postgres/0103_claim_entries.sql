-- Few entries are of a claim: a row of the index for each of the others only cost its writing.
ALTER TABLE log_entries DROP CONSTRAINT log_entries_claim_key;
CREATE UNIQUE INDEX log_entries_of_claim ON log_entries (claim) WHERE claim IS NOT NULL;
