//! Writing down what is kept in memory first, so that no request waits for it.

use std::sync::Arc;

use musette_store::StoreError;

use crate::app::App;
use crate::ruleset::history;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Everything, before the server ends. What fails is lost.
pub async fn flush_all(app: &Arc<App>) {
    app.refusals.flush(&app.store, app.now(), true).await;
    let done = [
        ("sessions", sessions(Arc::clone(app)).await),
        ("deliveries", deliveries(Arc::clone(app)).await),
        ("attempts", attempts(Arc::clone(app)).await),
        ("views", views(Arc::clone(app)).await),
        ("sticky assignments", sticky_assignments(Arc::clone(app)).await),
        ("flag usage", flag_usage(Arc::clone(app)).await),
        ("flag keys", flag_keys(Arc::clone(app)).await),
        ("histories", histories(Arc::clone(app)).await),
    ];
    for (what, done) in done {
        if let Err(error) = done {
            tracing::warn!(what, error = %error, "this was not written down before the end");
        }
    }
}

/// What older versions of configurations changed.
pub async fn flag_versions(app: Arc<App>) -> Result<(), StoreError> {
    history::describe_older(&app.store).await
}

/// Acknowledgements of tokens.
pub async fn sessions(app: Arc<App>) -> Result<(), StoreError> {
    app.sessions.flush(&app.store).await
}

/// How many codes were sent.
pub async fn deliveries(app: Arc<App>) -> Result<(), StoreError> {
    app.delivery.flush(&app.store).await
}

/// Failed sign-ins.
pub async fn attempts(app: Arc<App>) -> Result<(), StoreError> {
    app.attempts.flush(&app.store).await
}

/// Views of terms.
pub async fn views(app: Arc<App>) -> Result<(), StoreError> {
    let catalog = Arc::clone(&app.live.load().catalog);
    app.views.flush(&app.store, &catalog).await
}

pub async fn sticky_assignments(app: Arc<App>) -> Result<(), StoreError> {
    app.flags.sticky.flush(&app.store).await
}

/// How often each variation of a flag was served.
pub async fn flag_usage(app: Arc<App>) -> Result<(), StoreError> {
    let day = app.now().millis().div_euclid(DAY_MS);
    let rows = app.flags.usage.take(day);
    app.store.record_usage(&rows).await
}

/// Which flag keys were used.
pub async fn flag_keys(app: Arc<App>) -> Result<(), StoreError> {
    app.ruleset.note_keys(&app.store, app.now()).await
}

/// How often strangers were refused, of hours that are over.
pub async fn refusals(app: Arc<App>) -> Result<(), StoreError> {
    app.refusals.flush(&app.store, app.now(), false).await;
    Ok(())
}

/// Puts what happened since into the running hashes of the audit, and their values into the log.
pub async fn histories(app: Arc<App>) -> Result<(), StoreError> {
    while app.store.chain_histories(app.now()).await? {}
    Ok(())
}
