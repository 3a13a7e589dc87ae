-- Each refresh moved its session in this index. Only the hourly sweep read it, which now reads all sessions.
DROP INDEX sessions_by_idle;
