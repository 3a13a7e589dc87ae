//! Compares the batches of messages with their entries, and each message with its leaf.

use std::collections::HashMap;

use hex::FromHex as _;
use musette_core::campaigns::{Channel, MessageRecord, leaf, root};
use musette_core::instant::Instant;
use musette_core::log::entry::{Entry, NoticeBatch};
use musette_core::log::hash::Hash;

use super::Run;
use crate::db::error::StoreError;
use crate::db::{Store, read};
use crate::log::leaf_text::parse_hash;
use crate::log::subject_key;

const SELECT_BATCHES: &str = "SELECT id, campaign, step, channel, count, root, closed_at, log, idx
    FROM notice_batches WHERE id > $1 ORDER BY id LIMIT 200";
const SELECT_MESSAGES: &str = "SELECT m.id, m.campaign, m.step, m.person, m.channel, m.locale,
    m.sha256, m.sent_at, m.idx, m.salt, m.record, m.leaf, s.key, u.id AS user_id
    FROM notice_messages AS m LEFT JOIN subjects AS s ON s.ref = m.person
    LEFT JOIN users AS u ON u.subject = m.person WHERE m.batch = $1 ORDER BY m.idx";
const SELECT_STRAY_MESSAGES: &str = "SELECT m.id FROM notice_messages AS m
    WHERE m.batch IS NOT NULL AND NOT EXISTS (SELECT 1 FROM notice_batches AS b WHERE b.id = m.batch)
    ORDER BY m.id LIMIT 100";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[SELECT_BATCHES, SELECT_MESSAGES, SELECT_STRAY_MESSAGES];

/// Batches whose row was not read yet, by log and index of the entry.
pub(super) type ReplayedBatches = HashMap<(i64, i64), NoticeBatch>;

#[derive(sqlx_macros::FromRow)]
struct BatchRow {
    id: String,
    campaign: String,
    step: i64,
    channel: String,
    count: i64,
    root: String,
    closed_at: i64,
    log: i64,
    idx: i64,
}

#[derive(sqlx_macros::FromRow)]
struct MessageRow {
    id: String,
    campaign: String,
    step: i64,
    person: Option<String>,
    channel: String,
    locale: Option<String>,
    sha256: Option<String>,
    sent_at: Option<i64>,
    idx: Option<i64>,
    salt: Option<String>,
    record: Option<String>,
    leaf: Option<String>,
    key: Option<String>,
    user_id: Option<String>,
}

impl Run<'_> {
    pub(super) fn replay_batch(&mut self, log: i64, idx: i64, entry: &Entry) {
        if let Entry::NoticeBatch(batch) = entry {
            self.replayed.batches.insert((log, idx), batch.clone());
        }
    }
}

impl Store {
    pub(super) async fn verify_notices(&self, run: &mut Run<'_>) -> Result<(), StoreError> {
        let mut after = String::new();
        loop {
            let rows: Result<Vec<BatchRow>, _> = read!(self, |pool| sqlx::query_as(SELECT_BATCHES)
                .bind(&after)
                .fetch_all(pool)
                .await);
            let rows = run.readable("notice_batches", &after, rows)?;
            let Some(last) = rows.last() else { break };
            after.clone_from(&last.id);
            for batch in rows {
                self.verify_batch(run, &batch).await?;
            }
        }
        for ((log, idx), _) in std::mem::take(&mut run.replayed.batches) {
            run.report("notice_batches", format!("log {log} index {idx}"), "the row is missing");
        }
        let strays: Vec<String> =
            read!(self, |pool| sqlx::query_scalar(SELECT_STRAY_MESSAGES).fetch_all(pool).await)?;
        for id in strays {
            run.report("notice_messages", format!("message {id}"), "the batch is missing");
        }
        Ok(())
    }

    async fn verify_batch(&self, run: &mut Run<'_>, batch: &BatchRow) -> Result<(), StoreError> {
        let place = format!("batch {}", batch.id);
        // A batch that was closed during the verification is verified the next time.
        if !run.replayed.decisions.covers(Some(batch.log), Some(batch.idx)) {
            return Ok(());
        }
        let Some(entry) = run.replayed.batches.remove(&(batch.log, batch.idx)) else {
            run.report("notice_batches", place, "no entry of the log records it");
            return Ok(());
        };
        if let Some(column) = differing_column(batch, &entry) {
            run.report("notice_batches", &place, format!("{column} differs from the log"));
        }
        let rows: Result<Vec<MessageRow>, _> = read!(self, |pool| sqlx::query_as(SELECT_MESSAGES)
            .bind(&batch.id)
            .fetch_all(pool)
            .await);
        let rows = run.readable("notice_messages", &place, rows)?;
        let is_complete = i64::try_from(rows.len()) == Ok(entry.count)
            && rows.iter().zip(0..).all(|(row, idx)| row.idx == Some(idx));
        if !is_complete {
            run.report("notice_messages", &place, "messages are missing or out of order");
            return Ok(());
        }
        let mut leaves = Vec::with_capacity(rows.len());
        for row in &rows {
            match verified_leaf(row) {
                Ok(leaf) => leaves.push(leaf),
                Err(message) => {
                    run.report("notice_messages", format!("message {}", row.id), message);
                    return Ok(());
                }
            }
        }
        if hex::encode(root(&leaves).0) != entry.root {
            run.report("notice_messages", &place, "the messages do not lead to the root");
        }
        Ok(())
    }
}

/// Returns the first column that differs from the entry.
fn differing_column(row: &BatchRow, entry: &NoticeBatch) -> Option<&'static str> {
    let closed_at = Instant::from_millis(row.closed_at).to_string();
    let differs = [
        ("campaign", row.campaign != entry.campaign),
        ("step", row.step != entry.step),
        ("channel", row.channel != entry.channel.as_str()),
        ("count", row.count != entry.count),
        ("root", row.root != entry.root),
        ("closed_at", closed_at != entry.recorded_at),
    ];
    differs.into_iter().find(|(_, differs)| *differs).map(|(column, _)| column)
}

/// Returns the leaf of a message, after comparing its record with its columns. The message of an
/// erased person has only the leaf.
fn verified_leaf(row: &MessageRow) -> Result<Hash, String> {
    let stored = row.leaf.as_deref().ok_or("the leaf is missing")?;
    let stored = parse_hash(stored).map_err(|_| "the leaf is malformed")?;
    let (Some(salt), Some(text)) = (&row.salt, &row.record) else {
        return match row.person {
            None => Ok(stored),
            Some(_) => Err("the record is missing".into()),
        };
    };
    let salt = <[u8; 32]>::from_hex(salt).map_err(|_| "the salt is malformed")?;
    if leaf(&salt, text) != stored {
        return Err("the record is not the one of the leaf".into());
    }
    let record: MessageRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let (Some(key), Some(user_id)) = (&row.key, &row.user_id) else {
        return Err("the person was erased, but not the message".into());
    };
    let subject = subject_key(key).map_err(|_| "the key of the person is malformed")?;
    let sent_at = row.sent_at.map(|at| Instant::from_millis(at).to_string());
    let differs = [
        ("id", record.message != row.id),
        ("campaign", record.campaign != row.campaign),
        ("step", record.step != row.step),
        ("channel", Some(record.channel) != Channel::parse(&row.channel)),
        ("locale", Some(&record.locale) != row.locale.as_ref()),
        ("sha256", Some(&record.sha256) != row.sha256.as_ref()),
        ("sent_at", Some(&record.sent_at) != sent_at.as_ref()),
        ("person", record.subject != subject.subject(user_id)),
    ];
    match differs.into_iter().find(|(_, differs)| *differs) {
        Some((column, _)) => Err(format!("{column} differs from the record")),
        None => Ok(stored),
    }
}
