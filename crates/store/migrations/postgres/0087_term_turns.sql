-- What turned before there were events stays without one.
DELETE FROM term_turns WHERE at <= CAST(extract(epoch FROM now()) * 1000 AS BIGINT);
