//! Actions that wait for approvals. The server interprets the body of a proposal; the store treats
//! it as text.

use musette_core::instant::Instant;
use musette_core::markets::Market;
use serde_json::json;

use super::clearance::Clearance;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
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

const INSERT_PROPOSAL: &str = "INSERT INTO proposals
    (id, kind, scope, market, body, author, created_at, status)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'proposed')";
const SELECT_PROPOSAL: &str = "SELECT p.id, p.kind, p.scope, p.market, p.body, p.author AS subject,
    u.id AS author, p.created_at, p.status, p.settled_at, p.refusal
    FROM proposals AS p LEFT JOIN users AS u ON u.subject = p.author WHERE p.id = $1";
/// Approval rules are in each list, because they belong to no market.
const LIST_PROPOSALS: &str = concat!(
    "SELECT p.id, p.kind, p.scope, p.market, p.body, p.author AS subject,
    u.id AS author, p.created_at, p.status, p.settled_at, p.refusal
    FROM proposals AS p LEFT JOIN users AS u ON u.subject = p.author
    WHERE p.id < $1 AND ($3 = '' OR p.kind = 'rules' OR ",
    is_inside!("p.market", "$3"),
    ") AND ($4 = '' OR p.status = $4) ORDER BY p.id DESC LIMIT $2"
);
/// If two callers settle a proposal, the second changes no row.
pub(crate) const SETTLE_PROPOSAL: &str =
    "UPDATE proposals SET status = $2, settled_at = $3, refusal = $4
    WHERE id = $1 AND status = 'proposed'";
/// Takes the lock of a vote.
pub(crate) const LOCK_PROPOSAL: &str =
    "UPDATE proposals SET status = status WHERE id = $1 AND status = 'proposed' AND $2 = 0";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[INSERT_PROPOSAL, SELECT_PROPOSAL, LIST_PROPOSALS, SETTLE_PROPOSAL, LOCK_PROPOSAL];

/// The kind of proposals that replace the approval rules.
pub const RULES: &str = "rules";
/// The kind of votes on proposals.
pub const PROPOSAL_VOTES: &str = "proposals";

/// An action to propose.
#[derive(Debug, Clone)]
pub struct NewProposal<'a> {
    /// UUIDv7.
    pub id: &'a str,
    /// `terms` or `rules`.
    pub kind: &'a str,
    /// The type of the terms, or the subjects of the rules.
    pub scope: &'a str,
    /// The market of the term; none for all markets.
    pub market: Option<&'a Market>,
    /// JSON, in the server's own form.
    pub body: &'a str,
    /// Subject of the author.
    pub author: &'a str,
}

/// An action that was proposed.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Proposal {
    /// UUIDv7.
    pub id: String,
    /// `terms` or `rules`.
    pub kind: String,
    /// The type of the terms, or the subjects of the rules.
    pub scope: String,
    /// Code of the market of the term; none for all markets.
    pub market: Option<String>,
    /// JSON, in the server's own form.
    pub body: String,
    /// Subject of the author.
    pub subject: String,
    /// User ID of the author; none once the account is erased, and for a service key.
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

/// What permits an action: nothing is needed, the approval rules, or a proposal that has its
/// approvals.
#[derive(Debug, Clone, Copy)]
pub struct ActionApproval<'a> {
    /// Whether approvals are needed.
    pub clearance: Clearance<'a>,
    /// ID and hash of the proposal that is executed; none for a direct action.
    pub proposal: Option<(&'a str, &'a str)>,
}

impl ActionApproval<'_> {
    /// An action of a command.
    pub const FREE: Self = Self { clearance: Clearance::Free, proposal: None };
}

/// Marks the proposal of an action as done, inside the transaction of the action.
macro_rules! settle_proposal {
    ($tx:expr, $act:expr, $now:expr) => {
        if let Some((id, _)) = $act.proposal {
            let settled = sqlx::query($crate::approvals::proposals::SETTLE_PROPOSAL)
                .bind(id)
                .bind("done")
                .bind($now.millis())
                .bind(None::<String>)
                .execute(&mut *$tx)
                .await?;
            if settled.rows_affected() == 0 {
                return Err($crate::StoreError::Conflict("the action of this proposal"));
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
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(INSERT_PROPOSAL)
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

    /// Returns the proposal with this ID.
    pub async fn proposal(&self, id: &str) -> Result<Option<Proposal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_PROPOSAL).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns proposals with IDs before `before`, the newest first; with this status, or all if it
    /// is empty.
    pub async fn proposals(
        &self,
        before: &str,
        limit: i64,
        market: &MarketFilter,
        status: &str,
    ) -> Result<Vec<Proposal>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(LIST_PROPOSALS)
            .bind(before)
            .bind(limit)
            .bind(&market.inside)
            .bind(status)
            .fetch_all(pool)
            .await)?)
    }

    /// Closes a proposal without executing it: `cancelled` by a person, or `refused` because of
    /// `refusal`. Returns false if it was settled before.
    pub async fn close_proposal(
        &self,
        id: &str,
        refusal: Option<&str>,
        now: Instant,
    ) -> Result<bool, StoreError> {
        let status = if refusal.is_some() { "refused" } else { "cancelled" };
        modify!(self, |pool| {
            let settled = sqlx::query(SETTLE_PROPOSAL)
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
