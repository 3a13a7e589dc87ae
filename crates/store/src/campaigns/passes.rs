//! Passes: each prepares the messages of its steps, a page of riders at a time.

use musette_core::campaigns::{CampaignDefinition, Channel, SkipReason};
use musette_core::instant::Instant;

use super::messages::{MESSAGES, MessageRow};
use super::recipients::{Audience, Recipient};
use crate::db::batch::{ColumnType, Table, json};
use crate::db::error::StoreError;
use crate::db::{Engine, Store, modify, read};
use crate::decisions::Randomness;

pub(crate) const PASSES: Table = Table {
    name: "campaign_passes",
    columns: &[
        ("campaign", ColumnType::Text),
        ("number", ColumnType::Int),
        ("steps", ColumnType::Text),
        ("due_at", ColumnType::Int),
        ("position", ColumnType::Text),
        ("prepared_at", ColumnType::Int),
    ],
};

pub(super) const INSERT_PASS: &str = "INSERT INTO campaign_passes
    (campaign, number, steps, due_at, position) VALUES ($1, $2, $3, $4, '')";
pub(super) const SELECT_NEXT_NUMBER: &str =
    "SELECT coalesce(max(number), -1) + 1 FROM campaign_passes WHERE campaign = $1";
pub(super) const DELETE_UNBEGUN: &str = "DELETE FROM campaign_passes
    WHERE campaign = $1 AND prepared_at IS NULL AND position = ''";
const SELECT_PASSES: &str = "SELECT number, steps, due_at, position, prepared_at
    FROM campaign_passes WHERE campaign = $1 ORDER BY number";
/// Advances a pass of a running campaign. It is the first statement of the transaction, so that
/// only one of several nodes inserts the messages of a page.
const ADVANCE_PASS: &str = "UPDATE campaign_passes SET position = $4, prepared_at = $5
    WHERE campaign = $1 AND number = $2 AND position = $3 AND prepared_at IS NULL
    AND EXISTS (SELECT 1 FROM campaigns WHERE id = $1 AND status = 'running')";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[INSERT_PASS, SELECT_NEXT_NUMBER, DELETE_UNBEGUN, SELECT_PASSES, ADVANCE_PASS];

/// Number of riders whose messages are prepared in one transaction.
const RIDERS_PER_PAGE: usize = 1000;

/// A pass of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// Number of the pass in its campaign.
    pub number: i64,
    /// Indexes of its steps, the latest first.
    pub steps: Vec<usize>,
    /// When it is due.
    pub due_at: Instant,
    /// Subject of the last rider whose messages were prepared.
    position: String,
    /// When all messages were prepared.
    pub prepared_at: Option<Instant>,
}

impl Pass {
    /// Returns whether messages of the pass may exist.
    pub fn is_begun(&self) -> bool {
        self.prepared_at.is_some() || !self.position.is_empty()
    }
}

#[derive(sqlx_macros::FromRow)]
struct PassRow {
    number: i64,
    steps: String,
    due_at: i64,
    position: String,
    prepared_at: Option<i64>,
}

pub(super) fn steps_text(steps: &[usize]) -> String {
    steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Where and when the messages of a page are sent.
#[derive(Clone, Copy)]
pub struct Preparing<'a> {
    /// ID of the campaign.
    pub campaign: &'a str,
    /// Returns the time zone of the market with this code.
    pub zone_of: &'a (dyn Fn(Option<&str>) -> String + Sync),
    /// Source of the IDs of messages.
    pub random: Randomness,
}

/// Returns the message of a pass for a rider. `None` if they have decided.
fn message(
    pass: &Pass,
    audience: &Audience<'_>,
    recipient: &Recipient,
    preparing: &Preparing<'_>,
) -> Option<MessageRow> {
    let definition: &CampaignDefinition = audience.definition;
    let reachability = audience.reachability(recipient);
    let steps = || pass.steps.iter().filter_map(|i| Some((*i, definition.steps.get(*i)?)));
    let channels: Vec<Channel> = steps().map(|(_, step)| step.channel).collect();
    let reason = reachability.skip_reason(&channels);
    if reachability.has_decided {
        return None;
    }
    let reached = steps().find(|(_, step)| reachability.reaches(step.channel));
    let (i, step) = reached.or_else(|| steps().next())?;
    let status = match (reason, step.channel) {
        (Some(_), _) => "skipped",
        (None, Channel::App) => "offered",
        (None, _) => "waiting",
    };
    let locale = definition.locale_for(recipient.locale.as_deref(), audience.term);
    let zone = match definition.any_time {
        true => String::new(),
        false => (preparing.zone_of)(recipient.market.as_deref()),
    };
    Some(MessageRow {
        id: (preparing.random.uuid)(),
        campaign: preparing.campaign.to_owned(),
        step: i64::try_from(i).unwrap_or(i64::MAX),
        person: Some(recipient.subject.clone()),
        channel: step.channel.as_str(),
        zone,
        locale: locale.map(str::to_owned),
        status,
        reason: reason.map(SkipReason::as_str),
        next_at: pass.due_at.millis(),
        leased_until: 0,
        attempts: 0,
        in_doubt: false,
        repeated: false,
        address: None,
        sha256: None,
        sent_at: None,
        settled_at: None,
        outcome: None,
        outcome_status: None,
        batch: None,
        idx: None,
        salt: None,
        record: None,
        leaf: None,
    })
}

/// Returns the statement that inserts messages. A message that exists stays as it is: a step that
/// was changed back before it was resumed keeps its messages.
fn insert_messages(engine: Engine) -> sqlx::AssertSqlSafe<String> {
    let sqlx::AssertSqlSafe(insert) = MESSAGES.insert(engine);
    sqlx::AssertSqlSafe(format!(
        "{insert} WHERE true ON CONFLICT (campaign, step, person) DO NOTHING"
    ))
}

impl Store {
    /// Returns the passes of a campaign, in their order.
    pub async fn campaign_passes(&self, campaign: &str) -> Result<Vec<Pass>, StoreError> {
        let rows: Vec<PassRow> =
            read!(self, |pool| sqlx::query_as(SELECT_PASSES).bind(campaign).fetch_all(pool).await)?;
        let pass = |row: PassRow| Pass {
            number: row.number,
            steps: row.steps.split(' ').filter_map(|step| step.parse().ok()).collect(),
            due_at: Instant::from_millis(row.due_at),
            position: row.position,
            prepared_at: row.prepared_at.map(Instant::from_millis),
        };
        Ok(rows.into_iter().map(pass).collect())
    }

    /// Prepares the messages of the next riders of a pass. Returns the pass as it is afterwards;
    /// `None` if another node was faster, or the campaign does not run.
    pub async fn prepare_messages(
        &self,
        pass: &Pass,
        audience: &Audience<'_>,
        preparing: Preparing<'_>,
        now: Instant,
    ) -> Result<Option<Pass>, StoreError> {
        let limit = i64::try_from(RIDERS_PER_PAGE).unwrap_or(i64::MAX);
        let riders = self.recipients_after(audience, &pass.position, limit).await?;
        let is_last = riders.len() < RIDERS_PER_PAGE;
        let rows: Vec<MessageRow> =
            riders.iter().filter_map(|rider| message(pass, audience, rider, &preparing)).collect();
        // The position of a finished pass names no person.
        let last = riders.last().filter(|_| !is_last);
        let advanced = Pass {
            position: last.map(|rider| rider.subject.clone()).unwrap_or_default(),
            prepared_at: is_last.then_some(now),
            ..pass.clone()
        };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let changed = sqlx::query(ADVANCE_PASS)
                .bind(preparing.campaign)
                .bind(pass.number)
                .bind(&pass.position)
                .bind(&advanced.position)
                .bind(advanced.prepared_at.map(Instant::millis))
                .execute(&mut *tx)
                .await?;
            if changed.rows_affected() == 0 {
                return Ok(None);
            }
            if !rows.is_empty() {
                sqlx::query(insert_messages(self.engine()))
                    .bind(json(&rows))
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
            Ok(Some(advanced))
        })
    }
}
