//! The state at an earlier time: nothing that was recorded is ever rewritten, so it can be counted again.

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::db::{Store, read};

const END: &str = "SELECT next_seq FROM submission_head WHERE id = 1";
const RECORDED_AT: &str =
    "SELECT seq, recorded_at FROM submissions WHERE seq >= $1 ORDER BY seq LIMIT 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[END, RECORDED_AT];

/// A place in the order of recording: what was recorded behind it does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    /// The first submission that does not count.
    pub(crate) submission: i64,
    /// The last instant that counts, in milliseconds since 1970.
    pub(crate) at: i64,
}

impl AsOf {
    /// Everything counts.
    pub const NOW: Self = Self { submission: i64::MAX, at: i64::MAX };

    /// Number of the first submission that does not count.
    pub const fn before(self) -> i64 {
        self.submission
    }
}

impl Store {
    /// Finds the place by halving: submissions stand in the order in which they were recorded.
    pub async fn as_of(&self, at: Instant) -> Result<AsOf, StoreError> {
        let (mut low, mut high): (i64, i64) =
            (0, read!(self, |pool| sqlx::query_scalar(END).fetch_one(pool).await)?);
        while low < high {
            let middle = low + (high - low) / 2;
            let found: Option<(i64, i64)> = read!(self, |pool| sqlx::query_as(RECORDED_AT)
                .bind(middle)
                .fetch_optional(pool)
                .await)?;
            match found {
                Some((seq, recorded_at)) if recorded_at <= at.millis() => low = seq + 1,
                _ => high = middle,
            }
        }
        Ok(AsOf { submission: low, at: at.millis() })
    }
}
