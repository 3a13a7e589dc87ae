//! `musette terms recheck`.

use std::collections::BTreeMap;

use clap::Args;
use musette_render::CHECK;
use musette_store::{DocumentName, Store};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::{Failure, counted, open};
use crate::settings::StoreArgs;

#[derive(Debug, Args)]
pub struct RecheckArgs {
    #[command(flatten)]
    store: StoreArgs,
}

/// The part of a manifest that says how its text was checked.
#[derive(Deserialize)]
struct Manifest {
    check: Option<u32>,
    regions: Option<Vec<Value>>,
}

impl Manifest {
    /// Returns the version of the check. The first version wrote only the regions.
    fn check(&self) -> u32 {
        self.check.unwrap_or(u32::from(self.regions.is_some()))
    }
}

/// Lists the documents whose text was made by an earlier version of the check. It writes nothing,
/// because a published document never changes.
pub async fn recheck(args: RecheckArgs) -> Result<(), Failure> {
    let store = open(&args.store).await?;
    let catalog = store.catalog().await?;
    let mut checks: BTreeMap<&str, Option<u32>> = BTreeMap::new();
    for variant in catalog.all().iter().flat_map(|term| &term.variants) {
        if !checks.contains_key(variant.sha256.as_str()) {
            checks.insert(&variant.sha256, check_of(&store, &variant.sha256).await?);
        }
    }
    for term in catalog.all() {
        for variant in &term.variants {
            let check = checks.get(variant.sha256.as_str()).copied().flatten();
            let Some(check) = check.filter(|check| *check < CHECK) else { continue };
            out!(
                "{}",
                json!({
                    "id": term.id, "locale": variant.locale, "title": variant.title,
                    "sha256": variant.sha256, "check": check
                })
            );
        }
    }
    let earlier = checks.values().flatten().filter(|check| **check < CHECK).count();
    let all = counted(checks.len(), "document", "documents");
    note!("The text of {earlier} of {all} was checked by an earlier version.");
    Ok(())
}

/// Returns the version of the check of a document; `None` if it has no text, because it could not be
/// rendered.
async fn check_of(store: &Store, sha256: &str) -> Result<Option<u32>, Failure> {
    let name = DocumentName { sha256: sha256.to_owned(), part: Some("manifest.json".to_owned()) };
    let Some(length) = store.document_length(&name).await? else { return Ok(None) };
    let length = usize::try_from(length).map_err(Failure::refused)?;
    let bytes = store.document_slice(&name, 0, length).await?;
    let unreadable =
        |error: serde_json::Error| Failure::Refused(format!("{sha256}/manifest.json: {error}"));
    Ok(Some(serde_json::from_slice::<Manifest>(&bytes).map_err(unreadable)?.check()))
}
