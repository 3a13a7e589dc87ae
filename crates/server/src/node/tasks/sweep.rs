//! Deletes data that is older than its retention.

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::StoreError;

use crate::node::app::App;
use crate::platform::retention;

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// The rows of one transaction; other writers get their turn in between.
const ROWS_PER_DELETE: i64 = 2000;

/// Deletes expired sessions, submissions, events and views, and signing keys that no token needs
/// any more.
pub async fn expired(app: Arc<App>) -> Result<(), StoreError> {
    let now = app.now();
    let before = |retention: Duration| {
        let retention_ms = i64::try_from(retention.as_millis()).unwrap_or(i64::MAX);
        Instant::from_millis(now.millis().saturating_sub(retention_ms))
    };
    let store = &app.store;
    store.delete_old_idempotency_keys(before(retention::IDEMPOTENCY_KEYS)).await?;
    store.delete_old_replies(before(retention::IDEMPOTENCY_KEYS)).await?;
    store.sweep_sessions(before(retention::SESSIONS), now).await?;
    store.delete_old_delivery_counts(before(retention::DELIVERIES).millis() / HOUR_MS).await?;
    store.delete_old_audit_counts(before(retention::AUDIT_COUNTS).millis() / HOUR_MS).await?;
    store.delete_old_events(before(retention::EVENTS)).await?;
    store.delete_orphaned_deliveries().await?;
    store.delete_erased_from_gate(now).await?;
    store.delete_finished_approval_notices(before(retention::EVENTS)).await?;
    store.sweep_allowances(before(retention::BROWSERS), now).await?;
    let live = app.live.load_full();
    for term in live.catalog.all() {
        store.delete_old_views(term.id, before(retention::VIEWS)).await?;
    }
    for kid in live.keys.retired(now) {
        store.destroy_signing_key(kid).await?;
    }
    Ok(())
}

/// Deletes old exposures, metric values, usage counts of flags and stream tickets.
pub async fn flag_events(app: Arc<App>) -> Result<(), StoreError> {
    let (store, now) = (&app.store, app.now());
    let today = now.millis().div_euclid(DAY_MS);
    let before = today - retention::FLAG_EVENTS_DAYS;
    while store.delete_old_exposures(before, ROWS_PER_DELETE).await? > 0 {}
    while store.delete_old_metric_values(before, ROWS_PER_DELETE).await? > 0 {}
    store.delete_old_flag_usage(today - retention::FLAG_USAGE_DAYS).await?;
    let a_minute_ago = now.millis() - 60_000;
    store.delete_expired_tickets(a_minute_ago).await
}

/// Deletes sticky assignments of experiments that no longer exist, if space is needed.
pub async fn sticky_assignments(app: Arc<App>) -> Result<(), StoreError> {
    let is_live = |environment: &str, experiment: &str| {
        let environment = app.ruleset.environment(environment);
        environment
            .is_some_and(|environment| environment.current().snapshot.has_experiment(experiment))
    };
    app.flags.sticky.make_room(&app.store, is_live).await
}
