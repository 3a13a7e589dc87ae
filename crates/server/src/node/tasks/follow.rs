//! Periodic tasks: load the changes of other nodes, send due notices, record due events, check the store.

use std::sync::Arc;
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::StoreError;

use super::changes::Due;
use crate::node::app::App;
use crate::node::contact_notices;

/// How often replication is measured.
pub const REPLICATION_INTERVAL: Duration = Duration::from_secs(5);

/// Registers this node before its first request. Loads everything that has changed, and makes
/// commands wait for this node from now on.
///
/// # Errors
///
/// When the store cannot be read or written.
pub async fn join(app: &App) -> Result<(), StoreError> {
    app.live.report(&app.store, app.now()).await?;
    // A command whose change preceded the report has not waited for this node.
    app.serve_newest().await?;
    app.enable_gate_if_subscribed().await?;
    let flags = app.ruleset.refresh(&app.store, app.now()).await?;
    app.store.record_served_flags(app.live.node(), flags).await?;
    app.flags.sticky.follow(&app.store).await
}

pub async fn revision(app: Arc<App>) -> Result<Due, StoreError> {
    app.serve_newest().await.map(|()| None)
}

/// Measures whether commits have to wait for a standby, and how long.
pub async fn replication(app: Arc<App>) -> Result<(), StoreError> {
    let Some(state) = app.store.replication(app.settings.store_within).await? else {
        return Ok(());
    };
    metrics::gauge!("musette_replication_wait_seconds").set(state.waited.as_secs_f64());
    metrics::gauge!("musette_replication_synchronous").set(f64::from(state.is_synchronous));
    Ok(())
}

/// Sends due notices about changed addresses and returns when the next one is due.
pub async fn contact_notices(app: Arc<App>) -> Result<Due, StoreError> {
    contact_notices::send(Arc::clone(&app)).await?;
    Ok(app.store.changes().borrow().contact_notices.map(Instant::from_millis))
}

pub async fn ended_sessions(app: Arc<App>) -> Result<Due, StoreError> {
    app.sessions.follow_ended(&app.store).await.map(|()| None)
}

pub async fn flags(app: Arc<App>) -> Result<Due, StoreError> {
    app.ruleset.follow(&app.store, app.live.node(), app.clock).await?;
    Ok(app.ruleset.next_due())
}

/// Switches on flags whose required notice was served.
pub async fn flag_notices(app: Arc<App>) -> Result<(), StoreError> {
    app.ruleset.judge_notices(&app.store, app.now()).await
}

pub async fn sticky_assignments(app: Arc<App>) -> Result<Due, StoreError> {
    app.flags.sticky.follow(&app.store).await.map(|()| None)
}

/// Records events of terms that took effect or whose grace period ended.
pub async fn term_turns(app: Arc<App>) -> Result<Due, StoreError> {
    let next = app.store.next_term_turn().await?;
    if next.is_none_or(|at| at > app.now()) {
        return Ok(next);
    }
    app.store.write_due_term_events(app.now()).await?;
    app.store.next_term_turn().await
}

pub async fn report_node(app: Arc<App>) -> Result<(), StoreError> {
    app.live.report(&app.store, app.now()).await
}

/// Writes evaluations that became final, sends the reminders of discussions, and applies the excusals
/// whose time has come.
pub async fn evaluations(app: Arc<App>) -> Result<(), StoreError> {
    crate::decisions::keep(&app.store, app.now()).await?;
    crate::decisions::excusals::apply_due(&app.store, app.now()).await
}

/// Stops all work if the database file was moved or replaced, because changes to the open file
/// would be lost.
pub async fn file(app: Arc<App>) -> Result<(), StoreError> {
    if !app.store.is_closed() && !app.store.has_its_file() {
        tracing::error!(
            "the database file was moved, removed or replaced: the server no longer reads or writes it; put the file back and restart the server"
        );
        app.store.close().await;
    }
    Ok(())
}
