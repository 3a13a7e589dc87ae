//! Review rules: how long riders of a market can contest, and when an answer is due.

use musette_core::decisions::Rules;
use musette_core::markets::Market;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const REVIEW_RULES: Table = Table {
    name: "review_rules",
    columns: &[
        ("market", ColumnType::Text),
        ("contest_days", ColumnType::Int),
        ("answer_days", ColumnType::Int),
    ],
};

pub(crate) const SELECT_RULES: &str =
    "SELECT market, contest_days, answer_days FROM review_rules ORDER BY market";
const DELETE_RULES: &str = "DELETE FROM review_rules";
const INSERT_RULE: &str =
    "INSERT INTO review_rules (market, contest_days, answer_days) VALUES ($1, $2, $3)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_RULES, DELETE_RULES, INSERT_RULE];

/// The times of one market.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ReviewRule {
    /// Code of the market, or `*` for all others.
    pub market: String,
    /// Days to contest.
    pub contest_days: i64,
    /// Days to answer.
    pub answer_days: i64,
}

/// The rules of all markets.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleSet(Vec<ReviewRule>);

impl RuleSet {
    pub(crate) fn of(rules: Vec<ReviewRule>) -> Self {
        Self(rules)
    }

    /// Returns the rules of the narrowest market that contains this one.
    pub(crate) fn of_market(&self, market: Option<&str>) -> Rules {
        let around = market.and_then(Market::from_stored);
        let around = around.iter().flat_map(Market::with_around).map(|market| market.to_string());
        let mut codes = around.chain(["*".to_owned()]);
        let rule = codes.find_map(|code| self.0.iter().find(|rule| rule.market == code));
        rule.map_or_else(Rules::default, |rule| Rules {
            contest_days: rule.contest_days,
            answer_days: rule.answer_days,
        })
    }
}

impl Store {
    /// Returns all review rules, ordered by market.
    pub async fn review_rules(&self) -> Result<Vec<ReviewRule>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_RULES).fetch_all(pool).await)?)
    }

    /// Replaces all review rules. Evaluations that are contestable already keep their times.
    pub async fn set_review_rules(&self, rules: &[ReviewRule]) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(crate::log::LOCK).execute(&mut *tx).await?;
            sqlx::query(DELETE_RULES).execute(&mut *tx).await?;
            for rule in rules {
                sqlx::query(INSERT_RULE)
                    .bind(&rule.market)
                    .bind(rule.contest_days)
                    .bind(rule.answer_days)
                    .execute(&mut *tx)
                    .await?;
            }
            Ok(tx.commit().await?)
        })
    }
}
