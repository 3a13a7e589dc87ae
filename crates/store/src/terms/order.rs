//! The order in which published terms are shown.

use musette_core::instant::Instant;
use musette_core::terms::{TermId, TermType};

use crate::approvals::clearance::{Cleared, clear};
use crate::approvals::proposals::{Act, PROPOSAL_VOTES, settle_proposal};
use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::log::{append_if_started, terms_ordered};
use crate::outbox::append_events;

pub(crate) const ORDER: Table = Table {
    name: "term_order",
    columns: &[("term_id", ColumnType::Int), ("position", ColumnType::Int)],
};

/// A type that nobody has put in order has no counter, and 0 is its revision.
const RAISE: &str = "INSERT INTO counters (name, value) VALUES ($1, CAST($2 AS BIGINT) + 1)
    ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
    WHERE counters.value = CAST($2 AS BIGINT)";
const REVISION: &str = "SELECT value FROM counters WHERE name = $1";
const PLACE: &str = "INSERT INTO term_order (term_id, position)
    SELECT CAST(wanted.value ->> 0 AS BIGINT), CAST(wanted.value ->> 1 AS BIGINT) FROM {wanted}
    WHERE true ON CONFLICT (term_id) DO UPDATE SET position = excluded.position";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[RAISE, REVISION];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[PLACE];

fn counter(kind: &TermType) -> String {
    format!("order of {kind}")
}

impl Store {
    /// Raised whenever the terms of this type are put in another order.
    pub async fn term_order_revision(&self, kind: &TermType) -> Result<i64, StoreError> {
        let found: Option<i64> = read!(self, |pool| sqlx::query_scalar(REVISION)
            .bind(counter(kind))
            .fetch_optional(pool)
            .await)?;
        Ok(found.unwrap_or(0))
    }

    /// Puts the terms of a type in this order, without approvals. False when another change came first.
    pub async fn reorder_terms(
        &self,
        kind: &TermType,
        revision: i64,
        places: &[(TermId, i64)],
        now: Instant,
    ) -> Result<bool, StoreError> {
        self.reorder_terms_by(kind, revision, places, Act::FREE, now).await
    }

    /// Puts the terms of a type in this order, with the approvals that the rules demand. False when another change came
    /// first.
    pub async fn reorder_terms_by(
        &self,
        kind: &TermType,
        revision: i64,
        places: &[(TermId, i64)],
        act: Act<'_>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            let raised =
                sqlx::query(RAISE).bind(counter(kind)).bind(revision).execute(&mut *tx).await?;
            if raised.rows_affected() == 0 {
                return Ok(false);
            }
            settle_proposal!(tx, act, now);
            let votes = act.proposal.map(|(id, sha256)| (PROPOSAL_VOTES, id, sha256));
            let what = Cleared { kind: "terms", scope: kind.as_str(), of: votes };
            let events = clear!(tx, act.clearance, what, now);
            sqlx::query(over_rows(self.engine(), PLACE))
                .bind(json(places))
                .execute(&mut *tx)
                .await?;
            let appended =
                append_if_started!(self, tx, now, |at| terms_ordered(places, false, at)?);
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
            appended.into_iter().for_each(|it| self.know_log(it));
            Ok(true)
        })
    }
}
