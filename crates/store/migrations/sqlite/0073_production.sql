-- A new store has the environment that everybody needs first.
INSERT INTO flag_environments (name, version, created_at)
SELECT 'production', 0, CAST(strftime('%s', 'now') AS INTEGER) * 1000
WHERE NOT EXISTS (SELECT 1 FROM flag_environments)
    AND NOT EXISTS (SELECT 1 FROM users)
    AND NOT EXISTS (SELECT 1 FROM terms)
    AND NOT EXISTS (SELECT 1 FROM audit);
