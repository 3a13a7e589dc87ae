//! The gate follows what happened, also when nobody reads it: `gate.changed` is sent at the instant.

use std::sync::Arc;
use std::time::Duration;

use musette_store::{ChangeNumbers, StoreError};

use super::changes::Due;
use crate::app::App;

/// Then the task is measured, and a node that stops is not held up.
const RUN: Duration = Duration::from_secs(1);

/// Numbers that change with the answers; `keep` itself raises the first.
pub fn followed(numbers: &ChangeNumbers) -> [i64; 3] {
    let touched = numbers.gate_touched.unwrap_or_default();
    [numbers.gate.unwrap_or(-1), numbers.revision + numbers.events, touched]
}

/// Does nothing while no program of the company has asked for the gate.
pub async fn keep(app: Arc<App>) -> Result<Due, StoreError> {
    if app.store.changes().borrow().gate.is_none() {
        return Ok(None);
    }
    let is_done = app.catch_up_gate(RUN).await?;
    Ok(if is_done { app.gate.next_due() } else { Some(app.now()) })
}
