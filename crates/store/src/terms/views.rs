//! Views of terms: when a term was shown to a person before their decision, and when they opened
//! its document.

use std::collections::HashSet;

use musette_core::instant::Instant;
use musette_core::terms::TermId;
use serde_json::json;

use crate::consents::as_of::AsOf;
use crate::db::batch::{ColumnType, Table, json as to_json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
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

/// Selects the pairs of subject and term with a decision before a given time. Each input row is a
/// subject, a term, one of the versions whose decisions it inherits, and the time.
const SELECT_DECIDED: &str =
    "SELECT DISTINCT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT)
    FROM {wanted} WHERE EXISTS (
        SELECT 1 FROM consents AS c JOIN submissions AS s ON s.seq = c.submission
        WHERE c.person IN (SELECT wanted.value ->> 0 UNION ALL
            SELECT claims.person FROM claims WHERE claims.subject = wanted.value ->> 0)
        AND +c.term_id = CAST(wanted.value ->> 2 AS BIGINT)
        AND s.recorded_at < CAST(wanted.value ->> 3 AS BIGINT))";
/// Ignores people who were erased meanwhile.
const INSERT_SHOWN: &str = "INSERT INTO term_views (subject, term_id, shown_at)
    SELECT wanted.value ->> 0, CAST(wanted.value ->> 1 AS BIGINT),
    CAST(wanted.value ->> 2 AS BIGINT) FROM {wanted}
    WHERE EXISTS (SELECT 1 FROM subjects WHERE ref = wanted.value ->> 0)
    ON CONFLICT (subject, term_id) DO NOTHING";
const SET_OPENED: &str = "UPDATE term_views SET opened_at = CAST(wanted.value ->> 2 AS BIGINT)
    FROM {wanted} WHERE term_views.subject = wanted.value ->> 0
    AND term_views.term_id = CAST(wanted.value ->> 1 AS BIGINT) AND term_views.opened_at IS NULL";
/// Reads views and decisions one after another, because a join would look up each person. A
/// submission has at most 100 decisions, so a factor of 128 preserves their order.
const SELECT_FUNNEL: &str = concat!(
    "SELECT count(*) AS shown,
    coalesce(sum(opened), 0) AS opened,
    coalesce(sum(CASE WHEN yes >= 0 OR no >= 0 THEN 1 ELSE 0 END), 0) AS decided,
    coalesce(sum(CASE WHEN yes > no THEN 1 ELSE 0 END), 0) AS accepted,
    coalesce(sum(CASE WHEN no > yes AND yes < 0 THEN 1 ELSE 0 END), 0) AS declined,
    coalesce(sum(CASE WHEN no > yes AND yes >= 0 THEN 1 ELSE 0 END), 0) AS withdrawn,
    coalesce(sum(CASE WHEN yes > no AND opened = 0 THEN 1 ELSE 0 END), 0) AS accepted_unopened
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
const SELECT_VIEWS_OF_PERSON: &str = "SELECT term_id, shown_at, opened_at FROM term_views
    WHERE subject = $1 ORDER BY shown_at DESC, term_id";
const DELETE_OLD_VIEWS: &str = "DELETE FROM term_views WHERE term_id = $1 AND shown_at < $2";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SELECT_FUNNEL, SELECT_VIEWS_OF_PERSON, DELETE_OLD_VIEWS];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_DECIDED, INSERT_SHOWN, SET_OPENED];

/// A term that was shown to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTerm {
    /// Subject of the person.
    pub subject: String,
    /// ID of the exact version.
    pub term: TermId,
    /// The term and the older versions whose decisions it inherits.
    pub lineage: Vec<TermId>,
    /// When it was shown, in milliseconds since 1970.
    pub at: i64,
}

/// A document that a person opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedTerm {
    /// Subject of the person.
    pub subject: String,
    /// ID of the exact version.
    pub term: TermId,
    /// When it was opened, in milliseconds since 1970.
    pub at: i64,
}

/// A view of a term by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct TermView {
    /// ID of the exact version.
    pub term_id: TermId,
    /// When it was first shown, in milliseconds since 1970.
    pub shown_at: i64,
    /// When its document was first opened, in milliseconds since 1970.
    pub opened_at: Option<i64>,
}

/// Counts of people at each step, from seeing a term to accepting it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Funnel {
    /// People who saw the term.
    pub shown: i64,
    /// People among them who opened the document.
    pub opened: i64,
    /// People among them who decided.
    pub decided: i64,
    /// People among them whose latest decision accepts.
    pub accepted: i64,
    /// People among them who decided, and never accepted.
    pub declined: i64,
    /// People among them who accepted before, and refused last.
    pub withdrawn: i64,
    /// People among them who accepted and never opened the document.
    pub accepted_unopened: i64,
}

impl Store {
    /// Records the first time that terms were shown. People who had decided before are ignored.
    pub async fn record_shown(&self, shown: &[ShownTerm]) -> Result<(), StoreError> {
        let versions: Vec<_> = shown
            .iter()
            .flat_map(|view| {
                view.lineage
                    .iter()
                    .map(|version| json!([view.subject, view.term, version, view.at]))
            })
            .collect();
        let sql = over_rows(self.engine(), SELECT_DECIDED);
        let decided: Vec<(String, TermId)> =
            read!(self, |pool| sqlx::query_as(sql).bind(to_json(&versions)).fetch_all(pool).await)?;
        let decided: HashSet<(&str, TermId)> =
            decided.iter().map(|(subject, term)| (subject.as_str(), *term)).collect();
        let rows: Vec<_> = shown
            .iter()
            .filter(|view| !decided.contains(&(view.subject.as_str(), view.term)))
            .map(|view| json!([view.subject, view.term, view.at]))
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        let sql = over_rows(self.engine(), INSERT_SHOWN);
        modify!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Records the first time that documents were opened, if the term was shown to the person.
    pub async fn record_opened(&self, opened: &[OpenedTerm]) -> Result<(), StoreError> {
        let rows: Vec<_> =
            opened.iter().map(|view| json!([view.subject, view.term, view.at])).collect();
        let sql = over_rows(self.engine(), SET_OPENED);
        modify!(self, |pool| sqlx::query(sql).bind(to_json(&rows)).execute(pool).await.map(drop))?;
        Ok(())
    }

    /// Returns the views of a person, at most one for each term.
    pub async fn views_of(&self, subject: &str) -> Result<Vec<TermView>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_VIEWS_OF_PERSON)
            .bind(subject)
            .fetch_all(pool)
            .await)?)
    }

    /// Returns the counts from a shown term to a decision.
    pub async fn funnel(
        &self,
        term: TermId,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Funnel, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_FUNNEL)
            .bind(term)
            .bind(as_of.submission)
            .bind(as_of.at)
            .bind(&market.inside)
            .fetch_one(pool)
            .await)?)
    }

    /// Removes the views of the term before this time.
    pub async fn delete_old_views(&self, term: TermId, before: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(DELETE_OLD_VIEWS)
            .bind(term)
            .bind(before.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }
}
