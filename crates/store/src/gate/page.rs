//! Reads the gate: first all riders, then the changes.

use musette_core::decisions::restrictions::in_force::Limitation;
use musette_core::instant::Instant;
use musette_core::terms::TermId;

use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::gate::reported_since;
use crate::markets::filter::{MarketFilter, is_inside};

const SELECT_HEAD: &str = "SELECT h.epoch, h.seq, h.is_filled, h.swept, coalesce(
    (SELECT max(e.seq) FROM gate_erased AS e WHERE e.at <= $1), h.gone) AS gone
    FROM gate_head AS h WHERE h.id = 1";
const SELECT_ALL: &str = concat!(
    "SELECT user_id, may_work, reasons, restrictions, limitations, changes_at, seq FROM gate_states
    WHERE user_id > $1 AND ($2 OR user_id <= $3) AND ($4 = '' OR ",
    is_inside!("market", "$4"),
    ") ORDER BY user_id LIMIT $5"
);
const SELECT_CHANGED: &str = concat!(
    "SELECT user_id, may_work, reasons, restrictions, limitations, changes_at, seq FROM gate_states
    WHERE seq > 0 AND seq > $1 AND seq <= $2 AND ($3 = '' OR ",
    is_inside!("market", "$3"),
    ") ORDER BY seq LIMIT $4"
);
/// Selects people who left the markets. A person who is inside again is reported as a change.
const SELECT_LEFT: &str = concat!(
    "SELECT l.user_id, max(l.seq) AS seq FROM gate_left AS l
    WHERE l.seq > $1 AND l.seq <= $2 AND ($3 = '' OR ",
    is_inside!("l.market", "$3"),
    ") AND NOT EXISTS (SELECT 1 FROM gate_states AS s WHERE s.user_id = l.user_id AND ($3 = '' OR ",
    is_inside!("s.market", "$3"),
    ")) GROUP BY l.user_id ORDER BY 2 LIMIT $4"
);
const SELECT_ERASED: &str = concat!(
    "SELECT DISTINCT user_id_sha256, seq FROM gate_erased
    WHERE seq > $1 AND seq <= $2 AND ($3 = '' OR ",
    is_inside!("market", "$3"),
    ") ORDER BY seq LIMIT $4"
);

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_HEAD, SELECT_ALL, SELECT_CHANGED, SELECT_LEFT, SELECT_ERASED];

/// An item in the feed of the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateItem {
    /// A rider's answer.
    Answer {
        /// ID of the rider.
        user_id: String,
        /// Whether no term and no restriction blocks the rider.
        may_work: bool,
        /// The blocking terms.
        reasons: Vec<TermId>,
        /// IDs of the blocking restrictions.
        restrictions: Vec<String>,
        /// The limitations in force.
        limitations: Vec<Limitation>,
        /// When the answer changes without any action.
        changes_at: Option<Instant>,
    },
    /// The person left the reader's markets, or is no longer a rider.
    Left {
        /// ID of the person.
        user_id: String,
    },
    /// The person was erased.
    Erased {
        /// The SHA-256 of their ID, in lower-case hex.
        user_id_sha256: String,
    },
}

/// A position in the feed of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GatePlace {
    /// Random ID of the gate, set when it was enabled.
    pub epoch: String,
    /// The reader has received the changes up to this number.
    pub seq: i64,
    /// ID of the last rider while the reader reads all riders.
    pub user_id: Option<String>,
}

/// A page of the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GatePage {
    /// The items of the page, and the position after it.
    Items(Vec<GateItem>, GatePlace),
    /// Some changes after that position are no longer available.
    Gone,
}

#[derive(sqlx_macros::FromRow)]
struct Head {
    epoch: String,
    seq: i64,
    is_filled: bool,
    swept: Option<String>,
    gone: i64,
}

#[derive(sqlx_macros::FromRow)]
struct AnswerRow {
    user_id: String,
    may_work: bool,
    reasons: String,
    restrictions: String,
    limitations: String,
    changes_at: Option<i64>,
    seq: i64,
}

/// ID of a person, and the number of the change.
type Numbered = Vec<(String, i64)>;

impl TryFrom<AnswerRow> for GateItem {
    type Error = StoreError;

    fn try_from(row: AnswerRow) -> Result<Self, StoreError> {
        let corrupt = |error: serde_json::Error| StoreError::Corrupt(error.to_string());
        Ok(Self::Answer {
            reasons: serde_json::from_str(&row.reasons).map_err(corrupt)?,
            restrictions: serde_json::from_str(&row.restrictions).map_err(corrupt)?,
            limitations: serde_json::from_str(&row.limitations).map_err(corrupt)?,
            user_id: row.user_id,
            may_work: row.may_work,
            changes_at: row.changes_at.map(Instant::from_millis),
        })
    }
}

impl Store {
    /// Returns the items after this position; without one it starts with the first rider. A page
    /// may always be shorter than `limit`. An empty page is the end if the gate was not behind
    /// before.
    pub async fn gate_page(
        &self,
        after: Option<&GatePlace>,
        market: &MarketFilter,
        limit: i64,
        now: Instant,
    ) -> Result<GatePage, StoreError> {
        let since = reported_since(now);
        let head: Option<Head> =
            read!(self, |pool| sqlx::query_as(SELECT_HEAD).bind(since).fetch_optional(pool).await)?;
        let Some(head) = head else { return Ok(GatePage::Gone) };
        let place = after.cloned().unwrap_or_else(|| GatePlace {
            epoch: head.epoch.clone(),
            seq: head.seq,
            user_id: Some(String::new()),
        });
        if place.epoch != head.epoch || place.seq > head.seq || place.seq < head.gone {
            // A new reader has missed nothing.
            if after.is_some() {
                return Ok(GatePage::Gone);
            }
        }
        if let Some(after) = &place.user_id {
            let rows = self.gate_after(after, &head, market, limit).await?;
            if let Some(last) = rows.last() {
                let place = GatePlace { user_id: Some(last.user_id.clone()), ..place };
                let items = rows.into_iter().map(GateItem::try_from).collect::<Result<_, _>>()?;
                return Ok(GatePage::Items(items, place));
            }
            if !head.is_filled {
                return Ok(GatePage::Items(Vec::new(), place));
            }
        }
        self.gate_changes(&place, &head, market, limit).await
    }

    async fn gate_after(
        &self,
        after: &str,
        head: &Head,
        market: &MarketFilter,
        limit: i64,
    ) -> Result<Vec<AnswerRow>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_ALL)
            .bind(after)
            .bind(head.is_filled)
            .bind(head.swept.as_deref().unwrap_or_default())
            .bind(&market.inside)
            .bind(limit)
            .fetch_all(pool)
            .await)?)
    }

    async fn gate_changes(
        &self,
        place: &GatePlace,
        head: &Head,
        market: &MarketFilter,
        limit: i64,
    ) -> Result<GatePage, StoreError> {
        let (from, until, inside) = (place.seq, head.seq, &market.inside);
        let (answers, moved, erased): (Vec<AnswerRow>, Numbered, Numbered) = read!(self, |pool| {
            // People who left are read first: a person who moves meanwhile is in neither result,
            // and on the next page.
            let moved = sqlx::query_as(SELECT_LEFT).bind(from).bind(until).bind(inside).bind(limit);
            let moved = moved.fetch_all(pool).await?;
            let erased =
                sqlx::query_as(SELECT_ERASED).bind(from).bind(until).bind(inside).bind(limit);
            let erased = erased.fetch_all(pool).await?;
            let answers =
                sqlx::query_as(SELECT_CHANGED).bind(from).bind(until).bind(inside).bind(limit);
            (answers.fetch_all(pool).await?, moved, erased)
        });
        let mut items = Vec::with_capacity(answers.len());
        for row in answers {
            items.push((row.seq, GateItem::try_from(row)?));
        }
        items.extend(moved.into_iter().map(|(user_id, seq)| (seq, GateItem::Left { user_id })));
        let erased = erased.into_iter();
        items
            .extend(erased.map(|(user_id_sha256, seq)| (seq, GateItem::Erased { user_id_sha256 })));
        items.sort_by_key(|(seq, _)| *seq);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_full = items.len() >= limit;
        items.truncate(limit);
        let seq = items.last().filter(|_| is_full).map_or(until, |(seq, _)| *seq);
        let place = GatePlace { epoch: head.epoch.clone(), seq, user_id: None };
        Ok(GatePage::Items(items.into_iter().map(|(_, item)| item).collect(), place))
    }
}
