//! Waiting for changes of other processes, and for the time at which work is due.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use musette_core::instant::Instant as WallTime;
use musette_store::{ChangeNumbers, ChangeWatcher, StoreError};
use tokio::sync::watch;

use super::{EVENTS_POLL, POLL, Runs, SECOND};
use crate::node::app::App;
use crate::platform::clock::Clock;

const GATHER: Duration = Duration::from_millis(5);

/// When work is due, whatever changes until then.
pub type Due = Option<WallTime>;
/// The numbers for which work is done.
pub type Followed = fn(&ChangeNumbers) -> [i64; 3];

/// What a task waits for between two runs.
pub enum Pause {
    Interval(Duration),
    Wanted { interval: Duration, wanted: Box<dyn Fn() -> BoxFuture<'static, ()> + Send> },
    Change(ChangeTrigger),
}

pub struct ChangeTrigger {
    changes: watch::Receiver<ChangeNumbers>,
    followed: Followed,
    /// Before the last run.
    known: [i64; 3],
    clock: Clock,
}

impl Pause {
    pub fn on_change(app: &App, followed: Followed) -> Self {
        let changes = app.store.changes();
        Self::Change(ChangeTrigger { changes, followed, known: [0; 3], clock: app.clock })
    }

    /// A change during the run begins another one.
    pub fn begin_run(&mut self) {
        if let Self::Change(change) = self {
            change.known = (change.followed)(&change.changes.borrow_and_update());
        }
    }

    pub async fn wait(&mut self, done: Result<Due, StoreError>) {
        match (self, done) {
            (Self::Interval(interval), _) => tokio::time::sleep(*interval).await,
            (Self::Wanted { interval, wanted }, _) => {
                tokio::time::sleep(*interval).await;
                wanted().await;
            }
            (Self::Change(_), Err(_)) => tokio::time::sleep(POLL).await,
            (Self::Change(change), Ok(due)) => change.wait(due).await,
        }
    }
}

impl ChangeTrigger {
    async fn wait(&mut self, due: Due) {
        // Many changes in a row are followed by one run.
        tokio::time::sleep(EVENTS_POLL).await;
        loop {
            if (self.followed)(&self.changes.borrow_and_update()) != self.known {
                return;
            }
            let Some(due) = due else {
                if self.changes.changed().await.is_err() {
                    return std::future::pending().await;
                }
                continue;
            };
            let now = self.clock.now();
            if now >= due {
                return;
            }
            // The clock may be set forward meanwhile.
            let longest = due.since(now).min(SECOND);
            // Whatever ended it, the loop looks.
            let _ = tokio::time::timeout(longest, self.changes.changed()).await;
        }
    }
}

/// Notifies other servers of events and sticky assignments after their commit, of many in a row once.
pub async fn announce(app: Arc<App>) {
    loop {
        app.store.committed().await;
        tokio::time::sleep(GATHER).await;
        if let Err(error) = app.store.notify_changes().await {
            // They poll as well.
            tracing::debug!(error = %error, "other servers were not notified");
        }
        tokio::time::sleep(EVENTS_POLL).await;
    }
}

/// Publishes what changed, by whichever process, to the tasks that follow it.
pub async fn follow(app: Arc<App>) {
    let mut watcher = ChangeWatcher::new(Arc::clone(&app.store));
    let mut runs = Runs::of("follow_changes");
    loop {
        let began = Instant::now();
        let read = watcher.read().await;
        runs.record(began, &read);
        if let Ok(numbers) = read {
            app.ruleset.confirm(numbers.flags, app.now());
        }
        let waits_for_events = app.store.has_event_readers() || app.live.load().has_gate;
        watcher.wait(if waits_for_events { EVENTS_POLL } else { POLL }).await;
    }
}
