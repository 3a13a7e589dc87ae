//! Reads restrictions.

use musette_core::decisions::restrictions::in_force::{Imposition, InForce};
use musette_core::decisions::restrictions::{Restriction, RestrictionKind};
use musette_core::instant::Instant;

use super::parse_state;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::decisions::ReadAt;
use crate::markets::filter::{MarketFilter, is_inside};

macro_rules! list {
    ($where:literal) => {
        concat!(
            "SELECT r.id, r.person, r.place, r.created_at, r.state FROM restrictions AS r WHERE ",
            $where,
            " AND (r.place, r.id) > (CAST($1 AS BIGINT), CAST($2 AS TEXT))
            AND ($3 = '' OR r.status = $3) AND ($4 = '' OR ",
            is_inside!("r.market", "$4"),
            ") AND (CAST($5 AS BIGINT) = 0
                OR (r.answer_due IS NOT NULL AND r.answer_due < CAST($5 AS BIGINT)))
            AND ($6 = '' OR r.person = $6) ORDER BY r.place, r.id LIMIT $7"
        )
    };
}

const LIST: &str = list!("r.place >= 0");
const LIST_OF_PERSON: &str = list!("r.person = $6");
/// Selects the newest restrictions of a rider, before a place in the list. Proposals are not shown.
const LIST_FOR_RIDER: &str = "SELECT r.id, r.person, r.place, r.created_at, r.state
    FROM restrictions AS r WHERE r.person = $1 AND r.status NOT IN ('PROPOSED', 'DISMISSED')
    AND (r.created_at, r.id) < (CAST($2 AS BIGINT), CAST($3 AS TEXT))
    ORDER BY r.created_at DESC, r.id DESC LIMIT $4";
const SELECT_RESTRICTION: &str = "SELECT r.id, r.person, r.place, r.created_at, r.state
    FROM restrictions AS r WHERE r.id = $1";
const SELECT_PLACE: &str = "SELECT r.person, r.market, r.status, r.proposed_by
    FROM restrictions AS r WHERE r.id = $1";
const SELECT_HISTORY: &str = "SELECT r.version, r.record, u.id AS user_id, r.actor
    FROM restriction_records AS r LEFT JOIN users AS u ON u.subject = r.actor
    WHERE r.restriction = $1 ORDER BY r.version";
const SELECT_IMPOSED: &str = "SELECT id, kind, starts_at, ends_at FROM restrictions
    WHERE person = $1 AND status = 'IMPOSED'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    LIST,
    LIST_OF_PERSON,
    LIST_FOR_RIDER,
    SELECT_RESTRICTION,
    SELECT_PLACE,
    SELECT_HISTORY,
    SELECT_IMPOSED,
];

/// A selection of restrictions.
#[derive(Debug, Clone, Default)]
pub struct RestrictionFilter {
    /// Only this status; empty for all.
    pub status: String,
    /// Only these markets.
    pub market: MarketFilter,
    /// Only those whose answer is due before, in milliseconds since 1970.
    pub due_before: Option<i64>,
    /// Only this rider: their subject; empty for all.
    pub person: String,
}

/// A restriction with its place in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestrictionOf {
    /// Subject of the rider.
    pub person: String,
    /// Place in the list of all.
    pub place: i64,
    /// When it was proposed or imposed, in milliseconds since 1970.
    pub created_at: i64,
    /// The restriction.
    pub restriction: Restriction,
}

/// The person, market and status of a restriction.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RestrictionPlace {
    /// Subject of the rider.
    pub person: String,
    /// Code of the market.
    pub market: Option<String>,
    /// The stored status.
    pub status: String,
    /// Subject of the colleague who proposed it, or `service:NAME`.
    pub proposed_by: Option<String>,
}

/// A record of a restriction: one of its versions.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct RestrictionRecord {
    /// The version after it.
    pub version: i64,
    /// JSON. It names no colleague.
    pub record: String,
    /// User ID of the colleague; none once erased, for a service key, the rider and the program.
    pub user_id: Option<String>,
    /// Subject of the colleague, or `service:NAME`.
    pub actor: Option<String>,
}

#[derive(sqlx_macros::FromRow)]
struct Row {
    id: String,
    person: String,
    place: i64,
    created_at: i64,
    state: String,
}

impl Row {
    fn read(self) -> Result<RestrictionOf, StoreError> {
        let restriction = parse_state(&self.state)?;
        if restriction.id != self.id {
            return Err(StoreError::Corrupt(format!("state of restriction {}", self.id)));
        }
        let Self { person, place, created_at, .. } = self;
        Ok(RestrictionOf { person, place, created_at, restriction })
    }
}

/// An imposed restriction, as the gate reads it.
#[derive(sqlx_macros::FromRow)]
pub(crate) struct ImposedRow {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) starts_at: Option<i64>,
    pub(crate) ends_at: Option<i64>,
}

impl ImposedRow {
    pub(crate) fn imposition(self) -> Result<Imposition, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("kind of restriction {}", self.id));
        let kind = RestrictionKind::parse(&self.kind).ok_or_else(corrupt)?;
        let starts_at = self.starts_at.unwrap_or(i64::MIN);
        Ok(Imposition { id: self.id, kind, starts_at, ends_at: self.ends_at })
    }
}

impl Store {
    /// Returns restrictions after a place of the list: open reviews by due date, then the newest
    /// first.
    pub async fn restrictions(
        &self,
        filter: &RestrictionFilter,
        after: (i64, &str),
        limit: i64,
        read_at: ReadAt,
    ) -> Result<Vec<RestrictionOf>, StoreError> {
        self.expire_restrictions(read_at.random, read_at.now).await?;
        let statement = if filter.person.is_empty() { LIST } else { LIST_OF_PERSON };
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(statement)
            .bind(after.0)
            .bind(after.1)
            .bind(&filter.status)
            .bind(&filter.market.inside)
            .bind(filter.due_before.unwrap_or(0))
            .bind(&filter.person)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(Row::read).collect()
    }

    /// Returns a rider's restrictions before a place, the newest first, without proposals.
    pub async fn restrictions_of_rider(
        &self,
        person: &str,
        before: (i64, &str),
        limit: i64,
        read_at: ReadAt,
    ) -> Result<Vec<RestrictionOf>, StoreError> {
        self.expire_restrictions(read_at.random, read_at.now).await?;
        let rows: Vec<Row> = read!(self, |pool| sqlx::query_as(LIST_FOR_RIDER)
            .bind(person)
            .bind(before.0)
            .bind(before.1)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(Row::read).collect()
    }

    /// Returns the restriction with this ID.
    pub async fn restriction(
        &self,
        id: &str,
        read_at: ReadAt,
    ) -> Result<Option<RestrictionOf>, StoreError> {
        self.expire_restrictions(read_at.random, read_at.now).await?;
        let row: Option<Row> = read!(self, |pool| sqlx::query_as(SELECT_RESTRICTION)
            .bind(id)
            .fetch_optional(pool)
            .await)?;
        row.map(Row::read).transpose()
    }

    /// Returns person, market and status of the restriction with this ID.
    pub async fn restriction_place(
        &self,
        id: &str,
    ) -> Result<Option<RestrictionPlace>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_PLACE).bind(id).fetch_optional(pool).await)?)
    }

    /// Returns all records of a restriction, oldest first.
    pub async fn restriction_history(
        &self,
        id: &str,
    ) -> Result<Vec<RestrictionRecord>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_HISTORY).bind(id).fetch_all(pool).await)?)
    }

    /// Returns which restrictions of a person are in force.
    pub async fn restrictions_in_force(
        &self,
        person: &str,
        now: Instant,
    ) -> Result<InForce, StoreError> {
        let rows: Vec<ImposedRow> =
            read!(self, |pool| sqlx::query_as(SELECT_IMPOSED).bind(person).fetch_all(pool).await)?;
        let impositions = rows.into_iter().map(ImposedRow::imposition).collect::<Result<_, _>>()?;
        Ok(InForce::of(impositions, now))
    }
}
