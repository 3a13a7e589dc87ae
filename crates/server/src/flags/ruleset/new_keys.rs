//! Checks the form of keys that no environment has yet.

use musette_core::flags::{Document, MalformedKey, drop_known, malformed_keys};
use musette_store::{Store, StoreError};

use super::reading::ParseOrder;
use super::saving::current;

/// Returns new keys of the document that do not have the required form. Keys that any environment
/// serves are accepted, so that a configuration can be copied between environments.
pub async fn malformed(
    store: &Store,
    document: &Document,
) -> Result<Vec<MalformedKey>, StoreError> {
    let mut malformed = malformed_keys(document);
    if malformed.is_empty() {
        return Ok(malformed);
    }
    for head in store.flag_heads().await? {
        if let Some(base) = current(store, ParseOrder::AtOnce, &head.name).await? {
            drop_known(&mut malformed, &base.document);
        }
    }
    Ok(malformed)
}
