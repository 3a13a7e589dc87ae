//! Verifies the stored time stamps: each is about its head, and its signature is correct.

use musette_core::instant::Instant;
use musette_core::log::timestamp::{Authorities, TimeStamp};

use super::{ERRORS_MAX, IntegrityError, Run};
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
    /// the errors, of which at most 100 are listed.
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
        let (mut count, mut last, mut faults) = (0, 0, Vec::new());
        loop {
            let rows: Vec<Row> =
                read!(self, |pool| sqlx::query_as(SELECT_ROWS).bind(last).fetch_all(pool).await)?;
            if rows.is_empty() {
                return Ok((count, faults));
            }
            for row in rows {
                count += 1;
                let error = error_of(&row, last + 1, authorities);
                last = row.n;
                if let Some(what) = error.filter(|_| faults.len() < ERRORS_MAX) {
                    let place = format!("n {}", row.n);
                    faults.push(IntegrityError { table: "log_timestamps", place, what });
                }
            }
        }
    }

    pub(super) async fn find_wrong_timestamps(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let (_, faults) = self.check_timestamps(None).await?;
        for fault in faults {
            run.report(fault.table, fault.place, fault.what);
        }
        Ok(())
    }
}
