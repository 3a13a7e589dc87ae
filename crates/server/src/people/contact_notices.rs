//! Tells a former e-mail address or phone number that it is no longer the one of an account: whoever owns it learns of a
//! change that they did not ask for.
//!
//! Not in the request: also a command on the server's machine changes addresses, and sends nothing itself.

use std::sync::Arc;

use musette_core::instant::Instant;
use musette_core::session::Identifier;
use musette_store::{ContactNotice, StoreError};

use crate::app::App;
use crate::delivery::{Notice, NoticeKind};
use crate::random;

const MINUTE_MS: i64 = 60 * 1000;
/// A node has that long for what it leased.
const LEASE_MS: i64 = 5 * MINUTE_MS;
const AT_ONCE: i64 = 20;
/// After the last try, hours later, the message is given up.
const TRIES: i64 = 6;

/// Sends the messages that are due.
pub async fn send(app: Arc<App>) -> Result<(), StoreError> {
    let now = app.now();
    let leased = app.store.lease_contact_notices(now, later(now, LEASE_MS), AT_ONCE).await?;
    for notice in leased {
        let Some(message) = message(&notice).filter(|_| app.delivery.sends()) else {
            tracing::warn!("nobody was told of a changed address: nothing delivers such messages");
            app.store.settle_contact_notice(&notice, None).await?;
            continue;
        };
        let next_at = match app.delivery.notify(&message).await {
            Ok(()) => None,
            Err(error) => {
                // The reason only, never whom it was for.
                tracing::warn!(error = %error, "a message about a changed address was not delivered");
                metrics::counter!("musette_contact_notices_undelivered_total").increment(1);
                again_at(app.now(), notice.tries)
            }
        };
        app.store.settle_contact_notice(&notice, next_at).await?;
    }
    Ok(())
}

fn message(notice: &ContactNotice) -> Option<Notice> {
    let key = format!("{} {} {}", notice.user_id, notice.address, notice.changed_at);
    Some(Notice {
        kind: NoticeKind::ContactChanged,
        address: Identifier::parse(&notice.address)?,
        languages: notice.locale.clone().unwrap_or_default(),
        about: String::new(),
        url: String::new(),
        // A receiver recognises a repeat after a crash.
        key: random::sha256_hex(key.as_bytes()),
    })
}

fn later(now: Instant, by_ms: i64) -> Instant {
    Instant::from_millis(now.millis().saturating_add(by_ms))
}

/// A minute after the first failure, then four times as long each time; none after the last.
fn again_at(now: Instant, tries: i64) -> Option<Instant> {
    let times = 4_i64.saturating_pow(u32::try_from(tries - 1).unwrap_or_default());
    (tries < TRIES).then(|| later(now, MINUTE_MS.saturating_mul(times)))
}
