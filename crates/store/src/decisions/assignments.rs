//! Which reviewer works on which open discussion. An assignment ends by itself: after its time, and
//! with the next version of the evaluation.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::markets::filter::{MarketFilter, is_inside};

/// Takes or renews an assignment, if a discussion is open and no other reviewer has a valid
/// assignment, or only the reviewer that the caller replaces.
const ASSIGN: &str =
    "INSERT INTO evaluation_assignments (evaluation, person, reviewer, version, until)
    SELECT e.id, e.person, CAST($2 AS TEXT), e.version, CAST($3 AS BIGINT)
    FROM evaluations AS e WHERE e.id = $1 AND e.status = 'IN_DISCUSSION'
    ON CONFLICT (evaluation) DO UPDATE SET reviewer = excluded.reviewer,
        version = excluded.version, until = excluded.until
    WHERE evaluation_assignments.reviewer = excluded.reviewer
        OR evaluation_assignments.until <= $4
        OR evaluation_assignments.version <> excluded.version
        OR evaluation_assignments.reviewer IN (SELECT u.subject FROM users AS u WHERE u.id = $5)";
const END_ASSIGNMENT: &str =
    "DELETE FROM evaluation_assignments WHERE evaluation = $1 AND reviewer = $2";
const DELETE_EXPIRED: &str = "DELETE FROM evaluation_assignments WHERE until <= $1";

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT a.evaluation, u.id AS user_id, a.until FROM evaluation_assignments AS a
            JOIN evaluations AS e ON e.id = a.evaluation AND e.version = a.version
            JOIN users AS u ON u.subject = a.reviewer
            WHERE e.status = 'IN_DISCUSSION' AND a.until > $1 AND ",
            $where
        )
    };
}

const SELECT_ASSIGNMENT: &str = select!("a.evaluation = $2");
const LIST_ASSIGNMENTS: &str = concat!(
    select!("($2 = '' OR "),
    is_inside!("e.market", "$2"),
    ") AND (a.until, a.evaluation) > (CAST($3 AS BIGINT), CAST($4 AS TEXT))
    ORDER BY a.until, a.evaluation LIMIT $5"
);

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[ASSIGN, END_ASSIGNMENT, DELETE_EXPIRED, SELECT_ASSIGNMENT, LIST_ASSIGNMENTS];

/// A reviewer works on the open discussion of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct EvaluationAssignment {
    /// ID of the evaluation.
    pub evaluation: String,
    /// User ID of the reviewer.
    pub user_id: String,
    /// When it ends, in milliseconds since 1970.
    pub until: i64,
}

/// An assignment to take or to renew.
#[derive(Debug, Clone, Copy)]
pub struct NewEvaluationAssignment<'a> {
    /// ID of the evaluation.
    pub evaluation: &'a str,
    /// Subject of the reviewer.
    pub reviewer: &'a str,
    /// When it ends.
    pub until: Instant,
    /// User ID of the reviewer that the caller replaces.
    pub instead_of: Option<&'a str>,
}

/// Outcome of [`Store::assign_evaluation`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignOutcome {
    /// The reviewer has this assignment now.
    Assigned(EvaluationAssignment),
    /// Another reviewer has this one.
    Held(EvaluationAssignment),
    /// No discussion is open.
    Closed,
}

impl Store {
    /// Assigns an open discussion to a reviewer.
    pub async fn assign_evaluation(
        &self,
        new: &NewEvaluationAssignment<'_>,
        now: Instant,
    ) -> Result<AssignOutcome, StoreError> {
        let assigned = modify!(self, |pool| sqlx::query(ASSIGN)
            .bind(new.evaluation)
            .bind(new.reviewer)
            .bind(new.until.millis())
            .bind(now.millis())
            .bind(new.instead_of.unwrap_or_default())
            .execute(pool)
            .await
            .map(|result| result.rows_affected()))?;
        let current = self.evaluation_assignment(new.evaluation, now).await?;
        Ok(match current {
            Some(assignment) if assigned > 0 => AssignOutcome::Assigned(assignment),
            Some(assignment) => AssignOutcome::Held(assignment),
            None => AssignOutcome::Closed,
        })
    }

    /// Ends the assignment of a reviewer. One of another reviewer stays.
    pub async fn end_assignment(&self, evaluation: &str, reviewer: &str) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(END_ASSIGNMENT)
            .bind(evaluation)
            .bind(reviewer)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns who works on an evaluation.
    pub async fn evaluation_assignment(
        &self,
        evaluation: &str,
        now: Instant,
    ) -> Result<Option<EvaluationAssignment>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_ASSIGNMENT)
            .bind(now.millis())
            .bind(evaluation)
            .fetch_optional(pool)
            .await)?)
    }

    /// Returns the assignments in these markets after a place, those that end first before the
    /// others.
    pub async fn evaluation_assignments(
        &self,
        market: &MarketFilter,
        after: (i64, &str),
        limit: i64,
        now: Instant,
    ) -> Result<Vec<EvaluationAssignment>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST_ASSIGNMENTS)
            .bind(now.millis())
            .bind(&market.inside)
            .bind(after.0)
            .bind(after.1)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    /// Removes the assignments that have ended.
    pub async fn delete_expired_assignments(&self, now: Instant) -> Result<u64, StoreError> {
        let deleted = modify!(self, |pool| sqlx::query(DELETE_EXPIRED)
            .bind(now.millis())
            .execute(pool)
            .await
            .map(|result| result.rows_affected()))?;
        Ok(deleted)
    }
}
