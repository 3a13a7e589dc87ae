//! Coverage: counts people who have agreed to a term. These queries read every decision on it, so
//! the server caches the results.

use musette_core::instant::Instant;
use musette_core::terms::{Outcome, TermId};

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
pub(crate) use of_markets;

/// Counts people by their latest decision on the versions of `{wanted}`: the term and the older
/// versions whose decisions it inherits. An applicant has the market of their latest submission.
/// The `CROSS JOIN` keeps the join order: each person has one latest decision.
const COUNT_LATEST: &str = concat!(
    "SELECT counted.*, count(*) AS people FROM (
        SELECT CASE WHEN s.recorded_at < $8 THEN -1 ELSE s.recorded_at / 900000 END AS slot,
            d.term_id, d.sha256, d.accepted,
            latest.yes >= 0 AS ever_accepted, coalesce(riders.user_id IS NOT NULL AND ",
    of_markets!("users.market", "$4", "$5"),
    ", FALSE) AS is_rider
        FROM (
            SELECT coalesce(claims.subject, c.person) AS who,
                max(c.submission * 128 + c.position) AS last,
                max(CASE WHEN c.accepted THEN c.submission ELSE -1 END) AS yes
            FROM consents AS c
            LEFT JOIN claims ON claims.person = c.person AND claims.recorded_at <= $3
            WHERE c.term_id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})
            AND c.submission < $2 GROUP BY 1
        ) AS latest
        CROSS JOIN consents AS d CROSS JOIN submissions AS s
        LEFT JOIN users ON users.subject = latest.who AND users.created_at <= $3
        LEFT JOIN user_roles AS riders ON riders.user_id = users.id AND riders.role = 'rider'
        WHERE d.submission = latest.last / 128 AND d.position = latest.last % 128
        AND s.seq = d.submission AND ",
    of_markets!("(CASE WHEN users.id IS NULL THEN s.market ELSE users.market END)", "$6", "$7"),
    ") AS counted GROUP BY 1, 2, 3, 4, 5, 6"
);
const COUNT_RIDERS: &str = "SELECT count(*) FROM user_roles WHERE role = 'rider'";
const COUNT_RIDERS_AS_OF: &str = concat!(
    "SELECT count(*) FROM user_roles AS r JOIN users AS u ON u.id = r.user_id
    WHERE r.role = 'rider' AND u.created_at <= $1 AND ",
    of_markets!("u.market", "$2", "$3")
);
/// Returns the newest decision of a rider `u` that accepts, or the newest that does not. The `+`
/// keeps SQLite from using the index by term: a person has few decisions, a term has many.
macro_rules! newest {
    ($accepts:literal) => {
        concat!(
            "coalesce((
        SELECT max(c.submission * 128 + c.position) FROM consents AS c
        WHERE c.person IN (
            SELECT u.subject UNION ALL SELECT person FROM claims
            WHERE claims.subject = u.subject AND claims.recorded_at <= $7
        ) AND +c.term_id IN (SELECT CAST(wanted.value ->> 0 AS BIGINT) FROM {wanted})
        AND c.submission < $6 AND ",
            $accepts,
            "), -1)"
        )
    };
}
/// Selects some riders after `$2` with their newest decisions. The `CROSS JOIN` keeps the join
/// order, so nothing is looked up for riders who do not match.
const SELECT_LATEST_OF_RIDERS: &str = concat!(
    "SELECT u.id, u.name, ",
    newest!("c.accepted"),
    " AS yes, ",
    newest!("NOT c.accepted"),
    " AS no
    FROM people_search AS s CROSS JOIN user_roles AS r CROSS JOIN users AS u
    WHERE s.user_id > $2 AND r.user_id = s.user_id AND r.role = 'rider' AND u.id = s.user_id
    AND u.created_at <= $7
    AND (s.text LIKE $4 ESCAPE '\\' OR s.text LIKE $5 ESCAPE '\\') AND ",
    of_markets!("u.market", "$8", "$9"),
    " ORDER BY s.user_id LIMIT $3"
);

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT_RIDERS, COUNT_RIDERS_AS_OF];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[COUNT_LATEST, SELECT_LATEST_OF_RIDERS];

/// The people with the same latest decision on a term.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DecisionGroup {
    /// The quarter of an hour in which it was recorded, numbered since 1970; -1 if it is earlier
    /// than the requested time. In every time zone, a day consists of whole quarters.
    pub slot: i64,
    /// The version that the decision was made on.
    pub term_id: TermId,
    /// SHA-256 of the document, in lower-case hex.
    pub sha256: String,
    /// Whether these people are riders that the term concerns.
    pub is_rider: bool,
    accepted: bool,
    ever_accepted: bool,
    /// The number of people.
    pub people: i64,
}

impl DecisionGroup {
    /// Returns the decision.
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.accepted, self.ever_accepted)
    }
}

/// A rider and their newest decisions.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct RiderDecision {
    /// User ID.
    pub id: String,
    /// Name, if one is known.
    pub name: Option<String>,
    yes: i64,
    no: i64,
}

impl RiderDecision {
    /// Returns the latest decision. `None` if the rider has not decided.
    pub fn outcome(&self) -> Option<Outcome> {
        (self.yes.max(self.no) >= 0).then(|| Outcome::of(self.yes > self.no, self.yes >= 0))
    }
}

/// What [`Store::count_decisions`] counts.
#[derive(Debug)]
pub struct CountedDecisions<'a> {
    /// The term and the older versions whose decisions it inherits.
    pub terms: &'a [TermId],
    /// The state to count.
    pub as_of: AsOf,
    /// The markets of the people to count.
    pub population: &'a MarketFilter,
    /// The markets of the riders that the term concerns.
    pub scope: &'a MarketFilter,
    /// The beginning of the time whose quarters of an hour are counted separately.
    pub since: Instant,
}

fn term_rows(terms: &[TermId]) -> String {
    json(&terms.iter().map(|id| [*id]).collect::<Vec<_>>())
}

impl Store {
    /// Counts people by their latest decision on a term, each person once.
    pub async fn count_decisions(
        &self,
        counted: CountedDecisions<'_>,
    ) -> Result<Vec<DecisionGroup>, StoreError> {
        let CountedDecisions { terms, as_of, population, scope, since } = counted;
        Ok(read!(self, |pool| sqlx::query_as(over_rows(self.engine(), COUNT_LATEST))
            .bind(term_rows(terms))
            .bind(as_of.submission)
            .bind(as_of.at)
            .bind(&scope.inside)
            .bind(&scope.except)
            .bind(&population.inside)
            .bind(&population.except)
            .bind(since.millis())
            .fetch_all(pool)
            .await)?)
    }

    /// Counts the users with the role of a rider.
    pub async fn count_riders(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(COUNT_RIDERS).fetch_one(pool).await)?)
    }

    /// Counts today's riders of these markets who already existed at that time.
    pub async fn count_riders_at(
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

    /// Returns riders after `after`, in order of their IDs, with their newest decisions. `text` is
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
