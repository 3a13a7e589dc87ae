//! What lets a change of terms or flags through: judged in the transaction that makes the change, so that no
//! approval, rule or edit comes in between.

use serde_json::json;

use musette_core::instant::Instant;

use crate::db::error::StoreError;
use crate::outbox::NewEvent;

/// The most precise rule first.
pub(crate) const NEEDED: &str = "SELECT approvals FROM approval_rules
    WHERE kind = $1 AND (scope = $2 OR scope = '*')
    ORDER BY CASE WHEN scope = '*' THEN 1 ELSE 0 END LIMIT 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[NEEDED];

/// Whether a change of terms or flags needs approvals.
#[derive(Debug, Clone, Copy)]
pub enum Clearance<'a> {
    /// It needs none: a command, a step that was saved before, a flag that is switched off.
    Free,
    /// It needs as many as the rules demand, or an admin's reason to go past them.
    ByRules(Option<&'a BreakGlass>),
}

/// An admin goes past approvals that are missing.
#[derive(Debug, Clone)]
pub struct BreakGlass {
    /// Id of the row of the audit that says so: a UUIDv7.
    pub audit_id: String,
    /// Subject of the admin.
    pub actor: String,
    /// Why it cannot wait.
    pub reason: String,
}

/// What is changed, as the rules name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cleared<'a> {
    /// `terms`, `flags` or `rules`.
    pub(crate) kind: &'a str,
    /// The type of the term, or the environment.
    pub(crate) scope: &'a str,
    /// Kind of the votes, id and hash of the draft, change or proposal; none: it is done directly.
    pub(crate) of: Option<(&'a str, &'a str, &'a str)>,
}

impl Clearance<'_> {
    /// The reason to go past what is missing; none if nothing is.
    pub(crate) fn judge(&self, needed: i64, given: i64) -> Result<Option<&BreakGlass>, StoreError> {
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
        let id = self.of.map(|(_, id, _)| format!(" {id}")).unwrap_or_default();
        format!("{} {}{id}: {}", self.kind, self.scope, bypass.reason)
    }

    /// The event of a bypass. The reason stays in the audit: it may name somebody.
    pub(crate) fn event(&self, now: Instant) -> NewEvent {
        let id = self.of.map(|(_, id, _)| id);
        let data = json!({"subject": self.kind, "scope": self.scope, "id": id});
        NewEvent::new("approval.bypassed", now, &data)
    }
}

/// Judges a change inside its transaction by the rules, and gives the events of that. The draft, change or environment
/// is locked before.
macro_rules! clear {
    ($tx:expr, $clearance:expr, $what:expr, $now:expr) => {{
        let what: $crate::approvals::clearance::Cleared<'_> = $what;
        let mut needed = 0;
        if !matches!($clearance, $crate::approvals::clearance::Clearance::Free) {
            let rule: Option<i64> = sqlx::query_scalar($crate::approvals::clearance::NEEDED)
                .bind(what.kind)
                .bind(what.scope)
                .fetch_optional(&mut *$tx)
                .await?;
            needed = rule.unwrap_or(0);
        }
        $crate::approvals::clearance::bypass!($tx, $clearance, what, needed, $now)
    }};
}
/// Judges a change that needs so many approvals, and gives an event where an admin goes past missing ones, which the
/// audit records in the same transaction.
macro_rules! bypass {
    ($tx:expr, $clearance:expr, $what:expr, $needed:expr, $now:expr) => {{
        let what: $crate::approvals::clearance::Cleared<'_> = $what;
        let (needed, mut given): (i64, i64) = ($needed, 0);
        if let (true, Some((kind, id, sha256))) = (needed > 0, what.of) {
            let approvals = $crate::approvals::independence::counted!(&mut *$tx, kind, id, sha256);
            given = i64::try_from(approvals.len()).unwrap_or(i64::MAX);
        }
        match $clearance.judge(needed, given)? {
            None => Vec::new(),
            Some(bypass) => {
                sqlx::query($crate::audit::APPEND)
                    .bind(&bypass.audit_id)
                    .bind($now.millis())
                    .bind("approval_bypassed")
                    .bind(None::<String>)
                    .bind(None::<String>)
                    .bind(what.detail(bypass))
                    .bind(&bypass.actor)
                    .execute(&mut *$tx)
                    .await?;
                vec![what.event($now)]
            }
        }
    }};
}
pub(crate) use {bypass, clear};
