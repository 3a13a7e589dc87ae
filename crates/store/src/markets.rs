//! Markets: what the company calls them, its own places, and who works where.

pub(crate) mod filter;

use musette_core::markets::Market;

use crate::cluster::RAISE_REVISION;
use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};

pub(crate) const MARKETS: Table = Table {
    name: "markets",
    columns: &[
        ("code", ColumnType::Text),
        ("name", ColumnType::Text),
        ("timezone", ColumnType::Text),
    ],
};
const ALL_MARKETS: &str = "SELECT code, name, timezone FROM markets ORDER BY code";
const SAVE: &str = "INSERT INTO markets (code, name, timezone) VALUES ($1, $2, $3)
    ON CONFLICT (code) DO UPDATE SET name = excluded.name, timezone = excluded.timezone";
const IS_DECLARED: &str = "SELECT EXISTS (SELECT 1 FROM markets WHERE code = $1)";
const IS_USED: &str = "SELECT EXISTS (SELECT 1 FROM users WHERE market = $1)
    OR EXISTS (SELECT 1 FROM terms WHERE market = $1)";
const DROP: &str = "DELETE FROM markets WHERE code = $1";
const OF_SUBJECT: &str = "SELECT market FROM users WHERE subject = $1";
const MOVE: &str = "UPDATE users SET market = $2 WHERE id = $1";
const PEOPLE: &str =
    "SELECT market, count(*) FROM users WHERE market IS NOT NULL GROUP BY market ORDER BY market";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[ALL_MARKETS, SAVE, IS_DECLARED, IS_USED, DROP, OF_SUBJECT, MOVE, PEOPLE];

/// A market that the company has named, or a place that it has declared.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DeclaredMarket {
    /// Code of the market.
    pub code: String,
    /// What the company calls it.
    pub name: Option<String>,
    /// Time zone of the market: an IANA name.
    pub timezone: Option<String>,
}

/// Outcome of removing a market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarketRemoval {
    /// It is gone.
    Removed,
    /// It was not declared.
    Unknown,
    /// A person works there, or a term is for it.
    Used,
}

/// Outcome of moving a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The person works there now.
    Done,
    /// Nobody has this id.
    UnknownPerson,
    /// The place is not declared.
    UnknownMarket,
}

impl Store {
    /// Every market that was declared, in order of the codes.
    pub async fn markets(&self) -> Result<Vec<DeclaredMarket>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(ALL_MARKETS).fetch_all(pool).await)?)
    }

    /// How many people work in each market itself, not inside it.
    pub async fn people_by_market(&self) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(PEOPLE).fetch_all(pool).await)?)
    }

    /// Declares a market, or changes its name and time zone. True when it is new.
    pub async fn save_market(&self, market: &DeclaredMarket) -> Result<bool, StoreError> {
        Ok(write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            let was_there: bool =
                sqlx::query_scalar(IS_DECLARED).bind(&market.code).fetch_one(&mut *tx).await?;
            sqlx::query(SAVE)
                .bind(&market.code)
                .bind(&market.name)
                .bind(&market.timezone)
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            !was_there
        }))
    }

    /// Removes a market that nobody uses.
    pub async fn remove_market(&self, code: &str) -> Result<MarketRemoval, StoreError> {
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            // The row of the revision is the lock: nobody begins to use the market meanwhile.
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            if sqlx::query_scalar(IS_USED).bind(code).fetch_one(&mut *tx).await? {
                return Ok(MarketRemoval::Used);
            }
            let dropped = sqlx::query(DROP).bind(code).execute(&mut *tx).await?;
            if dropped.rows_affected() == 0 {
                return Ok(MarketRemoval::Unknown);
            }
            tx.commit().await?;
            Ok(MarketRemoval::Removed)
        })
    }

    /// Where the person of this subject works, if that is known.
    pub async fn market_of(&self, subject: &str) -> Result<Option<Market>, StoreError> {
        let code: Option<Option<String>> = read!(self, |pool| sqlx::query_scalar(OF_SUBJECT)
            .bind(subject)
            .fetch_optional(pool)
            .await)?;
        Ok(code.flatten().as_deref().and_then(Market::from_stored))
    }

    /// Says where a person works from now on.
    pub async fn move_person(
        &self,
        user_id: &str,
        market: Option<&Market>,
    ) -> Result<Move, StoreError> {
        let code = market.map(Market::as_str);
        let place = market.filter(|market| market.place().is_some()).map(Market::as_str);
        write!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(RAISE_REVISION).execute(&mut *tx).await?;
            if let Some(place) = place {
                let is_declared: bool =
                    sqlx::query_scalar(IS_DECLARED).bind(place).fetch_one(&mut *tx).await?;
                if !is_declared {
                    return Ok(Move::UnknownMarket);
                }
            }
            let moved = sqlx::query(MOVE).bind(user_id).bind(code).execute(&mut *tx).await?;
            if moved.rows_affected() == 0 {
                return Ok(Move::UnknownPerson);
            }
            tx.commit().await?;
            Ok(Move::Done)
        })
    }
}
