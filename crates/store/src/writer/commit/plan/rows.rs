//! Rows that a commit plan reads.

use musette_core::instant::Instant;
use musette_core::terms::Decision;

/// A submission that was already recorded with an idempotency key.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct RepeatedRow {
    pub(super) scope: String,
    pub(super) key: String,
    pub(super) body_sha256: String,
    pub(super) seq: i64,
    pub(super) entry_id: String,
    pub(super) recorded_at: i64,
}

/// A decision of a submission that was already recorded.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct ReplayedRow {
    pub(super) submission: i64,
    pub(super) term_id: i64,
    pub(super) accepted: bool,
    pub(super) consented_at: i64,
}

/// An unclaimed submission of an applicant.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct ContinuedRow {
    pub(super) seq: i64,
    pub(super) entry_id: String,
    pub(super) person: String,
}

/// An earlier decision of a person, including those of claimed applicants.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct BeforeRow {
    pub(crate) person: String,
    pub(crate) term_id: i64,
    pub(super) accepted: bool,
    pub(super) consented_at: i64,
}

impl BeforeRow {
    pub(crate) fn decision(&self) -> Decision {
        let consented_at = Instant::from_millis(self.consented_at);
        Decision { accepted: self.accepted, consented_at }
    }
}

/// A rider's subject with its key, and the user.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct RiderRow {
    #[sqlx(rename = "ref")]
    pub(super) subject: String,
    pub(super) key: String,
    pub(super) id: String,
    pub(super) market: Option<String>,
}
