//! Reading decisions of everybody, a page at a time: for exports from the first on, for people who look
//! from the last on. Decisions are never changed, so pages of an export fit together whatever is
//! recorded meanwhile.

use musette_core::instant::Instant;
use musette_core::terms::TermId;

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};

/// `+` keeps SQLite, which knows no sizes, from going through all decisions on a term.
macro_rules! selected {
    ($from:literal, $where:literal) => {
        concat!(
            "SELECT s.seq, c.position, s.entry_id, coalesce(u.id, '') AS user_id, s.user_type,
            s.locale, s.market, s.amr, t.kind, t.version, c.term_id, c.accepted, c.consented_at, s.recorded_at,
            c.sha256, c.evidence, c.method, EXISTS (SELECT 1 FROM consents AS p
                WHERE p.person = c.person AND p.submission < c.submission
                AND +p.term_id = c.term_id AND p.accepted) AS accepted_before FROM ",
            $from,
            " LEFT JOIN claims ON claims.person = s.person
            LEFT JOIN users AS u ON u.subject = coalesce(claims.subject, s.person)
            WHERE s.recorded_at >= $2 AND s.recorded_at < $3 AND ($4 < 0 OR c.term_id = $4)
            AND ($5 = '' OR t.kind = $5) AND ($6 < 0 OR c.accepted = ($6 = 1))
            AND ($10 = '' OR ",
            is_inside!("s.market", "$10"),
            ") AND ",
            $where
        )
    };
}
/// Both `+` and `LEFT` (each decision has its term) make SQLite go through submissions in order, as
/// PostgreSQL does by itself, instead of sorting all that come after.
macro_rules! everybody {
    ($where:literal) => {
        selected!(
            "submissions AS s JOIN consents AS c ON c.submission = +s.seq
            LEFT JOIN terms AS t ON t.id = c.term_id",
            $where
        )
    };
}
/// The `+` keeps SQLite from going through all submissions to find those with such a decision.
macro_rules! by_decision {
    ($where:literal) => {
        selected!(
            "consents AS c JOIN submissions AS s ON s.seq = +c.submission
            JOIN terms AS t ON t.id = c.term_id",
            $where
        )
    };
}
macro_rules! one_persons {
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

/// `$1` is empty; it stands here so that all take the same values.
pub(crate) const FIRST: &str = everybody!(
    "$1 = '' AND s.seq >= $7 AND (s.seq > $7 OR c.position > $8)
    ORDER BY s.seq, c.position LIMIT $9"
);
const FIRST_REFUSED: &str = by_decision!(
    "$1 = '' AND NOT c.accepted AND c.submission >= $7
    AND (c.submission > $7 OR c.position > $8) ORDER BY c.submission, c.position LIMIT $9"
);
const FIRST_OF: &str = one_persons!(
    "c.submission >= $7 AND (c.submission > $7 OR c.position > $8)
    ORDER BY s.seq, c.position LIMIT $9"
);
pub(crate) const LAST: &str = everybody!(
    "$1 = '' AND s.seq <= $7 AND s.seq > $7 - $11 AND (s.seq < $7 OR c.position > $8)
    ORDER BY s.seq DESC, c.position LIMIT $9"
);
const LAST_OF: &str = one_persons!(
    "c.submission <= $7 AND c.submission > $7 - $11 AND (c.submission < $7 OR c.position > $8)
    ORDER BY s.seq DESC, c.position LIMIT $9"
);
/// No submission names a term twice.
pub(crate) const LAST_ON: &str = by_decision!(
    "$1 = '' AND c.term_id = $4 AND c.submission <= $7 AND c.submission > $7 - $11
    AND (c.submission < $7 OR c.position > $8) ORDER BY c.submission DESC LIMIT $9"
);
/// That they refuse stands here once more: SQLite has an index of those.
pub(crate) const LAST_REFUSED_ON: &str = by_decision!(
    "$1 = '' AND c.term_id = $4 AND NOT c.accepted AND c.submission <= $7
    AND c.submission > $7 - $11 AND (c.submission < $7 OR c.position > $8)
    ORDER BY c.submission DESC LIMIT $9"
);
const NEXT_SEQ: &str = "SELECT next_seq FROM submission_head WHERE id = 1";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[FIRST, FIRST_REFUSED, FIRST_OF, LAST, LAST_OF, LAST_ON, LAST_REFUSED_ON, NEXT_SEQ];

/// Selection of decisions.
#[derive(Debug, Clone)]
pub struct ConsentFilter {
    /// Recorded then or later.
    pub since: Instant,
    /// Recorded before.
    pub until: Instant,
    /// Empty: everybody's.
    pub user_id: String,
    /// Only decisions on this version.
    pub term: Option<TermId>,
    /// Empty: of all types.
    pub kind: String,
    /// Only decisions that accept, or only those that do not.
    pub accepted: Option<bool>,
    /// Only decisions of people who worked in these markets then.
    pub market: MarketFilter,
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
            market: MarketFilter::EVERYWHERE,
        }
    }
}

/// A decision's place in the order of all: the submission and the position in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConsentPlace {
    /// Number of the submission.
    pub seq: i64,
    /// Position in the submission, from 0.
    pub position: i64,
}

impl ConsentPlace {
    /// Before all.
    pub const START: Self = Self { seq: 0, position: -1 };
}

/// One decision, as it is exported; the receipt's id is derived from `seq` and `entry_id`.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct ExportedConsent {
    /// Number of the submission.
    pub seq: i64,
    /// Position in the submission, from 0.
    pub position: i64,
    /// UUIDv7 of the submission.
    pub entry_id: String,
    /// Empty: an applicant's, or somebody's who was erased.
    pub user_id: String,
    /// `RIDER` or `APPLICANT`.
    pub user_type: String,
    /// Language in which the terms were shown (BCP 47).
    pub locale: Option<String>,
    /// Where the person worked then, if that was known.
    pub market: Option<String>,
    /// How the person had signed in (RFC 8176), separated by spaces, if that was recorded.
    pub amr: Option<String>,
    /// Type of the term.
    pub kind: String,
    /// Version of the document, from 1.
    pub version: i64,
    /// Id of the exact version.
    pub term_id: i64,
    /// Whether the person agreed.
    pub accepted: bool,
    /// When, by the device's clock, in milliseconds since 1970.
    pub consented_at: i64,
    /// When the server recorded it, in milliseconds since 1970.
    pub recorded_at: i64,
    /// SHA-256 of the document, in lower-case hex.
    pub sha256: String,
    /// How we know which document was shown: `presented`, `inferred` or `imported`.
    pub evidence: String,
    /// How the person pressed: `tick` or `agree_all`.
    pub method: Option<String>,
    /// Somewhen before this person accepted the same term.
    pub accepted_before: bool,
}

impl ExportedConsent {
    /// Position of this decision, after which the next page begins.
    pub fn place(&self) -> ConsentPlace {
        ConsentPlace { seq: self.seq, position: self.position }
    }
}

impl Store {
    /// The decisions after this place, in the server's order.
    pub async fn consents_after(
        &self,
        filter: &ConsentFilter,
        after: ConsentPlace,
        limit: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let sql = match filter {
            ConsentFilter { user_id, .. } if !user_id.is_empty() => FIRST_OF,
            ConsentFilter { accepted: Some(false), .. } => FIRST_REFUSED,
            _ => FIRST,
        };
        self.page(sql, filter, after, limit, 0).await
    }

    /// The decisions before this place (none: the end), the newest submission first, out of so many
    /// submissions at the most.
    pub async fn consents_before(
        &self,
        filter: &ConsentFilter,
        before: ConsentPlace,
        limit: i64,
        submissions: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let sql = match filter {
            ConsentFilter { user_id, .. } if !user_id.is_empty() => LAST_OF,
            ConsentFilter { term: Some(_), accepted: Some(false), .. } => LAST_REFUSED_ON,
            ConsentFilter { term: Some(_), .. } => LAST_ON,
            _ => LAST,
        };
        self.page(sql, filter, before, limit, submissions).await
    }

    /// The number of the next submission: all are below it.
    pub async fn next_submission(&self) -> Result<i64, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(NEXT_SEQ).fetch_one(pool).await)?)
    }

    async fn page(
        &self,
        sql: &'static str,
        filter: &ConsentFilter,
        place: ConsentPlace,
        limit: i64,
        submissions: i64,
    ) -> Result<Vec<ExportedConsent>, StoreError> {
        let accepted = filter.accepted.map_or(-1, i64::from);
        Ok(read!(self, |pool| {
            let query = sqlx::query_as(sql)
                .bind(&filter.user_id)
                .bind(filter.since.millis())
                .bind(filter.until.millis())
                .bind(filter.term.unwrap_or(-1))
                .bind(&filter.kind)
                .bind(accepted)
                .bind(place.seq)
                .bind(place.position)
                .bind(limit)
                .bind(&filter.market.inside);
            // Only queries from the end scan a bounded number of rows.
            let query = if submissions > 0 { query.bind(submissions) } else { query };
            query.fetch_all(pool).await
        })?)
    }
}
