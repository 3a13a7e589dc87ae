//! Publishes the descriptions of the demo's fictional automated systems.

use musette_core::decisions::systems::SystemDefinition;
use musette_core::instant::Instant;
use musette_store::Store;
use serde::Deserialize;

use super::{DemoError, file, wrong};

#[derive(Deserialize)]
struct DemoSystem {
    key: String,
    definition: SystemDefinition,
}

pub async fn publish(store: &Store, now: Instant) -> Result<(), DemoError> {
    let bad = |why: &dyn std::fmt::Display| wrong("systems.json", why);
    let systems: Vec<DemoSystem> =
        serde_json::from_slice(&file("systems.json")?).map_err(|error| bad(&error))?;
    for DemoSystem { key, definition } in systems {
        if let Some(error) = definition.check().first() {
            return Err(bad(&format_args!("{key} {}: {}", error.pointer, error.detail)));
        }
        store.save_system_draft(&key, &definition, None, "demo", now).await?;
        let draft = store.system_draft(&key).await?;
        let revision = draft.map_or(0, |draft| draft.revision);
        store.publish_system(&key, revision, None, now).await?;
    }
    Ok(())
}
