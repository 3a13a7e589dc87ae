//! Background work and metrics of decisions about riders.

pub mod excusals;
pub mod systems;

use metrics::{gauge, histogram};
use musette_core::instant::Instant;
use musette_store::{Randomness, Store, StoreError};

use crate::platform::random;

/// Random values for entries and salts.
pub const RANDOM: Randomness = Randomness { bytes: random::bytes, uuid: random::uuid };

/// Writes evaluations that became final and restrictions that ended, sends reminders, deletes
/// assignments that ended, and sets the gauges of open discussions by market.
pub async fn keep(store: &Store, now: Instant) -> Result<(), StoreError> {
    store.settle_evaluations(RANDOM, now).await?;
    store.send_discussion_reminders(now).await?;
    store.expire_restrictions(RANDOM, now).await?;
    store.send_review_reminders(now).await?;
    store.delete_expired_assignments(now).await?;
    for counts in store.discussion_counts(now).await? {
        let oldest = counts.oldest.map_or(0, |at| (now.millis() - at).max(0) / 1000);
        let market = counts.market;
        gauge!("musette_evaluation_discussions_open", "market" => market.clone())
            .set(counts.open as f64);
        gauge!("musette_evaluation_discussions_oldest_seconds", "market" => market.clone())
            .set(oldest as f64);
        gauge!("musette_evaluation_discussions_overdue", "market" => market)
            .set(counts.overdue as f64);
    }
    Ok(())
}

/// Records the time to answer of each answered discussion.
pub fn measure_answers(answered: &[(Option<String>, i64)]) {
    for (market, millis) in answered {
        let market = market.clone().unwrap_or_default();
        histogram!("musette_evaluation_answer_seconds", "market" => market)
            .record(*millis as f64 / 1000.0);
    }
}
