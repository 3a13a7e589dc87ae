//! The service keys that this node knows, and the caller that each represents.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant};
use musette_store::{ServiceKey, Store, StoreError};

use crate::platform::random;

/// The prefix of service keys, so that other tokens are not looked up among them.
pub const PREFIX: &str = "musette_service_";
/// The prefix of a key's name where the audit names the actor. Subjects of people do not have it.
const ACTOR: &str = "service:";
const HOUR_MS: i64 = 60 * 60 * 1000;

/// A key that is not revoked.
pub struct LiveServiceKey {
    pub id: String,
    pub name: String,
    pub roles: Vec<RoleGrant>,
    expires_at: Option<i64>,
    /// The hour of the last use that was recorded.
    used_at: AtomicI64,
}

/// All keys that are not revoked, by their hashes.
#[derive(Default)]
pub struct ServiceKeys(HashMap<String, LiveServiceKey>);

impl ServiceKeys {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let keys = store.live_service_keys().await?.into_iter().map(|key| {
            let live = LiveServiceKey {
                roles: grants(&key.roles),
                id: key.id,
                name: key.name,
                expires_at: key.expires_at,
                used_at: AtomicI64::new(key.last_used_at.unwrap_or(0)),
            };
            (key.hash, live)
        });
        Ok(Self(keys.collect()))
    }

    /// Returns the key with this text, unless it has expired.
    pub fn get(&self, key: &str, now: Instant) -> Option<&LiveServiceKey> {
        self.0.get(&random::sha256_hex(key.as_bytes())).filter(|key| key.is_live(now))
    }

    /// Returns whether the key with this ID is neither revoked nor expired.
    pub fn has(&self, id: &str, now: Instant) -> bool {
        self.0.values().any(|key| key.id == id && key.is_live(now))
    }
}

impl LiveServiceKey {
    /// Returns the actor that the audit records for this key.
    pub fn actor(&self) -> String {
        format!("{ACTOR}{}", self.name)
    }

    fn is_live(&self, now: Instant) -> bool {
        self.expires_at.is_none_or(|at| now.millis() < at)
    }

    /// Returns the current hour if no use within it was recorded yet.
    pub fn new_hour(&self, now: Instant) -> Option<i64> {
        let hour = now.millis() - now.millis().rem_euclid(HOUR_MS);
        (self.used_at.fetch_max(hour, Ordering::Relaxed) < hour).then_some(hour)
    }
}

fn grants(roles: &str) -> Vec<RoleGrant> {
    roles.split(' ').filter_map(RoleGrant::from_stored).collect()
}

/// Returns whether a key may have these roles: at least one console role, and never `admin`.
pub fn may_have(roles: &[RoleGrant]) -> bool {
    let is_allowed = |grant: &RoleGrant| grant.role.opens_console() && grant.role != Role::Admin;
    !roles.is_empty() && roles.iter().all(is_allowed)
}

/// Returns whether one of these roles is for people only.
pub fn has_human_role(roles: &[RoleGrant]) -> bool {
    roles.iter().any(|grant| grant.role.is_for_people())
}

/// Adds the creators of service keys among the authors, so that no one can approve what their own
/// key has written.
pub async fn with_makers(
    store: &Store,
    mut authors: Vec<String>,
) -> Result<Vec<String>, StoreError> {
    for key in authors.clone().iter().filter(|author| author.starts_with(ACTOR)) {
        authors.extend(store.makers_of_service_key(key).await?);
    }
    Ok(authors)
}

/// A new key with its secret, which is not stored.
pub struct CreatedServiceKey {
    pub id: String,
    pub key: String,
}

pub async fn create(
    store: &Store,
    name: &str,
    roles: &[RoleGrant],
    expires_at: Option<Instant>,
    made_by: Option<&str>,
    now: Instant,
) -> Result<CreatedServiceKey, StoreError> {
    // With 192 random bits, a plain hash is sufficient.
    let key = format!("{PREFIX}{}", random::hex::<24>());
    let id = random::uuid();
    let roles: Vec<String> = roles.iter().map(ToString::to_string).collect();
    let row = ServiceKey {
        id: id.clone(),
        name: name.to_owned(),
        roles: roles.join(" "),
        hash: random::sha256_hex(key.as_bytes()),
        created_at: now.millis(),
        expires_at: expires_at.map(Instant::millis),
        revoked_at: None,
        last_used_at: None,
        made_by: made_by.map(str::to_owned),
    };
    store.add_service_key(&row).await?;
    Ok(CreatedServiceKey { id, key })
}
