//! The state at an earlier time. Recorded decisions are never changed, so earlier counts can be
//! repeated.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::{Store, read};

pub(super) const SELECT_NEXT_SEQ: &str = "SELECT next_seq FROM submission_head WHERE id = 1";
const SELECT_RECORDED_AT: &str =
    "SELECT seq, recorded_at FROM submissions WHERE seq >= $1 ORDER BY seq LIMIT 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_NEXT_SEQ, SELECT_RECORDED_AT];

/// A position in the order of recording: decisions after it do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// The first submission that does not count.
    pub(crate) submission: i64,
    /// The last instant that counts, in milliseconds since 1970.
    pub(crate) at: i64,
}

impl AsOf {
    /// Includes all decisions.
    pub const NOW: Self = Self { submission: i64::MAX, at: i64::MAX };

    /// Returns the number of the first submission that does not count.
    pub const fn before(self) -> i64 {
        self.submission
    }
}

impl Store {
    /// Finds the position of a time with a binary search, because submissions are ordered by the
    /// time of recording.
    pub async fn as_of(&self, at: Instant) -> Result<AsOf, StoreError> {
        let (mut low, mut high): (i64, i64) =
            (0, read!(self, |pool| sqlx::query_scalar(SELECT_NEXT_SEQ).fetch_one(pool).await)?);
        while low < high {
            let middle = low + (high - low) / 2;
            let row: Option<(i64, i64)> = read!(self, |pool| sqlx::query_as(SELECT_RECORDED_AT)
                .bind(middle)
                .fetch_optional(pool)
                .await)?;
            match row {
                Some((seq, recorded_at)) if recorded_at <= at.millis() => low = seq + 1,
                _ => high = middle,
            }
        }
        Ok(AsOf { submission: low, at: at.millis() })
    }
}
