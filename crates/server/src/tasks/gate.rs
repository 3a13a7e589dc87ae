//! The gate follows what happened, also when nobody reads it: `gate.changed` is sent at the instant.

use std::sync::Arc;
use std::time::Duration;

use musette_store::StoreError;

use crate::app::App;

/// Then the task is measured, and a node that stops is not held up.
const RUN: Duration = Duration::from_secs(1);

/// Does nothing while no program of the company has asked for the gate.
pub async fn keep(app: Arc<App>) -> Result<(), StoreError> {
    if app.live.load().has_gate {
        app.catch_up_gate(RUN).await?;
    }
    Ok(())
}
