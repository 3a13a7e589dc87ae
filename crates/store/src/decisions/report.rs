//! Counts evaluations and restrictions for the report. It reads no person, text or reason.

use musette_core::instant::Instant;

use super::Randomness;
use crate::db::error::StoreError;
use crate::db::{Store, read};

const COUNT_EVALUATIONS: &str = "SELECT market, status, contested, overturned, count(*) AS n
    FROM evaluations WHERE created_at >= $1 AND created_at < $2
    GROUP BY market, status, contested, overturned";
/// Selects the times to the answers. The condition on `contested` is in the index.
const SELECT_ANSWERS: &str = "SELECT market, first_answer_ms, second_answer_ms
    FROM evaluations WHERE created_at >= $1 AND created_at < $2 AND contested = 1
    AND (first_answer_ms IS NOT NULL OR second_answer_ms IS NOT NULL)";
/// Proposals are not restrictions yet, also if they name a start.
const COUNT_RESTRICTIONS: &str = "SELECT market, kind, review, count(*) AS n
    FROM restrictions WHERE starts_at >= $1 AND starts_at < $2
    AND status IN ('IMPOSED', 'LIFTED', 'EXPIRED') GROUP BY market, kind, review";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT_EVALUATIONS, SELECT_ANSWERS, COUNT_RESTRICTIONS];

/// Evaluations of a market with the same status and outcome.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EvaluationCount {
    /// Code of the market.
    pub market: Option<String>,
    /// The status.
    pub status: String,
    /// 1 if the rider contested them.
    pub contested: i64,
    /// 1 if an answer was in favour of the rider.
    pub overturned: i64,
    /// The number of these evaluations.
    pub n: i64,
}

/// The times from a rider's contests to their answers.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct AnswerTimes {
    /// Code of the market.
    pub market: Option<String>,
    /// Milliseconds from the first contest to its answer.
    pub first_answer_ms: Option<i64>,
    /// Milliseconds from the second contest to its answer.
    pub second_answer_ms: Option<i64>,
}

/// Restrictions of a market with the same kind and review.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RestrictionCount {
    /// Code of the market.
    pub market: Option<String>,
    /// The kind.
    pub kind: String,
    /// `open` or the outcome; none without a review.
    pub review: Option<String>,
    /// The number of these restrictions.
    pub n: i64,
}

/// The counts of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Evaluations that were created in it.
    pub evaluations: Vec<EvaluationCount>,
    /// Answers to contests of these evaluations.
    pub answers: Vec<AnswerTimes>,
    /// Restrictions that start in it.
    pub restrictions: Vec<RestrictionCount>,
}

impl Store {
    /// Writes the status changes that are due by now, so that the counts are current.
    pub async fn settle_decisions(
        &self,
        random: Randomness,
        now: Instant,
    ) -> Result<(), StoreError> {
        self.settle_evaluations(random, now).await?;
        self.expire_restrictions(random, now).await?;
        Ok(())
    }

    /// Counts the decisions of a period. Its end is not included.
    pub async fn decision_counts(
        &self,
        from: Instant,
        until: Instant,
    ) -> Result<DecisionCounts, StoreError> {
        let (from, until) = (from.millis(), until.millis());
        macro_rules! rows {
            ($statement:expr) => {
                read!(self, |pool| sqlx::query_as($statement)
                    .bind(from)
                    .bind(until)
                    .fetch_all(pool)
                    .await)?
            };
        }
        Ok(DecisionCounts {
            evaluations: rows!(COUNT_EVALUATIONS),
            answers: rows!(SELECT_ANSWERS),
            restrictions: rows!(COUNT_RESTRICTIONS),
        })
    }
}
