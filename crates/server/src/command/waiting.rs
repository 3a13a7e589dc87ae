//! Waits until running servers serve a change.

use std::time::Duration;

use musette_store::{Store, StoreError};

use super::Failure;
use crate::node::live::NODE_GONE;
use crate::settings::TestSettings;

/// Waits, at most a second, until all running servers serve the change of this command, so that the
/// next command sees it.
pub(super) async fn wait_until_served(store: &Store, test: TestSettings) -> Result<(), Failure> {
    let revision = store.revision().await?;
    wait_until(test, async |seen_since| store.nodes_behind(seen_since, revision).await).await
}

/// Waits until all nodes serve the newest flags, which have a separate revision.
pub(super) async fn wait_until_flags_served(
    store: &Store,
    test: TestSettings,
) -> Result<(), Failure> {
    let revision = store.flags_revision().await?;
    wait_until(test, async |seen_since| store.nodes_behind_flags(seen_since, revision).await).await
}

/// Waits until `behind` returns 0 for the nodes that were seen since the given time.
async fn wait_until(
    test: TestSettings,
    behind: impl AsyncFn(i64) -> Result<i64, StoreError>,
) -> Result<(), Failure> {
    const STEP: Duration = Duration::from_millis(10);
    let timeout_ms = i64::try_from(NODE_GONE.as_millis()).unwrap_or(i64::MAX);
    for _ in 0..100 {
        if behind(test.clock.now().millis() - timeout_ms).await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(STEP).await;
    }
    Ok(())
}
