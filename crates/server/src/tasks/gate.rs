//! Keeps the gate up to date even if no client reads it, so that `gate.changed` is sent on time.

use std::sync::Arc;
use std::time::Duration;

use musette_store::StoreError;

use crate::app::App;

/// The maximum duration of a run, so that the task is measured and a stopping node does not wait
/// for it.
const RUN_MAX: Duration = Duration::from_secs(1);

/// Updates the gate, if a client has read the gate feed before.
pub async fn keep(app: Arc<App>) -> Result<(), StoreError> {
    if app.live.load().has_gate {
        app.catch_up_gate(RUN_MAX).await?;
    }
    Ok(())
}
