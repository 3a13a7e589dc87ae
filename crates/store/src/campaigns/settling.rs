//! Records the results of attempts.

use musette_core::campaigns::Attempt;
use musette_core::instant::Instant;
use musette_core::terms::TermId;
use serde_json::{Value, json as object};

use super::sending::LeasedMessage;
use crate::db::batch::{json, over_rows};
use crate::db::error::StoreError;
use crate::db::{Store, modify};
use crate::notices::receptions::INSERT_RECEPTIONS;
use crate::outbox::{NewEvent, append_events};

/// Records the result of an attempt. `$8` is 1 if the attempt does not count.
const SETTLE_MESSAGE: &str = "UPDATE notice_messages SET status = $2, next_at = $3,
    leased_until = 0, in_doubt = $4, outcome = $5, outcome_status = $6, settled_at = $7,
    attempts = attempts - $8, sent_at = CASE WHEN attempts = $8 THEN NULL ELSE sent_at END
    WHERE id = $1 AND status = 'waiting'";
#[cfg(test)]
pub(crate) const ALL: &[&str] = &[SETTLE_MESSAGE];

/// The result of an attempt.
#[derive(Debug, Clone)]
pub struct SettledMessage {
    /// The message.
    pub message: LeasedMessage,
    /// The result.
    pub attempt: Attempt,
    /// Time of the result.
    pub at: Instant,
}

impl Store {
    /// Records the results of attempts, with the events of messages that were not delivered.
    pub async fn settle_messages(
        &self,
        campaign: &str,
        term: TermId,
        settled: &[SettledMessage],
    ) -> Result<(), StoreError> {
        modify!(self, |pool| {
            let mut tx = pool.begin().await?;
            let mut events = Vec::new();
            for result in settled {
                let SettledMessage { message, attempt, at } = result;
                let Settlement { status, next_at, in_doubt, outcome, outcome_status, uncounted } =
                    settlement(result);
                let changed = sqlx::query(SETTLE_MESSAGE)
                    .bind(&message.id)
                    .bind(status)
                    .bind(next_at.millis())
                    .bind(in_doubt)
                    .bind(outcome)
                    .bind(outcome_status)
                    .bind((status == "done").then_some(at.millis()))
                    .bind(uncounted)
                    .execute(&mut *tx)
                    .await?;
                let kind = match (status, attempt) {
                    ("done", Attempt::Accepted) | ("waiting", _) => None,
                    (_, Attempt::Bounced(_)) => Some("notice.bounced"),
                    _ => Some("notice.failed"),
                };
                if changed.rows_affected() == 1
                    && let Some(kind) = kind
                {
                    let data = object!({
                        "campaign_id": campaign, "term_id": term, "message_id": message.id,
                        "step": message.step, "channel": message.channel.as_str(),
                        "status": outcome_status,
                    });
                    let event = NewEvent::new(kind, *at, &data);
                    events.push(event.for_user(&message.recipient.user_id));
                }
            }
            let receptions: Vec<Value> =
                settled.iter().filter_map(|one| reception(one, term)).collect();
            if !receptions.is_empty() {
                sqlx::query(over_rows(self.engine(), INSERT_RECEPTIONS))
                    .bind(json(&receptions))
                    .execute(&mut *tx)
                    .await?;
            }
            let last = append_events!(self, tx, events);
            tx.commit().await?;
            self.events_appended(last);
        });
        Ok(())
    }
}

/// Returns the parameters of [`INSERT_RECEPTIONS`] for a message that was accepted.
fn reception(result: &SettledMessage, term: TermId) -> Option<Value> {
    let SettledMessage { message, attempt, at } = result;
    let person = &message.recipient.subject;
    (*attempt == Attempt::Accepted)
        .then(|| object!([person, term, message.channel.as_str(), at.millis()]))
}

/// The columns of a message after an attempt.
struct Settlement<'a> {
    status: &'static str,
    next_at: Instant,
    in_doubt: bool,
    outcome: Option<&'static str>,
    outcome_status: Option<&'a str>,
    uncounted: i64,
}

fn settlement(SettledMessage { message, attempt, at }: &SettledMessage) -> Settlement<'_> {
    let retry_at = attempt.retry_at(message.attempts, message.sent_at, *at);
    let outcome = match attempt {
        Attempt::Accepted => "accepted",
        Attempt::Bounced(_) => "bounced",
        _ => "failed",
    };
    let outcome_status = match attempt {
        Attempt::Deferred(status) | Attempt::Bounced(status) | Attempt::Failed(status) => {
            Some(status.as_str())
        }
        _ => None,
    };
    let in_doubt = match attempt {
        Attempt::Unanswered => true,
        // The attempt before is still without a result.
        Attempt::Unreachable => message.was_in_doubt,
        _ => false,
    };
    Settlement {
        status: if retry_at.is_some() { "waiting" } else { "done" },
        next_at: retry_at.unwrap_or(*at),
        in_doubt: in_doubt && retry_at.is_some(),
        outcome: retry_at.is_none().then_some(outcome),
        outcome_status,
        uncounted: i64::from(*attempt == Attempt::Unreachable),
    }
}
