//! Leases messages to the node that sends them, at a rate that all nodes share, and records the
//! results.
//!
//! A lease marks the message as in doubt until its result is recorded. So after a crash, the next
//! node knows that the message may have been sent.

use musette_core::campaigns::Channel;
use musette_core::instant::Instant;
use serde_json::{Value, json as object};

use super::recipients::{Audience, Recipient, SELECT_RECIPIENTS};
use crate::db::batch::{json, over_few_rows, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};

/// Reads when the next message may be sent, in microseconds since 1970. It is a write and the first
/// statement of the transaction, so that only one node leases at a time.
const LOCK_RATE: &str = "INSERT INTO throttles (key, arrival) VALUES ('notices', 0)
    ON CONFLICT (key) DO UPDATE SET arrival = throttles.arrival RETURNING arrival";
const SET_RATE: &str = "UPDATE throttles SET arrival = $1 WHERE key = 'notices'";
const SELECT_IS_RUNNING: &str =
    "SELECT EXISTS (SELECT 1 FROM campaigns WHERE id = $1 AND status = 'running')";
const SELECT_DUE: &str = "SELECT id, step, channel, person, attempts, in_doubt, repeated, sent_at,
    sha256, batch IS NOT NULL AS is_batched FROM notice_messages
    WHERE campaign = $1 AND zone = $2 AND status = 'waiting' AND next_at <= $3
    AND leased_until <= $3 AND person IS NOT NULL ORDER BY next_at LIMIT $4";
const LEASE_MESSAGES: &str = "UPDATE notice_messages SET leased_until = $2,
    attempts = attempts + 1, repeated = repeated OR in_doubt, in_doubt = TRUE,
    sent_at = coalesce(sent_at, $3), address = wanted.value ->> 1, locale = wanted.value ->> 2,
    sha256 = wanted.value ->> 3 FROM {wanted} WHERE notice_messages.id = wanted.value ->> 0";
const SKIP_MESSAGES: &str = "UPDATE notice_messages SET status = 'skipped',
    reason = wanted.value ->> 1 FROM {wanted} WHERE notice_messages.id = wanted.value ->> 0";
/// Ends messages that may have been sent, and are not sent again.
const ABANDON_MESSAGES: &str = "UPDATE notice_messages SET status = 'done', outcome = 'failed',
    reason = wanted.value ->> 1, settled_at = $2, in_doubt = FALSE FROM {wanted}
    WHERE notice_messages.id = wanted.value ->> 0";
/// Selects each time zone of the waiting messages and when the first is due. The recursion reads one
/// row of the index for each zone.
const SELECT_ZONES: &str = "WITH RECURSIVE zones(zone) AS (
        SELECT min(zone) FROM notice_messages WHERE campaign = $1 AND status = 'waiting'
        UNION ALL
        SELECT (SELECT min(m.zone) FROM notice_messages AS m
            WHERE m.campaign = $1 AND m.status = 'waiting' AND m.zone > zones.zone)
        FROM zones WHERE zones.zone IS NOT NULL)
    SELECT zone, (SELECT min(m.next_at) FROM notice_messages AS m
        WHERE m.campaign = $1 AND m.status = 'waiting' AND m.zone = zones.zone) AS due_at
    FROM zones WHERE zone IS NOT NULL";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[LOCK_RATE, SET_RATE, SELECT_IS_RUNNING, SELECT_DUE, SELECT_ZONES];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = &[LEASE_MESSAGES, SKIP_MESSAGES, ABANDON_MESSAGES];

const SECOND_US: i64 = 1_000_000;
/// Messages of one tick may be leased together.
const TICK_US: i64 = SECOND_US / 10;
/// Number of messages that are checked in one transaction.
const CHECKED_AT_ONCE: i64 = 200;

/// The text of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposedText {
    /// Language of the text.
    pub locale: String,
    /// The subject.
    pub subject: String,
    /// The body.
    pub body: String,
    /// SHA-256 of what the person sees.
    pub sha256: String,
}

/// A message that this node sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedMessage {
    /// UUIDv7 of the message.
    pub id: String,
    /// Index of the step.
    pub step: i64,
    /// How it is sent.
    pub channel: Channel,
    /// Number of attempts with this one.
    pub attempts: i64,
    /// Whether an earlier attempt has no result.
    pub was_in_doubt: bool,
    /// Time of the first attempt.
    pub sent_at: Instant,
    /// The recipient.
    pub recipient: Recipient,
    /// What it says.
    pub text: ComposedText,
}

/// The messages that a node leased.
#[derive(Debug, Default)]
pub struct Leased {
    /// The messages to send.
    pub messages: Vec<LeasedMessage>,
    /// Number of messages that are not sent, because the person has decided or cannot be reached.
    pub skipped: usize,
}

/// How many messages a node may lease, and until when.
#[derive(Debug, Clone, Copy)]
pub struct LeaseLimits {
    /// Number of messages that the node can send now.
    pub free: i64,
    /// Number of messages a second of all nodes.
    pub rate: u32,
    /// Until then no other node sends them.
    pub until: Instant,
}

#[derive(sqlx_macros::FromRow)]
struct DueRow {
    id: String,
    step: i64,
    channel: String,
    person: String,
    attempts: i64,
    in_doubt: bool,
    sent_at: Option<i64>,
    sha256: Option<String>,
    is_batched: bool,
}

/// Returns the time from which messages are counted, and how many may be sent now. A pause of more
/// than a second is not made up for.
fn allowance(arrival: i64, now: Instant, rate: u32) -> (i64, i64) {
    let interval = interval_us(rate);
    let now = now.millis().saturating_mul(1000);
    let base =
        if arrival < now - SECOND_US || arrival > now + 60 * SECOND_US { now } else { arrival };
    (base, ((now + TICK_US.max(interval) - base) / interval).max(0))
}

fn interval_us(rate: u32) -> i64 {
    (SECOND_US / i64::from(rate.max(1))).max(1)
}

/// Decides which due messages are sent.
struct Judged {
    leased: Vec<LeasedMessage>,
    skipped: Vec<(String, &'static str)>,
    abandoned: Vec<(String, &'static str)>,
}

/// Writes the text of a step for a person.
pub type Compose<'a> = &'a (dyn Fn(&Recipient, i64) -> Option<ComposedText> + Sync);

fn judge(
    judged: &mut Judged,
    rows: Vec<DueRow>,
    (recipients, audience): (Vec<Recipient>, &Audience<'_>),
    compose: Compose<'_>,
    (limit, now): (usize, Instant),
) {
    for row in rows {
        if judged.leased.len() >= limit {
            return;
        }
        let recipient = recipients.iter().find(|one| one.subject == row.person);
        let channel = Channel::parse(&row.channel);
        // A person who is being erased has no user any more.
        let (Some(recipient), Some(channel)) = (recipient, channel) else { continue };
        let end = |judged: &mut Judged, reason| match row.in_doubt || row.is_batched {
            true => judged.abandoned.push((row.id.clone(), reason)),
            false => judged.skipped.push((row.id.clone(), reason)),
        };
        if let Some(reason) = audience.reachability(recipient).skip_reason(&[channel]) {
            end(judged, reason.as_str());
            continue;
        }
        let Some(text) = compose(recipient, row.step) else {
            end(judged, "no_text");
            continue;
        };
        // A message that may have been sent, or is proved, is only sent again with the same bytes.
        let is_fixed = row.in_doubt || row.is_batched;
        if is_fixed && row.sha256.as_ref().is_some_and(|sha256| *sha256 != text.sha256) {
            end(judged, "text_changed");
            continue;
        }
        judged.leased.push(LeasedMessage {
            id: row.id,
            step: row.step,
            channel,
            attempts: row.attempts + 1,
            was_in_doubt: row.in_doubt,
            sent_at: row.sent_at.map_or(now, Instant::from_millis),
            recipient: recipient.clone(),
            text,
        });
    }
}

/// Returns the parameters of [`LEASE_MESSAGES`]. The address is that of an e-mail, whose later bounce
/// concerns this address.
fn lease_row(message: &LeasedMessage) -> Value {
    let is_email = message.channel == Channel::Email;
    let address = message.recipient.email.as_ref().filter(|_| is_email);
    object!([message.id, address, message.text.locale, message.text.sha256])
}

impl Store {
    /// Leases messages of a campaign that are due in these time zones, which no other node sends
    /// until the lease ends. Messages to people who have decided meanwhile are skipped.
    pub async fn lease_messages(
        &self,
        (campaign, audience): (&str, &Audience<'_>),
        zones: &[String],
        limits: LeaseLimits,
        compose: Compose<'_>,
        now: Instant,
    ) -> Result<Leased, StoreError> {
        let engine = self.engine();
        let mut judged = Judged { leased: Vec::new(), skipped: Vec::new(), abandoned: Vec::new() };
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let arrival: i64 = sqlx::query_scalar(LOCK_RATE).fetch_one(&mut *tx).await?;
            let (base, allowed) = allowance(arrival, now, limits.rate);
            let limit = usize::try_from(allowed.min(limits.free)).unwrap_or(0);
            let is_running: bool =
                sqlx::query_scalar(SELECT_IS_RUNNING).bind(campaign).fetch_one(&mut *tx).await?;
            if limit == 0 || !is_running {
                return Ok(Leased::default());
            }
            for zone in zones {
                if judged.leased.len() >= limit {
                    break;
                }
                let rows: Vec<DueRow> = sqlx::query_as(SELECT_DUE)
                    .bind(campaign)
                    .bind(zone)
                    .bind(now.millis())
                    .bind(CHECKED_AT_ONCE)
                    .fetch_all(&mut *tx)
                    .await?;
                let persons: Vec<[&str; 1]> =
                    rows.iter().map(|row| [row.person.as_str()]).collect();
                let recipients = sqlx::query_as(over_few_rows(engine, SELECT_RECIPIENTS))
                    .bind(json(&persons))
                    .bind(&audience.versions)
                    .fetch_all(&mut *tx)
                    .await?;
                judge(&mut judged, rows, (recipients, audience), compose, (limit, now));
            }
            let Judged { leased, skipped, abandoned } = &judged;
            if !leased.is_empty() {
                sqlx::query(over_rows(engine, LEASE_MESSAGES))
                    .bind(json(&leased.iter().map(lease_row).collect::<Vec<_>>()))
                    .bind(limits.until.millis())
                    .bind(now.millis())
                    .execute(&mut *tx)
                    .await?;
                let count = i64::try_from(leased.len()).unwrap_or(i64::MAX);
                sqlx::query(SET_RATE)
                    .bind(base + count * interval_us(limits.rate))
                    .execute(&mut *tx)
                    .await?;
            }
            if !skipped.is_empty() {
                sqlx::query(over_rows(engine, SKIP_MESSAGES))
                    .bind(json(skipped))
                    .execute(&mut *tx)
                    .await?;
            }
            if !abandoned.is_empty() {
                sqlx::query(over_rows(engine, ABANDON_MESSAGES))
                    .bind(json(abandoned))
                    .bind(now.millis())
                    .execute(&mut *tx)
                    .await?;
            }
            tx.commit().await?;
        });
        let skipped = judged.skipped.len() + judged.abandoned.len();
        Ok(Leased { messages: judged.leased, skipped })
    }

    /// Returns the time zones of the waiting messages of a campaign, and when the first message of
    /// each is due.
    pub async fn waiting_zones(
        &self,
        campaign: &str,
    ) -> Result<Vec<(String, Instant)>, StoreError> {
        let rows: Vec<(String, i64)> =
            read!(self, |pool| sqlx::query_as(SELECT_ZONES).bind(campaign).fetch_all(pool).await)?;
        Ok(rows.into_iter().map(|(zone, at)| (zone, Instant::from_millis(at))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allows_the_rate_and_makes_up_for_short_pauses_only() {
        let now = Instant::from_millis(1_000_000_000);
        let now_us = 1_000_000_000_000;
        let count = |arrival| allowance(arrival, now, 20).1;
        assert_eq!(count(0), 2, "after a long pause");
        assert_eq!(count(now_us), 2);
        assert_eq!(count(now_us + 100_000), 0);
        assert_eq!(count(now_us + 50_000), 1);
        assert_eq!(count(now_us - 500_000), 12, "half a second is made up for");
        assert_eq!(allowance(0, now, 1).1, 1);
        assert_eq!(count(now_us + 120 * SECOND_US), 2, "the clock was set back");
        // Over a second of ticks, the sum is the rate.
        for rate in [1, 20, 1000] {
            let (mut arrival, mut sent) = (now_us, 0);
            for tick in 0..100 {
                let now = Instant::from_millis(1_000_000_000 + tick * 100);
                let (base, count) = allowance(arrival, now, rate);
                arrival = base + count * interval_us(rate);
                sent += count;
            }
            assert!(
                (sent - i64::from(rate) * 10).abs() <= i64::from(rate) / 5 + 1,
                "{rate}: {sent}"
            );
        }
    }
}
