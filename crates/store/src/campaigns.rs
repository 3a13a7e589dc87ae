//! Campaigns, their messages to riders, and the batches that the log proves.
//!
//! Not here: what a message says (`musette_core::campaigns`), and how it is sent (the server).

pub(crate) mod batches;
pub(crate) mod messages;
pub(crate) mod passes;
pub(crate) mod people;
pub(crate) mod proofs;
pub(crate) mod recipients;
pub(crate) mod reports;
pub(crate) mod sending;
pub(crate) mod settling;

use musette_core::campaigns::{CampaignAction, CampaignDefinition, CampaignStatus};
use musette_core::instant::Instant;
use musette_core::terms::Term;

use passes::Pass;

use crate::db::batch::{ColumnType, Table};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

pub(crate) const CAMPAIGNS: Table = Table {
    name: "campaigns",
    columns: &[
        ("id", ColumnType::Text),
        ("term_id", ColumnType::Int),
        ("market", ColumnType::Text),
        ("body", ColumnType::Text),
        ("status", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("created_by", ColumnType::Text),
        ("started_at", ColumnType::Int),
        ("ended_at", ColumnType::Int),
    ],
};

/// Wakes the sender of every node. It is the first statement of the transaction, and so also the
/// lock of all changes of campaigns.
pub(crate) const WAKE_SENDERS: &str = "UPDATE revision SET n = n + 1 WHERE id = 4";
const INSERT_CAMPAIGN: &str = "INSERT INTO campaigns
    (id, term_id, market, body, status, created_at, created_by)
    VALUES ($1, $2, $3, $4, 'draft', $5, $6)";
const UPDATE_CAMPAIGN: &str = "UPDATE campaigns SET term_id = $2, market = $3, body = $4
    WHERE id = $1 AND status = $5";
const SET_STATUS: &str = "UPDATE campaigns SET status = $3,
    started_at = CASE WHEN $3 = 'running' THEN coalesce(started_at, $4) ELSE started_at END,
    ended_at = CASE WHEN $3 = 'cancelled' THEN $4 ELSE ended_at END
    WHERE id = $1 AND status = $2";
/// Pauses all running campaigns, because a restored copy of a store must not send the messages that
/// the original store sends.
pub(crate) const PAUSE_ALL: &str =
    "UPDATE campaigns SET status = 'paused' WHERE status = 'running'";
const SELECT_CAMPAIGN: &str = "SELECT id, term_id, body, status, created_at, started_at, ended_at
    FROM campaigns WHERE id = $1";
const PAGE_OF_CAMPAIGNS: &str = "SELECT id, term_id, body, status, created_at, started_at, ended_at
    FROM campaigns WHERE id < $1 ORDER BY id DESC LIMIT $2";
/// Campaigns that send, and those that ended with messages that are in no batch yet.
const SELECT_ACTIVE: &str = "SELECT id, term_id, body, status, created_at, started_at, ended_at
    FROM campaigns AS c WHERE status = 'running' OR EXISTS (
        SELECT 1 FROM notice_messages AS m
        WHERE m.campaign = c.id AND m.status = 'done' AND m.batch IS NULL)
    ORDER BY id";
const FINISH_CAMPAIGN: &str = "UPDATE campaigns SET status = 'finished', ended_at = $2
    WHERE id = $1 AND status = 'running'
    AND NOT EXISTS (SELECT 1 FROM campaign_passes WHERE campaign = $1 AND prepared_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM notice_messages
        WHERE campaign = $1 AND status IN ('waiting', 'offered'))
    AND NOT EXISTS (SELECT 1 FROM notice_messages
        WHERE campaign = $1 AND status = 'done' AND batch IS NULL)";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    WAKE_SENDERS,
    INSERT_CAMPAIGN,
    UPDATE_CAMPAIGN,
    SET_STATUS,
    PAUSE_ALL,
    SELECT_CAMPAIGN,
    PAGE_OF_CAMPAIGNS,
    SELECT_ACTIVE,
    FINISH_CAMPAIGN,
];

/// A stored campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// UUIDv7.
    pub id: String,
    /// Content, audience and times.
    pub definition: CampaignDefinition,
    /// Whether it sends messages.
    pub status: CampaignStatus,
    /// When it was created.
    pub created_at: Instant,
    /// When it was first started.
    pub started_at: Option<Instant>,
    /// When it was finished or cancelled.
    pub ended_at: Option<Instant>,
}

impl Campaign {
    /// Returns the passes of the steps that have none yet, for a start now.
    pub fn new_passes(&self, term: &Term, planned: &[Pass], now: Instant) -> Vec<NewPass> {
        let is_planned = |i: &usize| planned.iter().any(|pass| pass.steps.contains(i));
        let steps: Vec<usize> =
            (0..self.definition.steps.len()).filter(|i| !is_planned(i)).collect();
        self.definition.passes(term, self.started_at.unwrap_or(now), now, &steps)
    }
}

#[derive(sqlx_macros::FromRow)]
struct CampaignRow {
    id: String,
    term_id: i64,
    body: String,
    status: String,
    created_at: i64,
    started_at: Option<i64>,
    ended_at: Option<i64>,
}

impl TryFrom<CampaignRow> for Campaign {
    type Error = StoreError;

    fn try_from(row: CampaignRow) -> Result<Self, StoreError> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("campaign {}: {what}", row.id));
        let definition: CampaignDefinition =
            serde_json::from_str(&row.body).map_err(|error| corrupt(&error.to_string()))?;
        if definition.term_id != row.term_id {
            return Err(corrupt("the term differs"));
        }
        let status =
            CampaignStatus::parse(&row.status).ok_or_else(|| corrupt("the status is unknown"))?;
        Ok(Self {
            definition,
            status,
            created_at: Instant::from_millis(row.created_at),
            started_at: row.started_at.map(Instant::from_millis),
            ended_at: row.ended_at.map(Instant::from_millis),
            id: row.id,
        })
    }
}

/// The steps of a new pass, the latest first, and when it is due.
pub type NewPass = (Instant, Vec<usize>);

fn json_of(definition: &CampaignDefinition) -> Result<String, StoreError> {
    serde_json::to_string(definition).map_err(|error| StoreError::Corrupt(error.to_string()))
}

impl Store {
    /// Adds a draft. `author` is a subject.
    pub async fn add_campaign(
        &self,
        id: &str,
        definition: &CampaignDefinition,
        author: &str,
        now: Instant,
    ) -> Result<(), StoreError> {
        let body = json_of(definition)?;
        modify!(self, |pool| sqlx::query(INSERT_CAMPAIGN)
            .bind(id)
            .bind(definition.term_id)
            .bind(&definition.market)
            .bind(&body)
            .bind(now.millis())
            .bind(author)
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the campaign with this ID.
    pub async fn campaign(&self, id: &str) -> Result<Option<Campaign>, StoreError> {
        let row: Option<CampaignRow> = read!(self, |pool| sqlx::query_as(SELECT_CAMPAIGN)
            .bind(id)
            .fetch_optional(pool)
            .await)?;
        row.map(Campaign::try_from).transpose()
    }

    /// Returns campaigns with an ID before `before`, the newest first.
    pub async fn campaigns(&self, before: &str, limit: i64) -> Result<Vec<Campaign>, StoreError> {
        let rows: Vec<CampaignRow> = read!(self, |pool| sqlx::query_as(PAGE_OF_CAMPAIGNS)
            .bind(before)
            .bind(limit)
            .fetch_all(pool)
            .await)?;
        rows.into_iter().map(Campaign::try_from).collect()
    }

    /// Returns the campaigns that have something to do.
    pub async fn active_campaigns(&self) -> Result<Vec<Campaign>, StoreError> {
        let rows: Vec<CampaignRow> =
            read!(self, |pool| sqlx::query_as(SELECT_ACTIVE).fetch_all(pool).await)?;
        rows.into_iter().map(Campaign::try_from).collect()
    }

    /// Replaces the definition of a campaign. Passes of steps that were not begun are removed, so
    /// that they are planned again with the next start. Returns false if the status is another one.
    pub async fn change_campaign(
        &self,
        campaign: &Campaign,
        definition: &CampaignDefinition,
    ) -> Result<bool, StoreError> {
        let body = json_of(definition)?;
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(WAKE_SENDERS).execute(&mut *tx).await?;
            let changed = sqlx::query(UPDATE_CAMPAIGN)
                .bind(&campaign.id)
                .bind(definition.term_id)
                .bind(&definition.market)
                .bind(&body)
                .bind(campaign.status.as_str())
                .execute(&mut *tx)
                .await?;
            if changed.rows_affected() == 0 {
                return Ok(false);
            }
            sqlx::query(passes::DELETE_UNBEGUN).bind(&campaign.id).execute(&mut *tx).await?;
            tx.commit().await?;
            Ok(true)
        })
    }

    /// Changes the status of a campaign, and adds passes for its steps. Returns false if another
    /// change was faster.
    pub async fn set_campaign_status(
        &self,
        campaign: &Campaign,
        action: CampaignAction,
        passes: &[NewPass],
        now: Instant,
    ) -> Result<bool, StoreError> {
        let Some(status) = action.apply(campaign.status) else { return Ok(false) };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(WAKE_SENDERS).execute(&mut *tx).await?;
            let changed = sqlx::query(SET_STATUS)
                .bind(&campaign.id)
                .bind(campaign.status.as_str())
                .bind(status.as_str())
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            if changed.rows_affected() == 0 {
                return Ok(false);
            }
            let mut number: i64 = sqlx::query_scalar(passes::SELECT_NEXT_NUMBER)
                .bind(&campaign.id)
                .fetch_one(&mut *tx)
                .await?;
            for (due_at, steps) in passes {
                sqlx::query(passes::INSERT_PASS)
                    .bind(&campaign.id)
                    .bind(number)
                    .bind(passes::steps_text(steps))
                    .bind(due_at.millis())
                    .execute(&mut *tx)
                    .await?;
                number += 1;
            }
            tx.commit().await?;
            Ok(true)
        })
    }

    /// Ends a running campaign if all its messages have an outcome and are in a batch.
    pub async fn finish_campaign(&self, id: &str, now: Instant) -> Result<bool, StoreError> {
        let changed = modify!(self, |pool| sqlx::query(FINISH_CAMPAIGN)
            .bind(id)
            .bind(now.millis())
            .execute(pool)
            .await?
            .rows_affected());
        Ok(changed == 1)
    }
}
