//! Errors of writes that may go on, or of a store that does not answer.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use musette_store::{ANSWERED_WITHIN, StoreError};

use super::{Problem, RETRY_AFTER_S, UNKNOWN};

impl Problem {
    /// The first request with this `Idempotency-Key` has been running for so long.
    pub fn key_in_use(running_for: Duration) -> Self {
        if running_for >= ANSWERED_WITHIN {
            // It was answered so, and its write still goes on.
            return Self { detail: UNKNOWN.into(), ..Self::unavailable() };
        }
        Self::new(
            StatusCode::CONFLICT,
            "idempotency_key_in_use",
            "A request with this Idempotency-Key is still running; repeat it a moment later.",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_S))
    }

    /// The error of a submission. Only this place knows whether it was recorded.
    pub fn not_submitted(error: StoreError) -> Self {
        let detail = match &error {
            StoreError::Uncertain(_) => UNKNOWN,
            error if error.is_unavailable() => {
                "The service cannot do this at the moment; nothing was recorded. Try again."
            }
            _ => return error.into(),
        };
        Self { detail: detail.into(), ..error.into() }
    }

    /// The store keeps a write waiting that goes on.
    pub fn still_writing() -> Self {
        let detail = "The database does not answer. It is not known whether this was done: it goes on, and may be done later. Look before you try again.";
        Self { detail: detail.into(), ..Self::unavailable() }
    }

    /// The store is away, and what this node knows by itself it goes on answering.
    pub fn cut_off(flags_stale_s: u64) -> Self {
        let detail = format!(
            "The store does not answer. Flags are answered from the configuration of {flags_stale_s} seconds ago, which may be stale."
        );
        Self { detail, ..Self::unavailable() }
    }

    /// Commits wait for a standby that is not there.
    pub fn replication_waits(waited: Duration) -> Self {
        let detail = format!(
            "Synchronous replication has been waiting for a standby for {} seconds: nothing can be recorded. Flags and what only reads are answered.",
            waited.as_secs()
        );
        Self { detail, ..Self::unavailable() }
    }
}
