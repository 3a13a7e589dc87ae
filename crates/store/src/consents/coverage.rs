//! Coverage: counts of people who have agreed to a term. These queries read every decision on it,
//! so the server caches the answer.

use musette_core::instant::Instant;
use musette_core::terms::TermId;

use crate::consents::as_of::AsOf;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};
use crate::people::search::patterns;

/// Those of the markets that are asked for: `$list` and `$except` are of a [`MarketFilter`].
macro_rules! of_markets {
    ($market:literal, $list:literal, $except:literal) => {
        concat!(
            "(",
            $list,
            " = '' OR ",
            is_inside!($market, $list),
            ") AND (",
            $except,
            " = '' OR NOT coalesce(",
            is_inside!($market, $except),
            ", FALSE))"
        )
    };
}
/// `{wanted}` are the term and the older versions whose decisions it inherits.
macro_rules! standing {
    ($market:literal, $where:expr) => {
        concat!(
            "SELECT
            coalesce(sum(CASE WHEN yes > no THEN 1 ELSE 0 END), 0) AS accepted,
            coalesce(sum(CASE WHEN yes > no AND riders.user_id IS NOT NULL THEN 1 ELSE 0 END), 0)
                AS riders,
            coalesce(sum(CASE WHEN no > yes AND yes >= 0 THEN 1 ELSE 0 END), 0) AS withdrawn,
            coalesce(sum(CASE WHEN yes < 0 THEN 1 ELSE 0 END), 0) AS refused
            FROM (SELECT latest.yes, latest.no, users.id AS user_id", $market, " FROM (
                SELECT who, max(CASE WHEN accepted THEN place ELSE -1 END) AS yes,
                    max(CASE WHEN accepted THEN -1 ELSE place END) AS no
                FROM (
                    SELECT coalesce(claims.subject, c.person) AS who, c.accepted,
                        c.submission * 128 + c.position AS place
                    FROM consents AS c
                    LEFT JOIN claims ON claims.person = c.person AND claims.recorded_at <= $3
                    WHERE c.term_id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})
                    AND c.submission < $2
                ) AS decisions GROUP BY who
            ) AS latest
            LEFT JOIN users ON users.subject = latest.who AND users.created_at <= $3) AS placed
            LEFT JOIN user_roles AS riders
            ON riders.user_id = placed.user_id AND riders.role = 'rider'", $where
        )
    };
}
const STANDING: &str = standing!("", "");
/// An applicant has the market of the latest submission.
const STANDING_IN: &str = standing!(
    ", CASE WHEN users.id IS NULL THEN (SELECT s.market FROM submissions AS s
        WHERE s.seq = (CASE WHEN latest.yes > latest.no THEN latest.yes ELSE latest.no END) / 128)
        ELSE users.market END AS market",
    concat!(" WHERE ", of_markets!("placed.market", "$4", "$5"))
);
const BY_DAY: &str = concat!(
    "SELECT s.recorded_at / 86400000 AS day,
    sum(CASE WHEN c.accepted THEN 1 ELSE 0 END) AS accepted,
    sum(CASE WHEN c.accepted THEN 0 ELSE 1 END) AS refused
    FROM consents AS c JOIN submissions AS s ON s.seq = c.submission
    WHERE c.term_id = $1 AND s.recorded_at >= $2 AND c.submission < $3 AND ($4 = '' OR ",
    is_inside!("s.market", "$4"),
    ") GROUP BY 1 ORDER BY 1"
);
const BY_DOCUMENT: &str = concat!(
    "SELECT sha256, sum(CASE WHEN accepted THEN 1 ELSE 0 END) AS accepted,
    sum(CASE WHEN accepted THEN 0 ELSE 1 END) AS refused
    FROM consents WHERE term_id = $1 AND submission < $2 AND ($3 = '' OR EXISTS
        (SELECT 1 FROM submissions AS s WHERE s.seq = consents.submission AND ",
    is_inside!("s.market", "$3"),
    ")) GROUP BY sha256 ORDER BY sha256"
);
const RIDERS: &str = "SELECT count(*) FROM user_roles WHERE role = 'rider'";
const RIDERS_THEN: &str = concat!(
    "SELECT count(*) FROM user_roles AS r JOIN users AS u ON u.id = r.user_id
    WHERE r.role = 'rider' AND u.created_at <= $1 AND ",
    of_markets!("u.market", "$2", "$3")
);
/// Some riders after `$2`, and of each whether the latest decision accepts. `+` keeps SQLite from the
/// index by term: a person has few decisions, a term has many. Its `CROSS JOIN` keeps the order: of
/// those who are not found nothing else is looked up.
const STANDING_OF_RIDERS: &str = concat!(
    "SELECT u.id, u.name, coalesce((
        SELECT c.accepted FROM consents AS c
        WHERE c.person IN (
            SELECT u.subject UNION ALL SELECT person FROM claims
            WHERE claims.subject = u.subject AND claims.recorded_at <= $7
        ) AND +c.term_id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})
        AND c.submission < $6 ORDER BY c.submission DESC, c.position DESC LIMIT 1
    ), FALSE) AS accepted
    FROM people_search AS s CROSS JOIN user_roles AS r CROSS JOIN users AS u
    WHERE s.user_id > $2 AND r.user_id = s.user_id AND r.role = 'rider' AND u.id = s.user_id
    AND u.created_at <= $7
    AND (s.text LIKE $4 ESCAPE '\\' OR s.text LIKE $5 ESCAPE '\\') AND ",
    of_markets!("u.market", "$8", "$9"),
    " ORDER BY s.user_id LIMIT $3"
);

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[BY_DAY, BY_DOCUMENT, RIDERS, RIDERS_THEN];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[STANDING, STANDING_IN, STANDING_OF_RIDERS];

/// The latest decisions on one term, counted by person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DecisionCounts {
    /// Riders and applicants.
    pub accepted: i64,
    /// Riders among those who accepted.
    pub riders: i64,
    /// Accepted before, and refused last.
    pub withdrawn: i64,
    /// Never accepted.
    pub refused: i64,
}

/// Decisions of one day or on one document, counted one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<K> {
    /// The day or the document that is counted.
    pub of: K,
    /// Decisions that accept.
    pub accepted: i64,
    /// Decisions that refuse or withdraw.
    pub refused: i64,
}

/// A rider and whether the latest decision accepts.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct RiderDecision {
    /// User id.
    pub id: String,
    /// Name, if one is known.
    pub name: Option<String>,
    /// Whether the rider's latest decision accepts.
    pub accepted: bool,
}

fn rows(terms: &[TermId]) -> String {
    json(&terms.iter().map(|id| [*id]).collect::<Vec<_>>())
}

impl Store {
    /// `terms`: the term and the older versions whose decisions it inherits.
    pub async fn count_decisions(
        &self,
        terms: &[TermId],
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<DecisionCounts, StoreError> {
        let is_everywhere = *market == MarketFilter::EVERYWHERE;
        let sql = if is_everywhere { STANDING } else { STANDING_IN };
        Ok(read!(self, |pool| {
            let query = sqlx::query_as(over_rows(self.engine(), sql))
                .bind(rows(terms))
                .bind(as_of.submission)
                .bind(as_of.at);
            let query =
                if is_everywhere { query } else { query.bind(&market.inside).bind(&market.except) };
            query.fetch_one(pool).await
        })?)
    }

    /// Days since 1970 in UTC, from `since` on.
    pub async fn decisions_by_day(
        &self,
        term: TermId,
        since: Instant,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Vec<Tally<i64>>, StoreError> {
        let days: Vec<(i64, i64, i64)> = read!(self, |pool| sqlx::query_as(BY_DAY)
            .bind(term)
            .bind(since.millis())
            .bind(as_of.submission)
            .bind(&market.inside)
            .fetch_all(pool)
            .await)?;
        Ok(days
            .into_iter()
            .map(|(of, accepted, refused)| Tally { of, accepted, refused })
            .collect())
    }

    /// Decisions on a term by document, so by language, in order of the hashes.
    pub async fn decisions_by_document(
        &self,
        term: TermId,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Vec<Tally<String>>, StoreError> {
        let found: Vec<(String, i64, i64)> = read!(self, |pool| sqlx::query_as(BY_DOCUMENT)
            .bind(term)
            .bind(as_of.submission)
            .bind(&market.inside)
            .fetch_all(pool)
            .await)?;
        Ok(found
            .into_iter()
            .map(|(of, accepted, refused)| Tally { of, accepted, refused })
            .collect())
    }

    /// How many users have the role of a rider.
    pub async fn count_riders(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(RIDERS).fetch_one(pool).await)?)
    }

    /// How many of today's riders of these markets there were already.
    pub async fn count_riders_then(
        &self,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(RIDERS_THEN)
            .bind(as_of.at)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_one(pool)
            .await)?)
    }

    /// Riders in order of their ids, after `after`; `text` is the beginning of an id, e-mail or phone,
    /// or a part of a name, or empty.
    pub async fn decisions_of_riders(
        &self,
        terms: &[TermId],
        text: &str,
        after: &str,
        limit: i64,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Vec<RiderDecision>, StoreError> {
        let [begins, contains] = patterns(text);
        // Planned for these parameters each time: PostgreSQL's plan for any text and any market sorts all riders.
        Ok(read!(self, |pool| sqlx::query_as(over_rows(self.engine(), STANDING_OF_RIDERS))
            .persistent(false)
            .bind(rows(terms))
            .bind(after)
            .bind(limit)
            .bind(&begins)
            .bind(&contains)
            .bind(as_of.submission)
            .bind(as_of.at)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_all(pool)
            .await)?)
    }
}
