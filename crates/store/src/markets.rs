//! Markets: names for countries, places that the company declares, and the market of each person.

pub(crate) mod filter;

use musette_core::markets::Market;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const MARKETS: Table = Table {
    name: "markets",
    columns: &[
        ("code", ColumnType::Text),
        ("name", ColumnType::Text),
        ("timezone", ColumnType::Text),
        ("locale", ColumnType::Text),
    ],
};
const SELECT_MARKETS: &str = "SELECT code, name, timezone, locale FROM markets ORDER BY code";
const UPSERT_MARKET: &str = "INSERT INTO markets (code, name, timezone, locale)
    VALUES ($1, $2, $3, $4) ON CONFLICT (code) DO UPDATE SET name = excluded.name,
    timezone = excluded.timezone, locale = excluded.locale";
const SELECT_IS_DECLARED: &str = "SELECT EXISTS (SELECT 1 FROM markets WHERE code = $1)";
const SELECT_IS_USED: &str = "SELECT EXISTS (SELECT 1 FROM users WHERE market = $1)
    OR EXISTS (SELECT 1 FROM terms WHERE market = $1)";
const DELETE_MARKET: &str = "DELETE FROM markets WHERE code = $1";
const SELECT_MARKET_OF_SUBJECT: &str = "SELECT market FROM users WHERE subject = $1";
const SET_MARKET: &str = "UPDATE users SET market = $2 WHERE id = $1";
const COUNT_PEOPLE: &str =
    "SELECT market, count(*) FROM users WHERE market IS NOT NULL GROUP BY market ORDER BY market";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_MARKETS,
    UPSERT_MARKET,
    SELECT_IS_DECLARED,
    SELECT_IS_USED,
    DELETE_MARKET,
    SELECT_MARKET_OF_SUBJECT,
    SET_MARKET,
    COUNT_PEOPLE,
];

/// A market with a custom name, or a place that the company declared.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DeclaredMarket {
    /// Code of the market.
    pub code: String,
    /// Name that the company uses.
    pub name: Option<String>,
    /// IANA name of the market's time zone.
    pub timezone: Option<String>,
    /// Language of its people who have none themselves.
    pub locale: Option<String>,
}

/// Outcome of removing a market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarketRemoval {
    /// The market was removed.
    Removed,
    /// The market was not declared.
    Unknown,
    /// A person works there, or a term applies to it.
    Used,
}

/// Outcome of moving a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The person's market was changed.
    Done,
    /// No person has this ID.
    UnknownPerson,
    /// The place is not declared.
    UnknownMarket,
}

impl Store {
    /// Returns every declared market, in order of the codes.
    pub async fn markets(&self) -> Result<Vec<DeclaredMarket>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_MARKETS).fetch_all(pool).await)?)
    }

    /// Counts the people who work in each market itself, not inside it.
    pub async fn people_by_market(&self) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(COUNT_PEOPLE).fetch_all(pool).await)?)
    }

    /// Declares a market, or changes its name, time zone and language. Returns whether it is new.
    pub async fn save_market(&self, market: &DeclaredMarket) -> Result<bool, StoreError> {
        Ok(modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let existed: bool = sqlx::query_scalar(SELECT_IS_DECLARED)
                .bind(&market.code)
                .fetch_one(&mut *tx)
                .await?;
            sqlx::query(UPSERT_MARKET)
                .bind(&market.code)
                .bind(&market.name)
                .bind(&market.timezone)
                .bind(&market.locale)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            !existed
        }))
    }

    /// Removes a market that no person and no term uses.
    pub async fn remove_market(&self, code: &str) -> Result<MarketRemoval, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The row of the revision is the lock, so that no other transaction starts to use the
            // market.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            if sqlx::query_scalar(SELECT_IS_USED).bind(code).fetch_one(&mut *tx).await? {
                return Ok(MarketRemoval::Used);
            }
            let deleted = sqlx::query(DELETE_MARKET).bind(code).execute(&mut *tx).await?;
            if deleted.rows_affected() == 0 {
                return Ok(MarketRemoval::Unknown);
            }
            tx.commit().await?;
            Ok(MarketRemoval::Removed)
        })
    }

    /// Returns the market of the person with this subject, if it is known.
    pub async fn market_of(&self, subject: &str) -> Result<Option<Market>, StoreError> {
        let code: Option<Option<String>> =
            read!(self, |pool| sqlx::query_scalar(SELECT_MARKET_OF_SUBJECT)
                .bind(subject)
                .fetch_optional(pool)
                .await)?;
        Ok(code.flatten().as_deref().and_then(Market::from_stored))
    }

    /// Sets the market of a person.
    pub async fn move_person(
        &self,
        user_id: &str,
        market: Option<&Market>,
    ) -> Result<Move, StoreError> {
        let code = market.map(Market::as_str);
        let place = market.filter(|market| market.place().is_some()).map(Market::as_str);
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            if let Some(place) = place {
                let is_declared: bool =
                    sqlx::query_scalar(SELECT_IS_DECLARED).bind(place).fetch_one(&mut *tx).await?;
                if !is_declared {
                    return Ok(Move::UnknownMarket);
                }
            }
            let moved = sqlx::query(SET_MARKET).bind(user_id).bind(code).execute(&mut *tx).await?;
            if moved.rows_affected() == 0 {
                return Ok(Move::UnknownPerson);
            }
            tx.commit().await?;
            Ok(Move::Done)
        })
    }
}
