//! Scheduled backups.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use musette_core::instant::Instant;
use musette_store::{CopyError, StoreError, WalCopies};

use super::{MINUTE, Task};
use crate::node::app::App;
use crate::platform::backups::{BackupError, BackupSchedule};

const COPIED_AT: &str = "musette_wal_copied_timestamp_seconds";

/// Checks every minute whether a backup is due, so that a failed one is retried soon.
pub fn task(app: &Arc<App>, schedule: BackupSchedule) -> Task {
    let (app, schedule) = (Arc::clone(app), Arc::new(schedule));
    let work = move || {
        let (app, schedule) = (Arc::clone(&app), Arc::clone(&schedule));
        async move {
            let result = schedule.run(&app.store, app.now()).await;
            measure(&schedule, app.now());
            result.map_err(into_store_error)
        }
    };
    Task::every("back_up", MINUTE, work)
}

/// Copies the changes that were committed since the last run.
pub fn copy_wal(app: &Arc<App>, copies: &Arc<WalCopies>, interval: Duration) -> Task {
    let (app, copies) = (Arc::clone(app), Arc::clone(copies));
    // Reported until the first copy, because the alert depends on the age of the last copy.
    gauge!(COPIED_AT).set(0.0);
    let work = move || {
        let (app, copies) = (Arc::clone(&app), Arc::clone(&copies));
        async move {
            let now = app.now();
            copies.run(now).await.map_err(|error| match error {
                CopyError::Store(error) => error,
                error => StoreError::File(io::Error::other(error)),
            })?;
            gauge!(COPIED_AT).set(now.millis() as f64 / 1000.0);
            Ok(())
        }
    };
    Task::every("copy_wal", interval, work)
}

/// Sets the metrics of backups, also after a failure, because the alert depends on the age of the
/// newest backup.
fn measure(schedule: &BackupSchedule, now: Instant) {
    gauge!("musette_backup_interval_seconds").set(schedule.every.as_secs_f64());
    if let Ok(newest) = schedule.newest(now) {
        // The age is infinite if there is no backup.
        let age = newest.map_or(f64::INFINITY, |(at, _)| now.since(at).as_secs_f64());
        gauge!("musette_backup_age_seconds").set(age);
    }
}

fn into_store_error(error: BackupError) -> StoreError {
    match error {
        BackupError::Store(error) => error,
        error => StoreError::File(io::Error::other(error)),
    }
}
