-- Fills the columns of 0180 from the states and records of existing rows.
UPDATE evaluations SET contested = 1 WHERE CAST(CAST(state AS jsonb) ->> 'rider_rounds' AS BIGINT) > 0;
CREATE TEMPORARY TABLE rider_answers AS
    SELECT evaluation, CAST(record -> 'discussion' ->> 'round' AS BIGINT) AS round,
        CAST(round(extract(epoch FROM CAST(record ->> 'at' AS timestamptz)
            - CAST(record -> 'discussion' ->> 'opened_at' AS timestamptz)) * 1000) AS BIGINT) AS answer_ms,
        CASE WHEN (CASE record ->> 'to' WHEN 'ACCEPTED' THEN 2 WHEN 'EVALUATED' THEN 1 ELSE 0 END)
            > (CASE record -> 'discussion' ->> 'contested' WHEN 'ACCEPTED' THEN 2 WHEN 'EVALUATED' THEN 1 ELSE 0 END)
            THEN 1 ELSE 0 END AS is_better
    FROM (SELECT evaluation, CAST(record AS jsonb) AS record FROM evaluation_records WHERE NOT is_message) AS r
    WHERE record ->> 'from' = 'IN_DISCUSSION' AND record -> 'by' ->> 'kind' = 'human'
        AND record -> 'discussion' ->> 'opened_by' = 'rider';
UPDATE evaluations SET
    first_answer_ms = (SELECT a.answer_ms FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id AND a.round = 1),
    second_answer_ms = (SELECT a.answer_ms FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id AND a.round = 2),
    overturned = coalesce((SELECT max(a.is_better) FROM rider_answers AS a
        WHERE a.evaluation = evaluations.id), 0)
WHERE contested = 1;
DROP TABLE rider_answers;
UPDATE restrictions SET review = coalesce(CAST(state AS jsonb) -> 'review' ->> 'outcome', 'open')
    WHERE CAST(state AS jsonb) -> 'review' ->> 'requested_at' IS NOT NULL;
