//! Notifies a previous e-mail address or phone number that it no longer belongs to an account, so
//! that its owner learns of a change that they have not made.
//!
//! This is not done in the request, because a command on the server's machine can also change
//! addresses and sends nothing.

use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{ContactNotice, StoreError};

use super::app::App;
use crate::platform::random;
use crate::sessions::delivery::{Notice, NotificationKind};

const MINUTE_MS: i64 = 60 * 1000;
/// The time for which a node leases a notification.
const LEASE_MS: i64 = 5 * MINUTE_MS;
const NOTICES_PER_LEASE: i64 = 20;
/// The number of attempts; after the last one, hours later, the message is dropped.
const ATTEMPTS_MAX: i64 = 6;

/// Sends the notifications that are due.
pub async fn send(app: Arc<App>) -> Result<(), StoreError> {
    let now = app.now();
    let leased =
        app.store.lease_contact_notices(now, plus_ms(now, LEASE_MS), NOTICES_PER_LEASE).await?;
    for notice in leased {
        let Some(message) = message(&notice).filter(|_| app.delivery.sends()) else {
            tracing::warn!(
                "the previous owner of a changed address was not notified: set up --code-delivery"
            );
            app.store.settle_contact_notice(&notice, None).await?;
            continue;
        };
        let next_at = match app.delivery.notify(&message).await {
            Ok(()) => None,
            Err(error) => {
                // Logs the reason only, never the recipient.
                tracing::warn!(error = %error, "a notification about a changed address was not delivered: it is retried up to six times");
                metrics::counter!("musette_contact_notices_undelivered_total").increment(1);
                retry_at(app.now(), notice.tries)
            }
        };
        app.store.settle_contact_notice(&notice, next_at).await?;
    }
    Ok(())
}

fn message(notice: &ContactNotice) -> Option<Notice> {
    let key = format!("{} {} {}", notice.user_id, notice.address, notice.changed_at);
    Some(Notice {
        kind: NotificationKind::ContactChanged,
        address: Identifier::parse(&notice.address)?,
        languages: notice.locale.clone().unwrap_or_default(),
        about: String::new(),
        url: String::new(),
        // A receiver detects a retry after a crash by this key.
        key: random::sha256_hex(key.as_bytes()),
    })
}

fn plus_ms(now: Instant, by_ms: i64) -> Instant {
    Instant::from_millis(now.millis().saturating_add(by_ms))
}

/// Returns the time of the next attempt: a minute after the first failure, then four times as long
/// each time. None after the last.
fn retry_at(now: Instant, tries: i64) -> Option<Instant> {
    let times = 4_i64.saturating_pow(u32::try_from(tries - 1).unwrap_or_default());
    (tries < ATTEMPTS_MAX).then(|| plus_ms(now, MINUTE_MS.saturating_mul(times)))
}
