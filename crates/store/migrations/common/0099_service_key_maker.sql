-- Subject of the admin who made the key; NULL: a command. What the key writes, its maker does not approve.
ALTER TABLE service_keys ADD COLUMN made_by TEXT;
