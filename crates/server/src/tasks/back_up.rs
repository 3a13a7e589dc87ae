//! Backups on a schedule.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use musette_core::instant::Instant;
use musette_store::{CopyError, StoreError, WalCopies};

use super::{MINUTE, Task};
use crate::app::App;
use crate::backups::{BackupError, Schedule};

const COPIED_AT: &str = "musette_wal_copied_timestamp_seconds";

/// Looks every minute whether one is due: what failed is done again soon.
pub fn task(app: &Arc<App>, schedule: Schedule) -> Task {
    let (app, schedule) = (Arc::clone(app), Arc::new(schedule));
    let work = move || {
        let (app, schedule) = (Arc::clone(&app), Arc::clone(&schedule));
        async move {
            let made = schedule.run(&app.store, app.now()).await;
            measure(&schedule, app.now());
            made.map_err(into_store_error)
        }
    };
    Task::every("back_up", MINUTE, work)
}

/// Copies what was committed since the last run.
pub fn copy_wal(app: &Arc<App>, copies: &Arc<WalCopies>, interval: Duration) -> Task {
    let (app, copies) = (Arc::clone(app), Arc::clone(copies));
    // Until the first copy: an alarm is about the age of what there is.
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

/// Also after a failure: an alarm is about the age of what there is.
fn measure(schedule: &Schedule, now: Instant) {
    gauge!("musette_backup_interval_seconds").set(schedule.every.as_secs_f64());
    if let Ok(newest) = schedule.newest(now) {
        // Without any backup, as old as can be.
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
