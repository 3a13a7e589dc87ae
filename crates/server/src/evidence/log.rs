//! The identity of the evidence log: its name, its signing key and the key of its receipt IDs.

use musette_core::log::key::is_key_name;
use musette_core::terms::ReceiptKey;
use musette_store::{NewLog, Store, StoreError};

use crate::platform::random;

/// Returns the identity of a new log. Its name does not change later, even if `--public-url` does.
pub fn new_log(public_url: Option<&str>) -> NewLog {
    let host = public_url.and_then(|url| url.split_once("://")).map(|(_, host)| host);
    let prefix = host.and_then(|host| host.split('/').next()).filter(|host| is_key_name(host));
    NewLog {
        prefix: prefix.unwrap_or("musette").to_owned(),
        name: random::hex::<8>(),
        seed: random::hex::<32>(),
    }
}

/// Returns the key that receipt IDs are derived with. The first call creates it.
///
/// # Errors
///
/// When the store cannot be read, or if the stored key is malformed.
pub async fn receipt_key(store: &Store) -> Result<ReceiptKey, StoreError> {
    let secret = store.secret("receipt", &random::hex::<32>()).await?;
    hex::decode(&secret)
        .ok()
        .map(|secret| ReceiptKey::new(&secret))
        .ok_or_else(|| StoreError::Corrupt("the receipt key".into()))
}
