//! How many riders a version has reached, and who has not been reached.

use std::collections::HashMap;

use musette_core::terms::TermId;

use crate::consents::as_of::AsOf;
use crate::consents::coverage::of_markets;
use crate::db::batch::{json, over_few_rows};
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::markets::filter::{MarketFilter, is_inside};

/// Counts from the receptions and openings of the version, because most riders have none.
const COUNT_REACHED: &str = concat!(
    "SELECT count(*) AS served, coalesce(sum(reached.received), 0) AS received,
    coalesce(sum(reached.opened), 0) AS opened, min(reached.at) AS first_at
    FROM (
        SELECT person, max(received) AS received, max(opened) AS opened, min(at) AS at FROM (
            SELECT person, 1 AS received, 0 AS opened, received_at AS at
            FROM notice_receptions WHERE term_id = $1
            UNION ALL SELECT person, 0, 1, recorded_at FROM notice_openings WHERE term_id = $1
        ) AS each GROUP BY person
    ) AS reached JOIN users AS u ON u.subject = reached.person
    JOIN user_roles AS r ON r.user_id = u.id AND r.role = 'rider' WHERE ",
    of_markets!("u.market", "$2", "$3")
);
/// Selects riders after `$2`. The `CROSS JOIN` keeps the order of the IDs.
const SELECT_UNREACHED: &str = concat!(
    "SELECT u.id FROM user_roles AS r CROSS JOIN users AS u
    WHERE r.role = 'rider' AND r.user_id > $2 AND u.id = r.user_id AND ",
    of_markets!("u.market", "$4", "$5"),
    " AND NOT EXISTS (SELECT 1 FROM notice_receptions AS n
        WHERE n.person = u.subject AND n.term_id = $1)
    AND NOT EXISTS (SELECT 1 FROM notice_openings AS o
        WHERE o.person = u.subject AND o.term_id = $1)
    ORDER BY r.user_id LIMIT $3"
);

/// Counts riders by the messages of campaigns about the version.
const COUNT_MESSAGED: &str = concat!(
    "SELECT count(*) AS sent, coalesce(sum(CASE WHEN sent.accepted = 0 AND sent.bounced = 1
        THEN 1 ELSE 0 END), 0) AS bounced
    FROM (
        SELECT m.person, max(CASE WHEN m.outcome = 'accepted' THEN 1 ELSE 0 END) AS accepted,
            max(CASE WHEN m.outcome = 'bounced' THEN 1 ELSE 0 END) AS bounced
        FROM campaigns AS c JOIN notice_messages AS m ON m.campaign = c.id
        WHERE c.term_id = $1 AND m.sent_at IS NOT NULL GROUP BY m.person
    ) AS sent JOIN users AS u ON u.subject = sent.person
    JOIN user_roles AS r ON r.user_id = u.id AND r.role = 'rider' WHERE ",
    of_markets!("u.market", "$2", "$3")
);
/// Selects the newest message of campaigns about the version to each of these riders.
const SELECT_LAST_MESSAGES: &str = "SELECT u.id, m.status, m.reason, m.outcome FROM {wanted}
    JOIN users AS u ON u.id = wanted.value ->> 0
    JOIN notice_messages AS m ON m.person = u.subject
    JOIN campaigns AS c ON c.id = m.campaign AND c.term_id = $2
    WHERE m.status IN ('skipped', 'done') ORDER BY m.id";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[COUNT_REACHED, COUNT_MESSAGED, SELECT_UNREACHED];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SELECT_LAST_MESSAGES];

/// Counts of riders of a version.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoticeCounts {
    /// Riders that the version concerns.
    pub addressed: i64,
    /// Riders among them whose channel accepted it.
    pub received: i64,
    /// Riders who were sent a message about it.
    pub sent: i64,
    /// Riders whose messages were all returned.
    pub bounced: i64,
    /// Riders among them who opened it.
    pub opened: i64,
    /// Riders among them who received or opened it.
    pub served: i64,
    /// When it first reached one of them, in milliseconds since 1970.
    pub first_at: Option<i64>,
}

impl NoticeCounts {
    /// Returns the share of the addressed riders who received or opened it, from 0 to 1.
    pub fn share_served(&self) -> f64 {
        if self.addressed > 0 { self.served as f64 / self.addressed as f64 } else { 0.0 }
    }
}

#[derive(sqlx_macros::FromRow)]
struct ReachedRow {
    served: i64,
    received: i64,
    opened: i64,
    first_at: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
struct MessageRow {
    id: String,
    status: String,
    reason: Option<String>,
    outcome: Option<String>,
}

impl Store {
    /// Counts the riders of these markets by what has reached them.
    pub async fn notice_counts(
        &self,
        term: TermId,
        market: &MarketFilter,
    ) -> Result<NoticeCounts, StoreError> {
        let addressed = match *market == MarketFilter::EVERYWHERE {
            true => self.count_riders().await?,
            false => self.count_riders_at(AsOf::NOW, market).await?,
        };
        let row: ReachedRow = read!(self, |pool| sqlx::query_as(COUNT_REACHED)
            .bind(term)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_one(pool)
            .await)?;
        let (messaged, bounced): (i64, i64) = read!(self, |pool| sqlx::query_as(COUNT_MESSAGED)
            .bind(term)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_one(pool)
            .await)?;
        let ReachedRow { served, received, opened, first_at } = row;
        // A rider may have been added between the two counts.
        let addressed = addressed.max(served);
        Ok(NoticeCounts {
            addressed,
            received,
            sent: messaged.max(received),
            bounced,
            opened,
            served,
            first_at,
        })
    }

    /// Returns why messages about the version did not reach these riders. Riders without a reason are left out.
    pub async fn unreached_reasons(
        &self,
        term: TermId,
        riders: &[String],
    ) -> Result<HashMap<String, String>, StoreError> {
        let rows: Vec<[&str; 1]> = riders.iter().map(|rider| [rider.as_str()]).collect();
        let rows: Vec<MessageRow> =
            read!(self, |pool| sqlx::query_as(over_few_rows(self.engine(), SELECT_LAST_MESSAGES))
                .bind(json(&rows))
                .bind(term)
                .fetch_all(pool)
                .await)?;
        let reason = |row: MessageRow| {
            let reason = if row.status == "skipped" { row.reason } else { row.outcome };
            Some((row.id, reason?))
        };
        Ok(rows.into_iter().filter_map(reason).collect())
    }

    /// Returns the riders of these markets that the version has not reached, in order of their IDs,
    /// after `after`.
    pub async fn unreached_riders(
        &self,
        term: TermId,
        market: &MarketFilter,
        after: &str,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_UNREACHED)
            .bind(term)
            .bind(after)
            .bind(limit)
            .bind(&market.inside)
            .bind(&market.except)
            .fetch_all(pool)
            .await)?)
    }
}
