//! Cancellations of published versions, and retirements of documents.

use musette_core::instant::Instant;
use musette_core::terms::{EndingChange, EndingChanged, TermEndError, TermId};

use super::read_catalog;
use crate::approvals::clearance::{Cleared, clear};
use crate::approvals::proposals::{ActionApproval, PROPOSAL_VOTES, settle_proposal};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify};
use crate::log::{append, lock_log, term_ended, term_reinstated};
use crate::outbox::append_events;

pub(crate) const ENDINGS: Table = Table {
    name: "term_endings",
    columns: &[("term_id", ColumnType::Int), ("ending", ColumnType::Text), ("at", ColumnType::Int)],
};

/// Takes the same lock as a publication, as the first statement of a change.
const LOCK: &str = "UPDATE counters SET value = value WHERE name = 'term' RETURNING value";
const INSERT_ENDING: &str = "INSERT INTO term_endings (term_id, ending, at) VALUES ($1, $2, $3)";
const DELETE_ENDING: &str = "DELETE FROM term_endings WHERE term_id = $1";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[LOCK, INSERT_ENDING, DELETE_ENDING];

impl Store {
    /// Cancels or retires a published version, or undoes it, for a command: without approvals.
    pub async fn end_term(
        &self,
        id: TermId,
        change: EndingChange,
        now: Instant,
    ) -> Result<Result<EndingChanged, TermEndError>, StoreError> {
        self.end_term_by(id, change, ActionApproval::FREE, now).await
    }

    /// Cancels or retires a published version, or undoes it, with the approvals that the rules
    /// require. The log entry is written in the same transaction.
    pub async fn end_term_by(
        &self,
        id: TermId,
        change: EndingChange,
        act: ActionApproval<'_>,
        now: Instant,
    ) -> Result<Result<EndingChanged, TermEndError>, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let mut end = lock_log!(self, tx);
            // The verification of the log uses the instants of its entries, so this uses them too.
            let now = end.as_mut().map_or(now, |end| end.instant(now));
            let catalog = read_catalog!(&mut *tx);
            let (of, ending) = match catalog.end(id, change, now) {
                Ok(changed) => changed,
                Err(refusal) => return Ok(Err(refusal)),
            };
            settle_proposal!(tx, act, now);
            let kind = catalog.get(id).map_or("", |term| term.kind.as_str());
            let votes = act.proposal.map(|(id, sha256)| (PROPOSAL_VOTES, id, sha256));
            let cleared = Cleared { kind: "terms", scope: kind, votes };
            let events = clear!(tx, act.clearance, cleared, now);
            let entry = match ending {
                Some(ending) => {
                    sqlx::query(INSERT_ENDING)
                        .bind(of)
                        .bind(ending.kind())
                        .bind(ending.at().millis())
                        .execute(&mut *tx)
                        .await?;
                    term_ended(of, ending, false, now)?
                }
                None => {
                    sqlx::query(DELETE_ENDING).bind(of).execute(&mut *tx).await?;
                    term_reinstated(of, now)?
                }
            };
            let appended = match end {
                Some(end) => Some(append!(self, tx, end, &[entry])),
                None => None,
            };
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|end| self.cache_end(end));
            Ok(Ok((of, ending)))
        })
    }
}
