//! Backups on a schedule.

use std::io;
use std::sync::Arc;

use futures_util::FutureExt as _;
use musette_store::StoreError;

use super::{MINUTE, Task};
use crate::app::App;
use crate::backups::{BackupError, Schedule};

/// Looks every minute whether one is due: what failed is done again soon.
pub fn task(app: &Arc<App>, schedule: Schedule) -> Task {
    let (app, schedule) = (Arc::clone(app), Arc::new(schedule));
    let work = move || {
        let (app, schedule) = (Arc::clone(&app), Arc::clone(&schedule));
        async move { schedule.run(&app.store, app.now()).await.map_err(into_store_error) }.boxed()
    };
    Task { name: "back_up", interval: MINUTE, work: Box::new(work) }
}

fn into_store_error(error: BackupError) -> StoreError {
    match error {
        BackupError::Store(error) => error,
        error => StoreError::File(io::Error::other(error)),
    }
}
