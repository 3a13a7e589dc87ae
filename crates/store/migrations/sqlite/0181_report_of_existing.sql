-- Fills the columns of 0180 from the states and records of existing rows.
UPDATE evaluations SET contested = 1 WHERE state ->> '$.rider_rounds' > 0;
CREATE TEMPORARY TABLE rider_answers AS
    SELECT evaluation, record ->> '$.discussion.round' AS round,
        CAST(round((julianday(record ->> '$.at')
            - julianday(record ->> '$.discussion.opened_at')) * 86400000) AS INTEGER) AS answer_ms,
        (CASE record ->> '$.to' WHEN 'ACCEPTED' THEN 2 WHEN 'EVALUATED' THEN 1 ELSE 0 END)
            > (CASE record ->> '$.discussion.contested' WHEN 'ACCEPTED' THEN 2 WHEN 'EVALUATED' THEN 1 ELSE 0 END)
            AS is_better
    FROM evaluation_records
    WHERE NOT is_message AND record ->> '$.from' = 'IN_DISCUSSION'
        AND record ->> '$.by.kind' = 'human' AND record ->> '$.discussion.opened_by' = 'rider';
UPDATE evaluations SET
    first_answer_ms = (SELECT a.answer_ms FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id AND a.round = 1),
    second_answer_ms = (SELECT a.answer_ms FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id AND a.round = 2),
    overturned = coalesce((SELECT max(a.is_better) FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id), 0)
WHERE contested = 1;
DROP TABLE rider_answers;
UPDATE restrictions SET review = coalesce(state ->> '$.review.outcome', 'open')
    WHERE state ->> '$.review.requested_at' IS NOT NULL;
