//! The form of keys that no environment has yet.

use musette_core::flags::{Document, MalformedKey, drop_known, malformed_keys};
use musette_store::{Store, StoreError};

use super::reading::Turn;
use super::saving::current;

/// Keys of the document that are new and have not the form of new keys. What any environment serves
/// already keeps its key, so that a configuration moves from one environment to another as it is.
pub async fn malformed(
    store: &Store,
    document: &Document,
) -> Result<Vec<MalformedKey>, StoreError> {
    let mut found = malformed_keys(document);
    if found.is_empty() {
        return Ok(found);
    }
    for head in store.flag_heads().await? {
        if let Some(base) = current(store, Turn::AtOnce, &head.name).await? {
            drop_known(&mut found, &base.document);
        }
    }
    Ok(found)
}
