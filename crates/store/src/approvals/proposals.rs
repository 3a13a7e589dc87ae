//! Acts that wait for approvals. The server reads what a proposal does; here it is a text.

use musette_core::instant::Instant;
use musette_core::markets::Market;
use serde_json::json;

use super::clearance::Clearance;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::markets::filter::{MarketFilter, is_inside};
use crate::outbox::{NewEvent, append_events};

pub(crate) const PROPOSALS: Table = Table {
    name: "proposals",
    columns: &[
        ("id", ColumnType::Text),
        ("kind", ColumnType::Text),
        ("scope", ColumnType::Text),
        ("market", ColumnType::Text),
        ("body", ColumnType::Text),
        ("author", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("status", ColumnType::Text),
        ("settled_at", ColumnType::Int),
        ("refusal", ColumnType::Text),
    ],
};

const ADD: &str = "INSERT INTO proposals
    (id, kind, scope, market, body, author, created_at, status)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'proposed')";
const SELECT: &str = "SELECT p.id, p.kind, p.scope, p.market, p.body, p.author AS subject,
    u.id AS author, p.created_at, p.status, p.settled_at, p.refusal
    FROM proposals AS p LEFT JOIN users AS u ON u.subject = p.author WHERE p.id = $1";
/// Rules of approval are in each list: they belong to no market.
const LIST: &str = concat!(
    "SELECT p.id, p.kind, p.scope, p.market, p.body, p.author AS subject,
    u.id AS author, p.created_at, p.status, p.settled_at, p.refusal
    FROM proposals AS p LEFT JOIN users AS u ON u.subject = p.author
    WHERE p.id < $1 AND ($3 = '' OR p.kind = 'rules' OR ",
    is_inside!("p.market", "$3"),
    ") AND ($4 = '' OR p.status = $4) ORDER BY p.id DESC LIMIT $2"
);
/// The second of two who settle it changes no row.
pub(crate) const SETTLE: &str = "UPDATE proposals SET status = $2, settled_at = $3, refusal = $4
    WHERE id = $1 AND status = 'proposed'";
/// The lock of a vote.
pub(crate) const LOCK_PROPOSAL: &str =
    "UPDATE proposals SET status = status WHERE id = $1 AND status = 'proposed' AND $2 = 0";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[ADD, SELECT, LIST, SETTLE, LOCK_PROPOSAL];

/// The kind of proposals that replace the rules of approval.
pub const RULES: &str = "rules";
/// The kind of votes on proposals.
pub const PROPOSAL_VOTES: &str = "proposals";

/// An act to propose.
#[derive(Debug, Clone)]
pub struct NewProposal<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// `terms` or `rules`.
    pub kind: &'a str,
    /// The type of the terms, or the subjects of the rules.
    pub scope: &'a str,
    /// The market of the term; none: everywhere.
    pub market: Option<&'a Market>,
    /// JSON, in the server's own form.
    pub body: &'a str,
    /// Subject of the author.
    pub author: &'a str,
}

/// An act that was proposed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Proposal {
    /// UUIDv7.
    pub id: String,
    /// `terms` or `rules`.
    pub kind: String,
    /// The type of the terms, or the subjects of the rules.
    pub scope: String,
    /// Code of the market of the term; none: everywhere.
    pub market: Option<String>,
    /// JSON, in the server's own form.
    pub body: String,
    /// Subject of the author.
    pub subject: String,
    /// User id of the author; none once they are erased, and for a service key.
    pub author: Option<String>,
    /// When it was proposed, in milliseconds since 1970.
    pub created_at: i64,
    /// `proposed`, `done`, `refused` or `cancelled`.
    pub status: String,
    /// When it was settled, in milliseconds since 1970.
    pub settled_at: Option<i64>,
    /// Why it was refused: a stable code.
    pub refusal: Option<String>,
}

/// What allows an act: nothing, the rules of approval, or a proposal that has its approvals.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    /// Whether approvals are needed.
    pub clearance: Clearance<'a>,
    /// Id and hash of the proposal that is carried out; none: the act is done directly.
    pub proposal: Option<(&'a str, &'a str)>,
}

impl Act<'_> {
    /// An act of a command.
    pub const FREE: Self = Self { clearance: Clearance::Free, proposal: None };
}

/// Marks the proposal of an act as done, inside the transaction of the act.
macro_rules! settle_proposal {
    ($tx:expr, $act:expr, $now:expr) => {
        if let Some((id, _)) = $act.proposal {
            let settled = sqlx::query($crate::approvals::proposals::SETTLE)
                .bind(id)
                .bind("done")
                .bind($now.millis())
                .bind(None::<String>)
                .execute(&mut *$tx)
                .await?;
            if settled.rows_affected() == 0 {
                return Err($crate::StoreError::Conflict("a proposal that is settled"));
            }
        }
    };
}
pub(crate) use settle_proposal;

impl Store {
    /// Adds a proposal, with its event.
    pub async fn add_proposal(
        &self,
        new: &NewProposal<'_>,
        now: Instant,
    ) -> Result<(), StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(ADD)
                .bind(new.id)
                .bind(new.kind)
                .bind(new.scope)
                .bind(new.market.map(Market::as_str))
                .bind(new.body)
                .bind(new.author)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            let data = json!({"subject": new.kind, "scope": new.scope, "id": new.id});
            let proposed = vec![NewEvent::new("change.proposed", now, &data)];
            let last = append_events!(self, tx, proposed);
            tx.commit().await?;
            self.events_appended(last);
            Ok(())
        })
    }

    /// The proposal of this id.
    pub async fn proposal(&self, id: &str) -> Result<Option<Proposal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT).bind(id).fetch_optional(pool).await)?)
    }

    /// Proposals with ids before `before`, the newest first; of this status, or of all (empty).
    pub async fn proposals(
        &self,
        before: &str,
        limit: i64,
        market: &MarketFilter,
        status: &str,
    ) -> Result<Vec<Proposal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST)
            .bind(before)
            .bind(limit)
            .bind(&market.inside)
            .bind(status)
            .fetch_all(pool)
            .await)?)
    }

    /// The proposal will not be carried out: `cancelled` by a person, or `refused` because of `refusal`. False when it
    /// was settled before.
    pub async fn drop_proposal(
        &self,
        id: &str,
        refusal: Option<&str>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let status = if refusal.is_some() { "refused" } else { "cancelled" };
        write!(self, |pool| {
            let settled = sqlx::query(SETTLE)
                .bind(id)
                .bind(status)
                .bind(now.millis())
                .bind(refusal)
                .execute(pool)
                .await?;
            Ok(settled.rows_affected() == 1)
        })
    }
}
