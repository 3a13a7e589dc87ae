//! Verifies the stored time stamps: each is about its head, and its signature is correct.

use musette_core::causes::Causes;
use musette_core::instant::Instant;
use musette_core::log::timestamp::{Authorities, TimeStamp};

use super::{CAUSES_MAX, IntegrityError, Run, listed};
use crate::db::error::StoreError;
use crate::db::{Store, read};

/// Replies are read one at a time, because a thousand of them are megabytes.
const SELECT_ROWS: &str = "SELECT t.n, t.at, t.authority, t.reply, h.checkpoint
    FROM log_timestamps AS t LEFT JOIN log_heads AS h ON h.log = t.log AND h.size = t.size
    WHERE t.n > $1 ORDER BY t.n LIMIT 50";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SELECT_ROWS];

#[derive(sqlx_macros::FromRow)]
struct Row {
    n: i64,
    at: i64,
    authority: String,
    reply: Vec<u8>,
    checkpoint: Option<String>,
}

/// Returns the error of a time stamp.
fn error_of(row: &Row, expected: i64, authorities: Option<&Authorities>) -> Option<String> {
    if row.n != expected {
        return Some(format!("number {expected} is missing before it"));
    }
    let Some(checkpoint) = &row.checkpoint else {
        return Some("the log has no head of its size".to_owned());
    };
    let stamp = match TimeStamp::open(&row.reply, checkpoint) {
        Ok(stamp) => stamp,
        Err(error) => return Some(error.to_string()),
    };
    if stamp.at != Instant::from_millis(row.at) || stamp.authority != row.authority {
        return Some("its token has another time or authority".to_owned());
    }
    let trusted = authorities.map(|authorities| stamp.verify_trust(authorities));
    trusted.and_then(Result::err).map(|error| error.to_string())
}

impl Store {
    /// Verifies all time stamps, also that their authorities are trusted. Returns their number, and
    /// the errors, one of each cause.
    pub async fn verify_timestamps(
        &self,
        authorities: &Authorities,
    ) -> Result<(u64, Vec<IntegrityError>), StoreError> {
        self.check_timestamps(Some(authorities)).await
    }

    async fn check_timestamps(
        &self,
        authorities: Option<&Authorities>,
    ) -> Result<(u64, Vec<IntegrityError>), StoreError> {
        let (mut count, mut last, mut errors) = (0, 0, Causes::new(CAUSES_MAX));
        loop {
            let rows: Vec<Row> =
                read!(self, |pool| sqlx::query_as(SELECT_ROWS).bind(last).fetch_all(pool).await)?;
            if rows.is_empty() {
                return Ok((count, listed(errors)));
            }
            for row in rows {
                count += 1;
                let error = error_of(&row, last + 1, authorities);
                last = row.n;
                if let Some(what) = error {
                    let place = format!("n {}", row.n);
                    let table = "log_timestamps";
                    let error = IntegrityError { table, place, what, count: 1 };
                    errors.add(error.cause(), error);
                }
            }
        }
    }

    pub(super) async fn find_wrong_timestamps(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let (_, errors) = self.check_timestamps(None).await?;
        for error in errors {
            run.add(error);
        }
        Ok(())
    }
}
