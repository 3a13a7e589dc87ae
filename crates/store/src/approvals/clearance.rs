//! Decides whether a change of terms or flags may be applied. The check is in the transaction of
//! the change, so that no approval, rule or edit can come between.

use serde_json::json;

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::outbox::NewEvent;

/// Selects the most specific rule.
pub(crate) const SELECT_NEEDED_APPROVALS: &str = "SELECT approvals FROM approval_rules
    WHERE kind = $1 AND (scope = $2 OR scope = '*')
    ORDER BY CASE WHEN scope = '*' THEN 1 ELSE 0 END LIMIT 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_NEEDED_APPROVALS];

/// Whether a change of terms or flags needs approvals.
#[derive(Debug, Clone, Copy)]
pub enum Clearance<'a> {
    /// It needs no approvals: a command, a step that was saved before, a flag that is switched off.
    Free,
    /// It needs as many as the rules require, or an admin's reason to bypass them.
    ByRules(Option<&'a BreakGlass>),
}

/// A decision of an admin to bypass missing approvals.
#[derive(Debug, Clone)]
pub struct BreakGlass {
    /// ID of the audit entry that records it: a UUIDv7.
    pub audit_id: String,
    /// Subject of the admin.
    pub actor: String,
    /// Why the change cannot wait.
    pub reason: String,
}

/// The changed object, as the rules name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cleared<'a> {
    /// `terms`, `flags`, `rules` or `restrictions`.
    pub(crate) kind: &'a str,
    /// The type of the term, the environment, or the kind of the restriction.
    pub(crate) scope: &'a str,
    /// Kind of the votes, ID and hash of the draft, change or proposal; `None` for a direct change.
    pub(crate) votes: Option<(&'a str, &'a str, &'a str)>,
}

impl Clearance<'_> {
    /// Returns the bypass of missing approvals; `None` if no approval is missing.
    pub(crate) fn check(&self, needed: i64, given: i64) -> Result<Option<&BreakGlass>, StoreError> {
        match self {
            Self::Free => Ok(None),
            Self::ByRules(_) if given >= needed => Ok(None),
            Self::ByRules(Some(bypass)) => Ok(Some(bypass)),
            Self::ByRules(None) => Err(StoreError::ApprovalRequired { needed, given }),
        }
    }
}

impl Cleared<'_> {
    pub(crate) fn detail(&self, bypass: &BreakGlass) -> String {
        let id = self.votes.map(|(_, id, _)| format!(" {id}")).unwrap_or_default();
        format!("{} {}{id}: {}", self.kind, self.scope, bypass.reason)
    }

    /// Creates the event of a bypass. The reason stays in the audit only, because it may name a
    /// person.
    pub(crate) fn event(&self, now: Instant) -> NewEvent {
        let id = self.votes.map(|(_, id, _)| id);
        let data = json!({"subject": self.kind, "scope": self.scope, "id": id});
        NewEvent::new("approval.bypassed", now, &data)
    }
}

/// Checks a change against the rules inside its transaction and returns the resulting events. The
/// caller has locked the draft, change or environment before.
macro_rules! clear {
    ($tx:expr, $clearance:expr, $change:expr, $now:expr) => {{
        let change: $crate::approvals::clearance::Cleared<'_> = $change;
        let mut needed = 0;
        if !matches!($clearance, $crate::approvals::clearance::Clearance::Free) {
            let rule: Option<i64> =
                sqlx::query_scalar($crate::approvals::clearance::SELECT_NEEDED_APPROVALS)
                    .bind(change.kind)
                    .bind(change.scope)
                    .fetch_optional(&mut *$tx)
                    .await?;
            needed = rule.unwrap_or(0);
        }
        $crate::approvals::clearance::bypass!($tx, $clearance, change, needed, $now)
    }};
}
/// Checks a change that needs this many approvals, and counts those of its votes.
macro_rules! bypass {
    ($tx:expr, $clearance:expr, $change:expr, $needed:expr, $now:expr) => {{
        let change: $crate::approvals::clearance::Cleared<'_> = $change;
        let (needed, mut given): (i64, i64) = ($needed, 0);
        if let (true, Some((kind, id, sha256))) = (needed > 0, change.votes) {
            let approvals = $crate::approvals::independence::counted!(&mut *$tx, kind, id, sha256);
            given = i64::try_from(approvals.len()).unwrap_or(i64::MAX);
        }
        $crate::approvals::clearance::record_bypass!($tx, $clearance, change, needed, given, $now)
    }};
}
/// Checks a change with this many approvals. Returns an event if an admin bypasses missing
/// approvals, and records the bypass in the audit in the same transaction.
macro_rules! record_bypass {
    ($tx:expr, $clearance:expr, $change:expr, $needed:expr, $given:expr, $now:expr) => {{
        let change: $crate::approvals::clearance::Cleared<'_> = $change;
        match $clearance.check($needed, $given)? {
            None => Vec::new(),
            Some(bypass) => {
                sqlx::query($crate::audit::INSERT_EVENT)
                    .bind(&bypass.audit_id)
                    .bind($now.millis())
                    .bind("approval_bypassed")
                    .bind(None::<String>)
                    .bind(None::<String>)
                    .bind(change.detail(bypass))
                    .bind(&bypass.actor)
                    .execute(&mut *$tx)
                    .await?;
                vec![change.event($now)]
            }
        }
    }};
}
pub(crate) use {bypass, clear, record_bypass};
