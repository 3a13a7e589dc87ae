//! Creates and revokes keys of the flag API.

use musette_core::instant::Instant;
use musette_store::{FlagKey, NewFlagKey, Store, StoreError};

use super::{KeyKind, saving};
use crate::platform::random;

pub struct NewKey<'a> {
    pub environment: &'a str,
    pub kind: KeyKind,
    pub debug: bool,
    pub name: Option<&'a str>,
}

/// A new key with its secret, which is not stored and cannot be recovered.
pub struct CreatedKey {
    pub id: String,
    pub key: String,
}

/// Returns whether a text is a valid key name.
pub fn is_name(text: &str) -> bool {
    (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

pub async fn create(
    store: &Store,
    new: NewKey<'_>,
    actor: Option<&str>,
    now: Instant,
) -> Result<CreatedKey, StoreError> {
    // With 192 random bits, a plain hash is sufficient.
    let key = format!("musette_{}_{}", new.kind.as_str(), random::hex::<24>());
    let id = random::uuid();
    let row = NewFlagKey {
        id: &id,
        environment: new.environment,
        kind: new.kind.as_str(),
        debug: new.debug,
        name: new.name,
        hash: &random::sha256_hex(key.as_bytes()),
    };
    store.add_flag_key(&row, now).await?;
    saving::audit(store, "flag_key_created", new.environment, &id, actor, now).await?;
    Ok(CreatedKey { id, key })
}

/// Revokes a key. Returns false if it was already revoked.
pub async fn revoke(
    store: &Store,
    key: &FlagKey,
    actor: Option<&str>,
    now: Instant,
) -> Result<bool, StoreError> {
    let revoked = store.revoke_flag_key(&key.id, now).await?;
    if revoked {
        saving::audit(store, "flag_key_revoked", &key.environment, &key.id, actor, now).await?;
    }
    Ok(revoked)
}
