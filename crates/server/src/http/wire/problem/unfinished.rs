//! Errors of writes that may still complete, and of a store that does not respond.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use musette_store::{ANSWERED_WITHIN, StoreError};

use super::{Problem, RETRY_AFTER_S, UNKNOWN};

impl Problem {
    /// Returns the error for a request whose `Idempotency-Key` is in use by a request that is still
    /// running.
    pub fn key_in_use(running_for: Duration) -> Self {
        if running_for >= ANSWERED_WITHIN {
            // That request was already answered with this error, and its write still runs.
            return Self { detail: UNKNOWN.into(), ..Self::unavailable() };
        }
        Self::new(
            StatusCode::CONFLICT,
            "idempotency_key_in_use",
            "A request with this Idempotency-Key is still running. Retry after the seconds in Retry-After.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S))
    }

    /// Converts the error of a submission and says whether the submission was recorded.
    pub fn not_submitted(error: StoreError) -> Self {
        let detail = match &error {
            StoreError::Uncertain(_) => UNKNOWN,
            error if error.is_unavailable() => {
                "The service is unavailable at the moment. Nothing was recorded. Try again."
            }
            _ => return error.into(),
        };
        Self { detail: detail.into(), ..error.into() }
    }

    /// Returns the error for a write that the database has not completed in time.
    pub fn still_writing() -> Self {
        let detail = "The database does not respond. The write still runs and may complete later. Check whether it did before you try again.";
        Self { detail: detail.into(), ..Self::unavailable() }
    }

    /// Returns the error while the store is unavailable. Flags are still evaluated from memory.
    pub fn cut_off(flags_stale_s: u64) -> Self {
        let detail = format!(
            "The database is unavailable. Flags are evaluated from the configuration of {flags_stale_s} seconds ago, which may be stale."
        );
        Self { detail, ..Self::unavailable() }
    }

    /// Returns the error while commits wait for a standby that is not connected.
    pub fn replication_waits(waited: Duration) -> Self {
        let detail = format!(
            "Synchronous replication has been waiting for a standby for {} seconds, so nothing can be recorded. Flags and read requests still work.",
            waited.as_secs()
        );
        Self { detail, ..Self::unavailable() }
    }
}
