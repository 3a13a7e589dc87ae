//! Writes buffered data to the store, so that no request waits for it.

use std::sync::Arc;

use musette_store::StoreError;

use crate::flags::ruleset::history;
use crate::node::app::App;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Writes all buffered data before the server stops. Data that cannot be written is lost.
pub async fn flush_all(app: &Arc<App>) {
    app.refusals.flush(&app.store, app.now(), true).await;
    let results = [
        ("sessions", sessions(Arc::clone(app)).await),
        ("deliveries", deliveries(Arc::clone(app)).await),
        ("attempts", attempts(Arc::clone(app)).await),
        ("views", views(Arc::clone(app)).await),
        ("sticky assignments", sticky_assignments(Arc::clone(app)).await),
        ("flag usage", flag_usage(Arc::clone(app)).await),
        ("flag keys", flag_keys(Arc::clone(app)).await),
        ("histories", histories(Arc::clone(app)).await),
    ];
    for (data, result) in results {
        if let Err(error) = result {
            tracing::warn!(data, error = %error, "buffered data was not written before the stop: it is lost");
        }
    }
}

/// Describes the changes of older configuration versions.
pub async fn flag_versions(app: Arc<App>) -> Result<(), StoreError> {
    history::describe_older(&app.store).await
}

/// Writes acknowledgements of tokens.
pub async fn sessions(app: Arc<App>) -> Result<(), StoreError> {
    app.sessions.flush(&app.store).await
}

/// Writes the counts of sent codes.
pub async fn deliveries(app: Arc<App>) -> Result<(), StoreError> {
    app.delivery.flush(&app.store).await
}

/// Writes failed sign-ins.
pub async fn attempts(app: Arc<App>) -> Result<(), StoreError> {
    app.attempts.flush(&app.store).await
}

/// Writes views of terms.
pub async fn views(app: Arc<App>) -> Result<(), StoreError> {
    let catalog = Arc::clone(&app.live.load().catalog);
    app.views.flush(&app.store, &catalog).await
}

pub async fn sticky_assignments(app: Arc<App>) -> Result<(), StoreError> {
    app.flags.sticky.flush(&app.store).await
}

/// Writes how often each variation of a flag was served.
pub async fn flag_usage(app: Arc<App>) -> Result<(), StoreError> {
    let day = app.now().millis().div_euclid(DAY_MS);
    let rows = app.flags.usage.take(day);
    app.store.record_usage(&rows).await
}

/// Writes the last use of flag keys.
pub async fn flag_keys(app: Arc<App>) -> Result<(), StoreError> {
    app.ruleset.record_key_uses(&app.store, app.now()).await
}

/// Writes the counts of rejected requests, of hours that have ended.
pub async fn refusals(app: Arc<App>) -> Result<(), StoreError> {
    app.refusals.flush(&app.store, app.now(), false).await;
    Ok(())
}

/// Adds new audit events to the running hashes of the audit, and the hashes to the evidence log.
pub async fn histories(app: Arc<App>) -> Result<(), StoreError> {
    while app.store.chain_histories(app.now()).await? {}
    Ok(())
}
