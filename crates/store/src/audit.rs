//! The audit: events of accounts, sessions and everything that people operate. Entries are only
//! appended, never changed.

mod counted;
mod read;

use std::borrow::Cow;

use musette_core::instant::Instant;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify};
#[cfg(test)]
pub(crate) use counted::ALL as COUNTED;
pub(crate) use counted::AUDIT_COUNTS;
pub use counted::AuditCount;
pub use read::{AuditEntry, AuditFilter};

pub(crate) const AUDIT: Table = Table {
    name: "audit",
    columns: &[
        ("id", ColumnType::Text),
        ("at", ColumnType::Int),
        ("event", ColumnType::Text),
        ("subject", ColumnType::Text),
        ("sid", ColumnType::Text),
        ("detail", ColumnType::Text),
        ("actor", ColumnType::Text),
    ],
};
/// All events of the audit. The console has a label for each of them in every language; a test of
/// the console checks this with `testdata/audit-events.json`.
pub const EVENTS: &[&str] = &[
    "act_proposed",
    "approval_bypassed",
    "approval_rules_changed",
    "approval_withdrawn",
    "authenticator_set",
    "backup_made",
    "campaign_added",
    "campaign_cancelled",
    "campaign_changed",
    "campaign_paused",
    "campaign_resumed",
    "campaign_started",
    "case_file_made",
    "change_approved",
    "change_rejected",
    "code_refused",
    "code_sent",
    "code_withheld",
    "consents_exported",
    "consents_imported",
    "console_sign_in_refused",
    "contact_changed",
    "delivery_tested",
    "evaluation_excused",
    "excusal_cancelled",
    "excusal_scheduled",
    "experiment_decided",
    "flag_environment_added",
    "flag_environment_archived",
    "flag_key_created",
    "flag_key_revoked",
    "flags_change_applied",
    "flags_change_cancelled",
    "flags_change_refused",
    "flags_change_scheduled",
    "flags_saved",
    "identity_linked",
    "identity_refused",
    "market_removed",
    "market_saved",
    "password_set",
    "people_import_checked",
    "people_imported",
    "permission_denied",
    "permission_denied_again",
    "person_data_read",
    "person_moved",
    "proposal_cancelled",
    "proposal_refused",
    "reauthenticated",
    "receipt_read",
    "refresh_token_reused",
    "review_rules_changed",
    "roles_changed",
    "roles_taken_away",
    "secrets_decrypted",
    "secrets_rotated",
    "service_key_created",
    "service_key_revoked",
    "session_ended",
    "session_ended_by_operator",
    "session_ended_by_person",
    "sessions_ended",
    "sessions_ended_by_operator",
    "sign_in_link_made",
    "signed_in",
    "signed_out",
    "signed_out_everywhere",
    "signing_key_added",
    "store_moved",
    "store_restored",
    "system_draft_dropped",
    "system_draft_saved",
    "system_published",
    "term_cancellation_undone",
    "term_cancelled",
    "term_draft_added",
    "term_draft_dropped",
    "term_published",
    "term_retired",
    "term_retirement_undone",
    "terms_reordered",
    "token_issued",
    "too_many_sessions",
    "user_added",
    "user_changed",
    "user_erased",
    "webhook_added",
    "webhook_changed",
    "webhook_deleted",
    "webhook_secret_rotated",
    "webhook_tested",
];
pub(crate) const INSERT_EVENT: &str =
    "INSERT INTO audit (id, at, event, subject, sid, detail, actor)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
/// Builds the statement that writes an event.
macro_rules! append {
    ($event:expr, $now:expr) => {{
        let (event, now): (&$crate::AuditEvent, Instant) = ($event, $now);
        sqlx::query($crate::audit::INSERT_EVENT)
            .bind(&event.id)
            .bind(now.millis())
            .bind(event.event)
            .bind(&event.subject)
            .bind(&event.sid)
            .bind(event.detail.as_deref())
            .bind(&event.actor)
    }};
}
pub(crate) use append;

#[cfg(test)]
const SELECT_EVENTS: &str = "SELECT event FROM audit ORDER BY id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[INSERT_EVENT, SELECT_EVENTS];
#[cfg(test)]
pub(crate) use read::ALL as READ;

/// One event. It identifies a person by subject only.
#[derive(Debug, Clone, Default)]
pub struct AuditEvent {
    /// UUIDv7, which sorts by time.
    pub id: String,
    /// One of `EVENTS`.
    pub event: &'static str,
    /// Subject of the affected person.
    pub subject: Option<String>,
    /// Session in which it happened.
    pub sid: Option<String>,
    /// Object or kind of the event; no personal data.
    pub detail: Option<Cow<'static, str>>,
    /// Subject of the actor, or `command` for the command line; none if the affected person or the
    /// program acted.
    pub actor: Option<String>,
}

impl Store {
    /// Appends an event. In debug builds it panics for an event that is not listed, because the
    /// console could not show it.
    pub async fn audit(&self, event: &AuditEvent, now: Instant) -> Result<(), StoreError> {
        debug_assert!(EVENTS.contains(&event.event), "{} is not in EVENTS", event.event);
        modify!(self, |pool| append!(event, now).execute(pool).await.map(drop))?;
        Ok(())
    }

    #[cfg(test)]
    pub(crate) async fn audited(&self) -> Vec<String> {
        crate::db::read!(self, |pool| sqlx::query_scalar(SELECT_EVENTS)
            .fetch_all(pool)
            .await
            .expect("reads"))
    }
}

#[cfg(test)]
mod tests {
    use super::EVENTS;

    #[test]
    fn the_test_data_of_the_console_lists_all_events() {
        let file = include_str!("../../../testdata/audit-events.json");
        let listed: Vec<&str> = serde_json::from_str(file).expect("a list");
        assert_eq!(EVENTS, listed, "testdata/audit-events.json is out of date");
    }
}
