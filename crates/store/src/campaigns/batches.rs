//! Closes batches: the messages of a step that have an outcome get a leaf in a Merkle tree, whose
//! root is in the log.

use std::time::Duration;

use musette_core::campaigns::{BATCH_MESSAGES_MAX, Channel, MessageRecord, leaf, root};
use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, NoticeBatch, NoticeBatchType, V1};
use musette_core::log::hash::Hash;
use serde_json::json as object;

use super::Campaign;
use crate::db::batch::{ColumnType, Table, json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::decisions::Randomness;
use crate::log::append::named;
use crate::log::{LOCK, NewEntry, append, corrupt, log_end, subject_key};
use crate::outbox::{NewEvent, append_events};

pub(crate) const BATCHES: Table = Table {
    name: "notice_batches",
    columns: &[
        ("id", ColumnType::Text),
        ("campaign", ColumnType::Text),
        ("step", ColumnType::Int),
        ("channel", ColumnType::Text),
        ("count", ColumnType::Int),
        ("root", ColumnType::Text),
        ("closed_at", ColumnType::Int),
        ("log", ColumnType::Int),
        ("idx", ColumnType::Int),
    ],
};

const SELECT_OPEN_BATCHES: &str = "SELECT step, count(*) AS messages, min(settled_at) AS since
    FROM notice_messages WHERE campaign = $1 AND status = 'done' AND batch IS NULL GROUP BY step";
/// Whether messages of the step are still sent, or not even prepared.
const SELECT_IS_OPEN: &str = "SELECT EXISTS (SELECT 1 FROM notice_messages
        WHERE campaign = $1 AND step = $2 AND status IN ('waiting', 'offered'))
    OR EXISTS (SELECT 1 FROM campaign_passes WHERE campaign = $1 AND prepared_at IS NULL
        AND ' ' || steps || ' ' LIKE '% ' || CAST($2 AS TEXT) || ' %')";
const SELECT_UNBATCHED: &str = "SELECT m.id, m.channel, m.locale, m.sha256, m.sent_at, s.key,
    u.id AS user_id FROM notice_messages AS m JOIN subjects AS s ON s.ref = m.person
    JOIN users AS u ON u.subject = m.person
    WHERE m.campaign = $1 AND m.step = $2 AND m.status = 'done' AND m.batch IS NULL
    ORDER BY m.settled_at, m.id LIMIT $3";
const SET_BATCH: &str = "UPDATE notice_messages SET batch = $2,
    idx = CAST(wanted.value ->> 1 AS BIGINT), salt = wanted.value ->> 2,
    record = wanted.value ->> 3, leaf = wanted.value ->> 4 FROM {wanted}
    WHERE notice_messages.id = wanted.value ->> 0";
const INSERT_BATCH: &str = "INSERT INTO notice_batches
    (id, campaign, step, channel, count, root, closed_at, log, idx)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

#[cfg(test)]
pub(crate) const ALL: &[&str] =
    &[SELECT_OPEN_BATCHES, SELECT_IS_OPEN, SELECT_UNBATCHED, INSERT_BATCH];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[SET_BATCH];

/// The longest time between the first message of a batch and its entry.
const CLOSED_WITHIN: Duration = Duration::from_secs(60);
/// A batch is closed a little earlier, because the entry takes time as well.
const CLOSED_AFTER: Duration = Duration::from_secs(55);
const _: () = assert!(CLOSED_AFTER.as_secs() < CLOSED_WITHIN.as_secs());

#[derive(sqlx_macros::FromRow)]
struct OpenBatch {
    step: i64,
    messages: i64,
    since: Option<i64>,
}

#[derive(sqlx_macros::FromRow)]
struct UnbatchedRow {
    id: String,
    channel: String,
    locale: Option<String>,
    sha256: Option<String>,
    sent_at: Option<i64>,
    key: String,
    user_id: String,
}

/// A message in a batch.
struct Leaf {
    id: String,
    salt: [u8; 32],
    record: String,
    hash: Hash,
}

fn leaf_of(
    campaign: &str,
    step: i64,
    channel: Channel,
    row: UnbatchedRow,
    salt: [u8; 32],
) -> Result<Leaf, StoreError> {
    let missing = |what: &str| corrupt(format!("message {} has no {what}", row.id));
    let sent_at = row.sent_at.ok_or_else(|| missing("sent_at"))?;
    let record = MessageRecord {
        campaign: campaign.to_owned(),
        channel,
        locale: row.locale.clone().ok_or_else(|| missing("locale"))?,
        message: row.id.clone(),
        sent_at: Instant::from_millis(sent_at).to_string(),
        sha256: row.sha256.clone().ok_or_else(|| missing("sha256"))?,
        step,
        subject: subject_key(&row.key)?.subject(&row.user_id),
        v: 1,
    };
    let record = serde_json::to_string(&record).map_err(corrupt)?;
    let hash = leaf(&salt, &record);
    Ok(Leaf { id: row.id, salt, record, hash })
}

fn entry_of(
    campaign: &str,
    (step, channel): (i64, Channel),
    (count, root): (i64, &str),
    at: Instant,
) -> Result<NewEntry, StoreError> {
    let entry = Entry::NoticeBatch(NoticeBatch {
        campaign: campaign.to_owned(),
        channel,
        count,
        recorded_at: at.to_string(),
        root: root.to_owned(),
        step,
        kind: NoticeBatchType::NoticeBatch,
        v: V1,
    });
    named(&entry, None)
}

impl Store {
    /// Closes the batches of a campaign that are full, old enough, or the last of their step; all of
    /// them if the campaign does not run. Returns when the next one must be closed.
    pub async fn close_batches(
        &self,
        campaign: &Campaign,
        is_running: bool,
        random: Randomness,
        now: Instant,
    ) -> Result<Option<Instant>, StoreError> {
        let open: Vec<OpenBatch> = read!(self, |pool| sqlx::query_as(SELECT_OPEN_BATCHES)
            .bind(&campaign.id)
            .fetch_all(pool)
            .await)?;
        let mut next: Option<Instant> = None;
        for batch in open {
            let is_full = usize::try_from(batch.messages).unwrap_or(0) >= BATCH_MESSAGES_MAX;
            let due_at = Instant::from_millis(batch.since.unwrap_or(0)).plus(CLOSED_AFTER);
            let is_due = is_full || !is_running || due_at <= now;
            if is_due || !self.is_open_step(&campaign.id, batch.step).await? {
                while self.close_batch(campaign, batch.step, random, now).await?
                    == BATCH_MESSAGES_MAX
                {}
            } else {
                next = Some(next.map_or(due_at, |next| next.min(due_at)));
            }
        }
        Ok(next)
    }

    async fn is_open_step(&self, campaign: &str, step: i64) -> Result<bool, StoreError> {
        Ok(read!(self, |pool| sqlx::query_scalar(SELECT_IS_OPEN)
            .bind(campaign)
            .bind(step)
            .fetch_one(pool)
            .await)?)
    }

    /// Closes one batch of a step, and returns its number of messages.
    async fn close_batch(
        &self,
        campaign: &Campaign,
        step: i64,
        random: Randomness,
        now: Instant,
    ) -> Result<usize, StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(LOCK).execute(&mut *tx).await?;
            let rows: Vec<UnbatchedRow> = sqlx::query_as(SELECT_UNBATCHED)
                .bind(&campaign.id)
                .bind(step)
                .bind(i64::try_from(BATCH_MESSAGES_MAX).unwrap_or(i64::MAX))
                .fetch_all(&mut *tx)
                .await?;
            let Some(first) = rows.first() else { return Ok(0) };
            let channel =
                Channel::parse(&first.channel).ok_or_else(|| corrupt("a channel is unknown"))?;
            let leaves: Result<Vec<Leaf>, StoreError> = rows
                .into_iter()
                .map(|row| leaf_of(&campaign.id, step, channel, row, (random.bytes)()))
                .collect();
            let leaves = leaves?;
            let count = i64::try_from(leaves.len()).unwrap_or(i64::MAX);
            let root =
                hex::encode(root(&leaves.iter().map(|leaf| leaf.hash).collect::<Vec<_>>()).0);
            let mut end = log_end!(self, tx);
            let at = end.instant(now);
            let entry = entry_of(&campaign.id, (step, channel), (count, &root), at)?;
            let appended = append!(self, tx, end, &[entry]);
            let id = (random.uuid)();
            sqlx::query(INSERT_BATCH)
                .bind(&id)
                .bind(&campaign.id)
                .bind(step)
                .bind(channel.as_str())
                .bind(count)
                .bind(&root)
                .bind(at.millis())
                .bind(appended.log())
                .bind(appended.size() - 1)
                .execute(&mut *tx)
                .await?;
            let row = |(idx, leaf): (usize, &Leaf)| {
                object!([
                    leaf.id,
                    idx,
                    hex::encode(leaf.salt),
                    leaf.record,
                    hex::encode(leaf.hash.0)
                ])
            };
            let rows: Vec<_> = leaves.iter().enumerate().map(row).collect();
            sqlx::query(over_rows(self.engine(), SET_BATCH))
                .bind(json(&rows))
                .bind(&id)
                .execute(&mut *tx)
                .await?;
            let data = object!({
                "campaign_id": campaign.id, "term_id": campaign.definition.term_id, "batch_id": id,
                "step": step, "channel": channel.as_str(), "count": count,
            });
            let last = append_events!(self, tx, vec![NewEvent::new("notice.sent", at, &data)]);
            tx.commit().await?;
            self.cache_end(appended);
            self.events_appended(last);
            Ok(leaves.len())
        })
    }
}
