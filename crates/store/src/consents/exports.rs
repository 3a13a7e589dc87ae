//! Reads decisions of all people in pages: exports start with the oldest, the console with the
//! newest. Decisions are never changed, so the pages of an export stay consistent during new
//! submissions.

use musette_core::instant::Instant;
use musette_core::terms::{Outcome, TermId};

use super::as_of::SELECT_NEXT_SEQ;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};

/// Selects decisions with their submission and term.
macro_rules! selected {
    ($from:literal, $where:literal) => {
        with_lineage!(
            "SELECT s.seq, c.position, s.entry_id, coalesce(u.id, '') AS user_id, s.user_type,
            s.locale, s.market, s.amr, t.kind, t.version, c.term_id, c.accepted, c.consented_at, s.recorded_at,
            c.sha256, c.evidence, c.method, ",
            accepted_before!("coalesce(claims.subject, s.person)"),
            " AS accepted_before FROM ",
            $from,
            " LEFT JOIN claims ON claims.person = s.person
            LEFT JOIN users AS u ON u.subject = coalesce(claims.subject, s.person)
            WHERE s.recorded_at >= $2 AND s.recorded_at < $3 AND ($4 < 0 OR c.term_id = $4)
            AND ($5 = '' OR t.kind = $5) AND ($6 < 0 OR c.accepted = ($6 = 1))
            AND ($10 = '' OR ",
            is_inside!("s.market", "$10"),
            ") AND ($11 < 0 OR ",
            accepted_before!("coalesce(claims.subject, s.person)"),
            " = ($11 = 1)) AND ",
            $where
        )
    };
}
/// Selects decisions of all people. Both the `+` and the `LEFT` (each decision has its term) make
/// SQLite scan submissions in order, as PostgreSQL does, instead of sorting all later ones.
macro_rules! of_all_people {
    ($where:literal) => {
        selected!(
            "submissions AS s JOIN consents AS c ON c.submission = +s.seq
            LEFT JOIN terms AS t ON t.id = c.term_id",
            $where
        )
    };
}
/// Selects by decision. The `+` keeps SQLite from scanning all submissions to find those with such
/// a decision.
macro_rules! by_decision {
    ($where:literal) => {
        selected!(
            "consents AS c JOIN submissions AS s ON s.seq = +c.submission
            JOIN terms AS t ON t.id = c.term_id",
            $where
        )
    };
}
macro_rules! of_one_person {
    ($where:literal) => {
        selected!(
            "(SELECT subject AS person FROM users WHERE id = $1
            UNION ALL SELECT b.person FROM claims AS b
            JOIN users AS v ON v.subject = b.subject WHERE v.id = $1) AS whose
            JOIN consents AS c ON c.person = whose.person
            JOIN submissions AS s ON s.seq = c.submission JOIN terms AS t ON t.id = c.term_id",
            $where
        )
    };
}

/// `$1` is empty; it is included so that all statements take the same parameters.
pub(crate) const PAGE_FORWARD: &str = of_all_people!(
    "$1 = '' AND s.seq >= $7 AND (s.seq > $7 OR c.position > $8)
    ORDER BY s.seq, c.position LIMIT $9"
);
const PAGE_FORWARD_REFUSED: &str = by_decision!(
    "$1 = '' AND NOT c.accepted AND c.submission >= $7
    AND (c.submission > $7 OR c.position > $8) ORDER BY c.submission, c.position LIMIT $9"
);
const PAGE_FORWARD_OF_PERSON: &str = of_one_person!(
    "c.submission >= $7 AND (c.submission > $7 OR c.position > $8)
    ORDER BY s.seq, c.position LIMIT $9"
);
pub(crate) const PAGE_BACKWARD: &str = of_all_people!(
    "$1 = '' AND s.seq <= $7 AND s.seq > $7 - $12 AND (s.seq < $7 OR c.position > $8)
    ORDER BY s.seq DESC, c.position LIMIT $9"
);
const PAGE_BACKWARD_OF_PERSON: &str = of_one_person!(
    "c.submission <= $7 AND c.submission > $7 - $12 AND (c.submission < $7 OR c.position > $8)
    ORDER BY s.seq DESC, c.position LIMIT $9"
);
/// A submission contains each term at most once.
pub(crate) const PAGE_BACKWARD_ON_TERM: &str = by_decision!(
    "$1 = '' AND c.term_id = $4 AND c.submission <= $7 AND c.submission > $7 - $12
    AND (c.submission < $7 OR c.position > $8) ORDER BY c.submission DESC LIMIT $9"
);
/// Repeats the condition that they refuse, because SQLite has an index of refusals.
pub(crate) const PAGE_BACKWARD_REFUSED_ON_TERM: &str = by_decision!(
    "$1 = '' AND c.term_id = $4 AND NOT c.accepted AND c.submission <= $7
    AND c.submission > $7 - $12 AND (c.submission < $7 OR c.position > $8)
    ORDER BY c.submission DESC LIMIT $9"
);

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    PAGE_FORWARD,
    PAGE_FORWARD_REFUSED,
    PAGE_FORWARD_OF_PERSON,
    PAGE_BACKWARD,
    PAGE_BACKWARD_OF_PERSON,
    PAGE_BACKWARD_ON_TERM,
    PAGE_BACKWARD_REFUSED_ON_TERM,
];

/// A filter of decisions.
#[derive(Debug, Clone)]
pub struct ConsentFilter {
    /// Only decisions that were recorded at this time or later.
    pub since: Instant,
    /// Only decisions that were recorded before this time.
    pub until: Instant,
    /// User ID of a person; empty for all people.
    pub user_id: String,
    /// Only decisions on this version.
    pub term: Option<TermId>,
    /// Type of the terms; empty for all types.
    pub kind: String,
    /// Only decisions that accept, or only those that refuse.
    pub accepted: Option<bool>,
    /// Only decisions that accept, only those that decline, or only those that withdraw.
    pub outcome: Option<Outcome>,
    /// Only decisions of people who worked in these markets at that time.
    pub market: MarketFilter,
}

impl ConsentFilter {
    /// Returns whether it selects only decisions that accept, or only those that refuse.
    fn accepts(&self) -> Option<bool> {
        self.outcome.map(|outcome| outcome == Outcome::Accepted).or(self.accepted)
    }

    /// Returns whether it selects only decisions after an acceptance, or only those without one.
    fn follows_acceptance(&self) -> Option<bool> {
        match self.outcome? {
            Outcome::Accepted => None,
            Outcome::Declined => Some(false),
            Outcome::Withdrawn => Some(true),
        }
    }
}

impl Default for ConsentFilter {
    fn default() -> Self {
        Self {
            since: Instant::from_millis(i64::MIN),
            until: Instant::from_millis(i64::MAX),
            user_id: String::new(),
            term: None,
            kind: String::new(),
            accepted: None,
            outcome: None,
            market: MarketFilter::EVERYWHERE,
        }
    }
}

/// The position of a decision in the order of all: the submission and the position in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConsentPlace {
    /// Number of the submission.
    pub seq: i64,
    /// Position in the submission, from 0.
    pub position: i64,
}

impl ConsentPlace {
    /// The position before all decisions.
    pub const START: Self = Self { seq: 0, position: -1 };
}

/// One decision, as it is exported. The receipt's ID is derived from `seq` and `entry_id`.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct ExportedConsent {
    /// Number of the submission.
    pub seq: i64,
    /// Position in the submission, from 0.
    pub position: i64,
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// User ID; empty for an applicant and for an erased person.
    pub user_id: String,
    /// `RIDER` or `APPLICANT`.
    pub user_type: String,
    /// Language in which the terms were shown (BCP 47).
    pub locale: Option<String>,
    /// Market in which the person worked then, if it was known.
    pub market: Option<String>,
    /// How the person had signed in (RFC 8176), separated by spaces, if it was recorded.
    pub amr: Option<String>,
    /// Type of the term.
    pub kind: String,
    /// Version of the document, from 1.
    pub version: i64,
    /// ID of the exact version.
    pub term_id: i64,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When the person decided, by the device's clock, in milliseconds since 1970.
    pub consented_at: i64,
    /// When the server recorded it, in milliseconds since 1970.
    pub recorded_at: i64,
    /// SHA-256 of the document, in lower-case hex.
    pub sha256: String,
    /// How the shown document is known: `presented`, `inferred` or `imported`.
    pub evidence: String,
    /// How the person agreed: `tick` or `agree_all`.
    pub method: Option<String>,
    /// Whether this person accepted the same term, or one whose decision it inherits, in an earlier
    /// submission.
    pub accepted_before: bool,
}

impl ExportedConsent {
    /// Returns what the person chose.
    pub fn outcome(&self) -> Outcome {
        Outcome::of(self.accepted, self.accepted_before)
    }

    /// Returns the position of this decision, after which the next page begins.
    pub fn place(&self) -> ConsentPlace {
        ConsentPlace { seq: self.seq, position: self.position }
    }
}

impl Store {
    /// Returns the decisions after this position, in the server's order.
    pub async fn consents_after(
        &self,
        filter: &ConsentFilter,
        after: ConsentPlace,
        limit: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let sql = if !filter.user_id.is_empty() {
            PAGE_FORWARD_OF_PERSON
        } else if filter.accepts() == Some(false) {
            PAGE_FORWARD_REFUSED
        } else {
            PAGE_FORWARD
        };
        self.page(sql, filter, after, limit, 0).await
    }

    /// Returns the decisions before this position, the newest submission first, from at most this
    /// many submissions.
    pub async fn consents_before(
        &self,
        filter: &ConsentFilter,
        before: ConsentPlace,
        limit: i64,
        submissions: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let sql = match (filter.term, filter.accepts()) {
            _ if !filter.user_id.is_empty() => PAGE_BACKWARD_OF_PERSON,
            (Some(_), Some(false)) => PAGE_BACKWARD_REFUSED_ON_TERM,
            (Some(_), _) => PAGE_BACKWARD_ON_TERM,
            (None, _) => PAGE_BACKWARD,
        };
        self.page(sql, filter, before, limit, submissions).await
    }

    /// Returns the number of the next submission, which is higher than all existing ones.
    pub async fn next_submission(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_NEXT_SEQ).fetch_one(pool).await)?)
    }

    async fn page(
        &self,
        sql: &'static str,
        filter: &ConsentFilter,
        place: ConsentPlace,
        limit: i64,
        submissions: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let number = |is: Option<bool>| is.map_or(-1, i64::from);
        Ok(read!(self, |pool| {
            let query = sqlx::query_as(sql)
                .bind(&filter.user_id)
                .bind(filter.since.millis())
                .bind(filter.until.millis())
                .bind(filter.term.unwrap_or(-1))
                .bind(&filter.kind)
                .bind(number(filter.accepts()))
                .bind(place.seq)
                .bind(place.position)
                .bind(limit)
                .bind(&filter.market.inside)
                .bind(number(filter.follows_acceptance()));
            // Only queries from the end limit the number of scanned submissions.
            let query = if submissions > 0 { query.bind(submissions) } else { query };
            query.fetch_all(pool).await
        })?)
    }
}
