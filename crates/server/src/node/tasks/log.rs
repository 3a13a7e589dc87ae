//! Measures the state of the evidence log. Only reads.

use std::sync::Arc;

use metrics::gauge;
use musette_store::StoreError;

use crate::node::app::App;

fn seconds(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

/// Sets the size, the time of the newest entry and of the last verification. Timestamps stay
/// correct between two runs.
pub async fn measure(app: Arc<App>) -> Result<(), StoreError> {
    let newest = app.store.newest_entry().await?;
    gauge!("musette_log_entries").set(newest.map_or(0.0, |newest| newest.entries as f64));
    if let Some(at) = newest.and_then(|newest| newest.recorded_at) {
        gauge!("musette_log_newest_entry_timestamp_seconds").set(seconds(at.millis()));
    }
    if let Some(verified) = app.store.last_verified().await? {
        gauge!("musette_log_verified_timestamp_seconds").set(seconds(verified.at));
        gauge!("musette_log_verified_faults").set(verified.errors as f64);
    }
    Ok(())
}
