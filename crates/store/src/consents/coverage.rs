//! Coverage: counts people who have agreed to a term. These queries read every decision on it, so
//! the server caches the results.

use musette_core::instant::Instant;
use musette_core::terms::TermId;

use crate::consents::as_of::AsOf;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};
use crate::people::search::patterns;

/// Restricts rows to the requested markets; `$list` and `$except` are of a [`MarketFilter`].
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
/// Counts the latest decisions. `{wanted}` are the term and the older versions whose decisions it
/// inherits.
macro_rules! count_latest {
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
const COUNT_LATEST: &str = count_latest!("", "");
/// An applicant has the market of their latest submission.
const COUNT_LATEST_IN_MARKETS: &str = count_latest!(
    ", CASE WHEN users.id IS NULL THEN (SELECT s.market FROM submissions AS s
        WHERE s.seq = (CASE WHEN latest.yes > latest.no THEN latest.yes ELSE latest.no END) / 128)
        ELSE users.market END AS market",
    concat!(" WHERE ", of_markets!("placed.market", "$4", "$5"))
);
const COUNT_BY_DAY: &str = concat!(
    "SELECT s.recorded_at / 86400000 AS day,
    sum(CASE WHEN c.accepted THEN 1 ELSE 0 END) AS accepted,
    sum(CASE WHEN c.accepted THEN 0 ELSE 1 END) AS refused
    FROM consents AS c JOIN submissions AS s ON s.seq = c.submission
    WHERE c.term_id = $1 AND s.recorded_at >= $2 AND c.submission < $3 AND ($4 = '' OR ",
    is_inside!("s.market", "$4"),
    ") GROUP BY 1 ORDER BY 1"
);
const COUNT_BY_DOCUMENT: &str = concat!(
    "SELECT sha256, sum(CASE WHEN accepted THEN 1 ELSE 0 END) AS accepted,
    sum(CASE WHEN accepted THEN 0 ELSE 1 END) AS refused
    FROM consents WHERE term_id = $1 AND submission < $2 AND ($3 = '' OR EXISTS
        (SELECT 1 FROM submissions AS s WHERE s.seq = consents.submission AND ",
    is_inside!("s.market", "$3"),
    ")) GROUP BY sha256 ORDER BY sha256"
);
const COUNT_RIDERS: &str = "SELECT count(*) FROM user_roles WHERE role = 'rider'";
const COUNT_RIDERS_AS_OF: &str = concat!(
    "SELECT count(*) FROM user_roles AS r JOIN users AS u ON u.id = r.user_id
    WHERE r.role = 'rider' AND u.created_at <= $1 AND ",
    of_markets!("u.market", "$2", "$3")
);
/// Selects some riders after `$2`, and whether the latest decision of each accepts. The `+` keeps
/// SQLite from using the index by term: a person has few decisions, a term has many. The `CROSS
/// JOIN` keeps the join order, so nothing is looked up for riders who do not match.
const SELECT_LATEST_OF_RIDERS: &str = concat!(
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
pub(crate) const ALL: &[&str] =
    &[COUNT_BY_DAY, COUNT_BY_DOCUMENT, COUNT_RIDERS, COUNT_RIDERS_AS_OF];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[COUNT_LATEST, COUNT_LATEST_IN_MARKETS, SELECT_LATEST_OF_RIDERS];

/// The latest decisions on one term, counted by person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DecisionCounts {
    /// Riders and applicants whose latest decision accepts.
    pub accepted: i64,
    /// Riders among the people who accepted.
    pub riders: i64,
    /// People who accepted before, and refused last.
    pub withdrawn: i64,
    /// People who never accepted.
    pub refused: i64,
}

/// Decisions of one day or on one document, each decision counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally<K> {
    /// The counted day or document.
    pub of: K,
    /// Decisions that accept.
    pub accepted: i64,
    /// Decisions that refuse or withdraw.
    pub refused: i64,
}

/// A rider and their latest decision.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct RiderDecision {
    /// User ID.
    pub id: String,
    /// Name, if one is known.
    pub name: Option<String>,
    /// Whether the rider's latest decision accepts.
    pub accepted: bool,
}

fn term_rows(terms: &[TermId]) -> String {
    json(&terms.iter().map(|id| [*id]).collect::<Vec<_>>())
}

impl Store {
    /// Counts the latest decisions of people on a term. `terms` contains the term and the older
    /// versions whose decisions it inherits.
    pub async fn count_decisions(
        &self,
        terms: &[TermId],
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<DecisionCounts, StoreError> {
        let is_everywhere = *market == MarketFilter::EVERYWHERE;
        let sql = if is_everywhere { COUNT_LATEST } else { COUNT_LATEST_IN_MARKETS };
        Ok(read!(self, |pool| {
            let query = sqlx::query_as(over_rows(self.engine(), sql))
                .bind(term_rows(terms))
                .bind(as_of.submission)
                .bind(as_of.at);
            let query =
                if is_everywhere { query } else { query.bind(&market.inside).bind(&market.except) };
            query.fetch_one(pool).await
        })?)
    }

    /// Counts the decisions of each day from `since` on. Days are numbered since 1970 in UTC.
    pub async fn decisions_by_day(
        &self,
        term: TermId,
        since: Instant,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Vec<Tally<i64>>, StoreError> {
        let days: Vec<(i64, i64, i64)> = read!(self, |pool| sqlx::query_as(COUNT_BY_DAY)
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

    /// Counts the decisions on a term by document, and so by language, in order of the hashes.
    pub async fn decisions_by_document(
        &self,
        term: TermId,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<Vec<Tally<String>>, StoreError> {
        let documents: Vec<(String, i64, i64)> =
            read!(self, |pool| sqlx::query_as(COUNT_BY_DOCUMENT)
                .bind(term)
                .bind(as_of.submission)
                .bind(&market.inside)
                .fetch_all(pool)
                .await)?;
        Ok(documents
            .into_iter()
            .map(|(of, accepted, refused)| Tally { of, accepted, refused })
            .collect())
    }

    /// Counts the users with the role of a rider.
    pub async fn count_riders(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_RIDERS).fetch_one(pool).await)?)
    }

    /// Counts today's riders of these markets who already existed at that time.
    pub async fn count_riders_then(
        &self,
        as_of: AsOf,
        market: &MarketFilter,
    ) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_RIDERS_AS_OF)
            .bind(as_of.at)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_one(pool)
            .await)?)
    }

    /// Returns riders after `after`, in order of their IDs, with their latest decision. `text` is
    /// the beginning of an ID, e-mail address or phone number, a part of a name, or empty.
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
        // Not persistent, so that PostgreSQL plans it for these parameters each time: its generic
        // plan for any text and any market sorts all riders.
        Ok(read!(self, |pool| sqlx::query_as(over_rows(self.engine(), SELECT_LATEST_OF_RIDERS))
            .persistent(false)
            .bind(term_rows(terms))
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
