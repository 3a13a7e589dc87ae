-- What turned before there were events stays without one.
DELETE FROM term_turns WHERE at <= CAST(strftime('%s', 'now') AS BIGINT) * 1000;
