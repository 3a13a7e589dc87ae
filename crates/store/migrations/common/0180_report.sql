-- What the report for representatives counts, so that it reads an index and no state.
-- Whether the rider contested it, and whether an answer was in favour of the rider: 0 or 1.
ALTER TABLE evaluations ADD COLUMN contested BIGINT NOT NULL DEFAULT 0;
ALTER TABLE evaluations ADD COLUMN overturned BIGINT NOT NULL DEFAULT 0;
-- Milliseconds from each contest of the rider to its answer.
ALTER TABLE evaluations ADD COLUMN first_answer_ms BIGINT;
ALTER TABLE evaluations ADD COLUMN second_answer_ms BIGINT;
-- open, or the outcome of the review; NULL without a review.
ALTER TABLE restrictions ADD COLUMN review TEXT;
CREATE INDEX evaluations_by_creation ON evaluations (created_at, market, status, contested, overturned);
CREATE INDEX restrictions_by_start ON restrictions (starts_at);
