-- As in 0130: the planner's statistics would keep values of erased people.
ALTER TABLE notice_receptions ALTER COLUMN person SET STATISTICS 0;
ALTER TABLE notice_openings ALTER COLUMN person SET STATISTICS 0;
ALTER TABLE push_subscriptions
    ALTER COLUMN person SET STATISTICS 0,
    ALTER COLUMN id SET STATISTICS 0,
    ALTER COLUMN endpoint SET STATISTICS 0,
    ALTER COLUMN p256dh SET STATISTICS 0,
    ALTER COLUMN auth SET STATISTICS 0;
