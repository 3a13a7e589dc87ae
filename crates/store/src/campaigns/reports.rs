//! What happens to a message after it was sent: reports of mail servers, apps that fetch it, and
//! people who do not want more.

use musette_core::campaigns::{Attempt, DeliveryReport};
use musette_core::instant::Instant;
use musette_core::terms::TermId;
use serde_json::json as object;

use super::WAKE_SENDERS;
use super::sending::ComposedText;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify, read};
use crate::notices::receptions::INSERT_RECEPTIONS;
use crate::outbox::{NewEvent, append_events};

const SELECT_MESSAGE: &str = "SELECT m.id, m.campaign, c.term_id, m.step, m.channel, m.status,
    m.outcome, m.attempts, m.sent_at, m.person, u.id AS user_id FROM notice_messages AS m
    JOIN campaigns AS c ON c.id = m.campaign LEFT JOIN users AS u ON u.subject = m.person
    WHERE m.id = $1 AND m.person IS NOT NULL";
const SET_OUTCOME: &str = "UPDATE notice_messages SET outcome = $2, outcome_status = $3
    WHERE id = $1 AND status = 'done' AND outcome = 'accepted'";
const SET_RETRY: &str = "UPDATE notice_messages SET status = 'waiting', outcome = NULL,
    outcome_status = $2, next_at = $3, leased_until = 0, in_doubt = FALSE
    WHERE id = $1 AND status = 'done' AND outcome = 'accepted'";
/// A campaign with a message to send again has not finished.
const CONTINUE_CAMPAIGN: &str = "UPDATE campaigns SET status = 'running', ended_at = NULL
    WHERE id = $1 AND status = 'finished'";
/// Removes the reception by e-mail of a person whose message was not delivered.
const DELETE_RECEPTION: &str = "DELETE FROM notice_receptions
    WHERE person = $1 AND term_id = $2 AND channel = 'email'";
/// Restores the reception if another message about the term was accepted.
const RESTORE_RECEPTION: &str =
    "INSERT INTO notice_receptions (person, term_id, channel, received_at)
    SELECT m.person, c.term_id, m.channel, m.settled_at FROM notice_messages AS m
    JOIN campaigns AS c ON c.id = m.campaign
    WHERE m.person = $1 AND c.term_id = $2 AND m.outcome = 'accepted'
    ORDER BY m.settled_at LIMIT 1 ON CONFLICT (person, term_id) DO NOTHING";
const INSERT_OPT_OUT: &str = "INSERT INTO notice_opt_outs (person, at)
    SELECT person, CAST($2 AS BIGINT) FROM notice_messages WHERE id = $1 AND person IS NOT NULL
    ON CONFLICT (person) DO NOTHING";
const SELECT_OFFERED: &str = "SELECT m.id, m.campaign, m.step FROM notice_messages AS m
    JOIN campaigns AS c ON c.id = m.campaign
    WHERE m.person = $1 AND m.status = 'offered' AND c.status = 'running' AND c.term_id = $2";
const ACCEPT_OFFERED: &str = "UPDATE notice_messages SET status = 'done', outcome = 'accepted',
    attempts = 1, locale = $2, sha256 = $3, sent_at = $4, settled_at = $4
    WHERE id = $1 AND status = 'offered'";

#[cfg(test)]
pub(crate) const ALL: &[&str] = &[
    SELECT_MESSAGE,
    SET_OUTCOME,
    SET_RETRY,
    CONTINUE_CAMPAIGN,
    DELETE_RECEPTION,
    RESTORE_RECEPTION,
    INSERT_OPT_OUT,
    SELECT_OFFERED,
    ACCEPT_OFFERED,
];

/// Outcome of recording a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOutcome {
    /// No message has this ID.
    Unknown,
    /// The report is no failure, or the message has failed before.
    Unchanged,
    /// The message is sent again.
    Retried,
    /// The message was not delivered.
    Failed,
}

/// A message that waits for the person's app.
#[derive(Debug, Clone, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OfferedMessage {
    /// UUIDv7 of the message.
    pub id: String,
    /// ID of the campaign.
    pub campaign: String,
    /// Index of the step.
    pub step: i64,
}

#[derive(sqlx_macros::FromRow)]
struct ReportedRow {
    id: String,
    campaign: String,
    term_id: TermId,
    step: i64,
    channel: String,
    status: String,
    outcome: Option<String>,
    attempts: i64,
    sent_at: Option<i64>,
    person: String,
    user_id: Option<String>,
}

impl ReportedRow {
    fn event(self, kind: &'static str, status: &str, now: Instant) -> NewEvent {
        let data = object!({
            "campaign_id": self.campaign, "term_id": self.term_id, "message_id": self.id,
            "step": self.step, "channel": self.channel, "status": status,
        });
        let event = NewEvent::new(kind, now, &data);
        match self.user_id {
            Some(user_id) => event.for_user(user_id),
            None => event,
        }
    }
}

impl Store {
    /// Records what a mail server reports about the message with this ID.
    pub async fn record_report(
        &self,
        message: &str,
        report: &DeliveryReport,
        now: Instant,
    ) -> Result<ReportOutcome, StoreError> {
        let status = report.status.as_str();
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(WAKE_SENDERS).execute(&mut *tx).await?;
            let row: Option<ReportedRow> =
                sqlx::query_as(SELECT_MESSAGE).bind(message).fetch_optional(&mut *tx).await?;
            let Some(row) = row else { return Ok(ReportOutcome::Unknown) };
            let Some(sent_at) = row.sent_at else { return Ok(ReportOutcome::Unknown) };
            let is_accepted = row.status == "done" && row.outcome.as_deref() == Some("accepted");
            if !report.is_failure() || !is_accepted {
                return Ok(ReportOutcome::Unchanged);
            }
            let deferred = Attempt::Deferred(status.to_owned());
            let first = Instant::from_millis(sent_at);
            let retry_at = deferred.retry_at(row.attempts, first, now);
            if let Some(at) = retry_at.filter(|_| report.is_temporary()) {
                sqlx::query(SET_RETRY)
                    .bind(message)
                    .bind(status)
                    .bind(at.millis())
                    .execute(&mut *tx)
                    .await?;
                sqlx::query(CONTINUE_CAMPAIGN).bind(&row.campaign).execute(&mut *tx).await?;
                for statement in [DELETE_RECEPTION, RESTORE_RECEPTION] {
                    let query = sqlx::query(statement).bind(&row.person).bind(row.term_id);
                    query.execute(&mut *tx).await?;
                }
                tx.commit().await?;
                return Ok(ReportOutcome::Retried);
            }
            let (outcome, kind) = match report.is_temporary() {
                true => ("failed", "notice.failed"),
                false => ("bounced", "notice.bounced"),
            };
            sqlx::query(SET_OUTCOME)
                .bind(message)
                .bind(outcome)
                .bind(status)
                .execute(&mut *tx)
                .await?;
            for statement in [DELETE_RECEPTION, RESTORE_RECEPTION] {
                let query = sqlx::query(statement).bind(&row.person).bind(row.term_id);
                query.execute(&mut *tx).await?;
            }
            let last = append_events!(self, tx, vec![row.event(kind, status, now)]);
            tx.commit().await?;
            self.events_appended(last);
            Ok(ReportOutcome::Failed)
        })
    }

    /// Records that the recipient of a message does not want e-mails about optional terms.
    pub async fn opt_out_of_notices(&self, message: &str, now: Instant) -> Result<(), StoreError> {
        modify!(self, |pool| sqlx::query(INSERT_OPT_OUT)
            .bind(message)
            .bind(now.millis())
            .execute(pool)
            .await
            .map(drop))?;
        Ok(())
    }

    /// Returns the messages about a term that wait for the person's app.
    pub async fn offered_messages(
        &self,
        subject: &str,
        term: TermId,
    ) -> Result<Vec<OfferedMessage>, StoreError> {
        Ok(read!(self, |pool| sqlx::query_as(SELECT_OFFERED)
            .bind(subject)
            .bind(term)
            .fetch_all(pool)
            .await)?)
    }

    /// Records that the person's app has fetched a message.
    pub async fn accept_offered(
        &self,
        message: &OfferedMessage,
        text: &ComposedText,
        (subject, term): (&str, TermId),
        now: Instant,
    ) -> Result<(), StoreError> {
        let reception = object!([subject, term, "app", now.millis()]);
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            sqlx::query(WAKE_SENDERS).execute(&mut *tx).await?;
            sqlx::query(over_rows(self.engine(), INSERT_RECEPTIONS))
                .bind(json(&[reception]))
                .execute(&mut *tx)
                .await?;
            sqlx::query(ACCEPT_OFFERED)
                .bind(&message.id)
                .bind(&text.locale)
                .bind(&text.sha256)
                .bind(now.millis())
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
        });
        Ok(())
    }
}
