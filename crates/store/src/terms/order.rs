//! The display order of published terms.

use musette_core::instant::Instant;
use musette_core::terms::{TermId, TermType};

use crate::approvals::clearance::{Cleared, clear};
use crate::approvals::proposals::{ActionApproval, PROPOSAL_VOTES, settle_proposal};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::log::{append_if_started, terms_ordered};
use crate::outbox::append_events;

pub(crate) const ORDER: Table = Table {
    name: "term_order",
    columns: &[("term_id", ColumnType::Int), ("position", ColumnType::Int)],
};

/// Raises the revision. A type that was never ordered has no counter, and its revision is 0.
const RAISE_ORDER_REVISION: &str =
    "INSERT INTO counters (name, value) VALUES ($1, CAST($2 AS BIGINT) + 1)
    ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
    WHERE counters.value = CAST($2 AS BIGINT)";
const SELECT_ORDER_REVISION: &str = "SELECT value FROM counters WHERE name = $1";
const SET_PLACES: &str = "INSERT INTO term_order (term_id, position)
    SELECT CAST(wanted.value ->> 0 AS BIGINT), CAST(wanted.value ->> 1 AS BIGINT) FROM {wanted}
    WHERE true ON CONFLICT (term_id) DO UPDATE SET position = excluded.position";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[RAISE_ORDER_REVISION, SELECT_ORDER_REVISION];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SET_PLACES];

fn counter(kind: &TermType) -> String {
    format!("order of {kind}")
}

impl Store {
    /// Returns the revision of the order of the terms of this type, which increases with each
    /// change.
    pub async fn term_order_revision(&self, kind: &TermType) -> Result<i64, StoreError> {
        let revision: Option<i64> = read!(self, |pool| sqlx::query_scalar(SELECT_ORDER_REVISION)
            .bind(counter(kind))
            .fetch_optional(pool)
            .await)?;
        Ok(revision.unwrap_or(0))
    }

    /// Sets the order of the terms of a type, without approvals. Returns false if another change
    /// was faster.
    pub async fn reorder_terms(
        &self,
        kind: &TermType,
        revision: i64,
        places: &[(TermId, i64)],
        now: Instant,
    ) -> Result<bool, StoreError> {
        self.reorder_terms_by(kind, revision, places, ActionApproval::FREE, now).await
    }

    /// Sets the order of the terms of a type, with the approvals that the rules require. Returns
    /// false if another change was faster.
    pub async fn reorder_terms_by(
        &self,
        kind: &TermType,
        revision: i64,
        places: &[(TermId, i64)],
        act: ActionApproval<'_>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let raised = sqlx::query(RAISE_ORDER_REVISION)
                .bind(counter(kind))
                .bind(revision)
                .execute(&mut *tx)
                .await?;
            if raised.rows_affected() == 0 {
                return Ok(false);
            }
            settle_proposal!(tx, act, now);
            let votes = act.proposal.map(|(id, sha256)| (PROPOSAL_VOTES, id, sha256));
            let change = Cleared { kind: "terms", scope: kind.as_str(), votes };
            let events = clear!(tx, act.clearance, change, now);
            sqlx::query(over_rows(self.engine(), SET_PLACES))
                .bind(json(places))
                .execute(&mut *tx)
                .await?;
            let appended =
                append_if_started!(self, tx, now, |at| terms_ordered(places, false, at)?);
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|end| self.cache_end(end));
            Ok(true)
        })
    }
}
