-- The restrictions in force, of which the gate informs: ids that block work, and limitations, as JSON arrays.
ALTER TABLE gate_states ADD COLUMN restrictions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE gate_states ADD COLUMN limitations TEXT NOT NULL DEFAULT '[]';
-- The language of people in the market who have none themselves.
ALTER TABLE markets ADD COLUMN locale TEXT;
