//! Keeps the gate up to date even if no client reads it, so that `gate.changed` is sent on time.

use std::sync::Arc;
use std::time::Duration;

use musette_store::{ChangeNumbers, StoreError};

use super::changes::Due;
use crate::node::app::App;

/// The maximum duration of a run, so that the task is measured and a stopping node does not wait
/// for it.
const RUN_MAX: Duration = Duration::from_secs(1);

/// Returns the numbers that change with the answers; `keep` itself increments the first.
pub fn followed(numbers: &ChangeNumbers) -> [i64; 3] {
    let touched = numbers.gate_touched.unwrap_or_default();
    [numbers.gate.unwrap_or(-1), numbers.revision + numbers.events, touched]
}

/// Updates the gate, if a client has read the gate feed before.
pub async fn keep(app: Arc<App>) -> Result<Due, StoreError> {
    if app.store.changes().borrow().gate.is_none() {
        return Ok(None);
    }
    let is_done = app.catch_up_gate(RUN_MAX).await?;
    Ok(if is_done { app.gate.next_due() } else { Some(app.now()) })
}
