//! Views of terms: when a term was shown to somebody before they decided, and when they opened its
//! document.

use std::collections::HashSet;

use musette_core::instant::Instant;
use musette_core::terms::TermId;
use serde_json::json;

use crate::consents::as_of::AsOf;
use crate::db::batch::{ColumnType, Table, json as to_json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read, write};
use crate::markets::filter::{MarketFilter, is_inside};

pub(crate) const VIEWS: Table = Table {
    name: "term_views",
    columns: &[
        ("subject", ColumnType::Text),
        ("term_id", ColumnType::Int),
        ("shown_at", ColumnType::Int),
        ("opened_at", ColumnType::Int),
    ],
};

/// Input rows are a subject, a term, one of the versions whose decisions it inherits, and a time.
/// Returns the pairs of subject and term that were decided by then.
const DECIDED: &str = "SELECT DISTINCT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT)
    FROM {wanted} WHERE EXISTS (
        SELECT 1 FROM consents AS c JOIN submissions AS s ON s.seq = c.submission
        WHERE c.person IN (SELECT wanted.value ->> 0 UNION ALL
            SELECT claims.person FROM claims WHERE claims.subject = wanted.value ->> 0)
        AND +c.term_id = CAST(wanted.value ->> 2 AS BIGINT)
        AND s.recorded_at < CAST(wanted.value ->> 3 AS BIGINT))";
/// Somebody may have been erased meanwhile.
const SHOWN: &str = "INSERT INTO term_views (subject, term_id, shown_at)
    SELECT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT),
    CAST(wanted.value ->> 2 AS BIGINT) FROM {wanted}
    WHERE EXISTS (SELECT 1 FROM subjects WHERE ref = wanted.value ->> 0)
    ON CONFLICT (subject, term_id) DO NOTHING";
const OPENED: &str = "UPDATE term_views SET opened_at = CAST(wanted.value ->> 2 AS BIGINT)
    FROM {wanted} WHERE term_views.subject = wanted.value ->> 0
    AND term_views.term_id = CAST(wanted.value ->> 1 AS BIGINT) AND term_views.opened_at IS NULL";
/// Views and decisions one after the other: a join of the two would look each person up. A submission
/// has at most 100 decisions, so that 128 apart they stay in the order in which they were made.
const FUNNEL: &str = concat!(
    "SELECT count(*) AS shown,
    coalesce(sum(opened), 0) AS opened,
    coalesce(sum(CASE WHEN yes >= 0 OR no >= 0 THEN 1 ELSE 0 END), 0) AS decided,
    coalesce(sum(CASE WHEN yes > no THEN 1 ELSE 0 END), 0) AS accepted
    FROM (
        SELECT who, max(opened) AS opened, max(yes) AS yes, max(no) AS no
        FROM (
            SELECT v.subject AS who, 1 AS shown,
                CASE WHEN v.opened_at <= $3 THEN 1 ELSE 0 END AS opened, -1 AS yes, -1 AS no
            FROM term_views AS v WHERE v.term_id = $1 AND v.shown_at <= $3
            AND ($4 = '' OR EXISTS (SELECT 1 FROM users AS u WHERE u.subject = v.subject AND ",
    is_inside!("u.market", "$4"),
    "))
            UNION ALL
            SELECT coalesce(claims.subject, c.person), 0, CASE WHEN c.opened THEN 1 ELSE 0 END,
                CASE WHEN c.accepted THEN c.submission * 128 + c.position ELSE -1 END,
                CASE WHEN c.accepted THEN -1 ELSE c.submission * 128 + c.position END
            FROM consents AS c
            LEFT JOIN claims ON claims.person = c.person AND claims.recorded_at <= $3
            WHERE c.term_id = $1 AND c.submission < $2
        ) AS known GROUP BY who HAVING max(shown) = 1
    ) AS people"
);
const OF_PERSON: &str = "SELECT term_id, shown_at, opened_at FROM term_views
    WHERE subject = $1 ORDER BY shown_at DESC, term_id";
const FORGET: &str = "DELETE FROM term_views WHERE term_id = $1 AND shown_at < $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[FUNNEL, OF_PERSON, FORGET];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[DECIDED, SHOWN, OPENED];

/// A term that somebody was given to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTerm {
    /// Subject of the person.
    pub subject: String,
    /// Id of the exact version.
    pub term: TermId,
    /// The term and the older versions whose decisions it inherits.
    pub lineage: Vec<TermId>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A document that somebody opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedTerm {
    /// Subject of the person.
    pub subject: String,
    /// Id of the exact version.
    pub term: TermId,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A view of a term by a person; times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TermView {
    /// Id of the exact version.
    pub term_id: TermId,
    /// When it was first shown, in milliseconds since 1970.
    pub shown_at: i64,
    /// When its document was first opened, in milliseconds since 1970.
    pub opened_at: Option<i64>,
}

/// Counts of one group of people, from those to whom a term was shown down to those who accept it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Funnel {
    /// People to whom it was shown.
    pub shown: i64,
    /// People among them who opened the document.
    pub opened: i64,
    /// People among them who decided.
    pub decided: i64,
    /// People among them whose latest decision accepts.
    pub accepted: i64,
}

impl Store {
    /// Keeps the first time; who had decided before is left out.
    pub async fn record_shown(&self, shown: &[ShownTerm]) -> Result<(), StoreError> {
        let versions: Vec<_> = shown
            .iter()
            .flat_map(|it| {
                it.lineage.iter().map(|version| json!([it.subject, it.term, version, it.at]))
            })
            .collect();
        let sql = over_rows(self.engine(), DECIDED);
        let decided: Vec<(String, TermId)> =
            read!(self, |pool| sqlx::query_as(sql).bind(to_json(&versions)).fetch_all(pool).await)?;
        let decided: HashSet<(&str, TermId)> =
            decided.iter().map(|(subject, term)| (subject.as_str(), *term)).collect();
        let rows: Vec<_> = shown
            .iter()
            .filter(|it| !decided.contains(&(it.subject.as_str(), it.term)))
            .map(|it| json!([it.subject, it.term, it.at]))
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        let sql = over_rows(self.engine(), SHOWN);
        write!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Keeps the first time, of those to whom it was shown.
    pub async fn record_opened(&self, opened: &[OpenedTerm]) -> Result<(), StoreError> {
        let rows: Vec<_> = opened.iter().map(|it| json!([it.subject, it.term, it.at])).collect();
        let sql = over_rows(self.engine(), OPENED);
        write!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// One a term at the most.
    pub async fn views_of(&self, subject: &str) -> Result<Vec<TermView>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(OF_PERSON).bind(subject).fetch_all(pool).await)?)
    }

    /// Counts on the way from a shown term to a decision.
    pub async fn funnel(
        &self,
        term: TermId,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Funnel, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(FUNNEL)
            .bind(term)
            .bind(as_of.submission)
            .bind(as_of.at)
            .bind(&market.inside)
            .fetch_one(pool)
            .await)?)
    }

    /// Forgets to whom the term was shown before.
    pub async fn forget_views(&self, term: TermId, before: Instant) -> Result<(), StoreError> {
        write!(self, |pool| sqlx::query(FORGET)
            .bind(term)
            .bind(before.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
