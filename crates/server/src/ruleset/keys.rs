//! Making and revoking keys of the flag service.

use musette_core::instant::Instant;
use musette_store::{FlagKey, NewFlagKey, Store, StoreError};

use super::{KeyKind, saving};
use crate::random;

pub struct NewKey<'a> {
    pub environment: &'a str,
    pub kind: KeyKind,
    pub debug: bool,
    pub name: Option<&'a str>,
}

/// The key itself is in no store: whoever loses it makes another one.
pub struct CreatedKey {
    pub id: String,
    pub key: String,
}

/// Whether a text can be the name of a key.
pub fn is_name(text: &str) -> bool {
    (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

pub async fn create(
    store: &Store,
    new: NewKey<'_>,
    actor: Option<&str>,
    now: Instant,
) -> Result<CreatedKey, StoreError> {
    // Nobody guesses 192 random bits, so a plain hash hides them well enough.
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

/// False when it was revoked before.
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
