//! Service keys as this node knows them, and the caller that one stands for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use musette_core::instant::Instant;
use musette_core::session::{Role, RoleGrant};
use musette_store::{ServiceKey, Store, StoreError};

use crate::random;

/// What every service key begins with, so that no other token is looked for among them.
pub const PREFIX: &str = "musette_service_";
/// Before the name of a key, where the audit names who acts. No subject of a person begins so.
const ACTOR: &str = "service:";
const HOUR_MS: i64 = 60 * 60 * 1000;

/// A key that opens something until it expires.
pub struct LiveServiceKey {
    pub id: String,
    pub name: String,
    pub roles: Vec<RoleGrant>,
    expires_at: Option<i64>,
    /// The hour that is written down already.
    used_at: AtomicI64,
}

/// Those that are not revoked, by their hashes.
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

    /// The key of this text, unless it is over.
    pub fn get(&self, key: &str, now: Instant) -> Option<&LiveServiceKey> {
        self.0.get(&random::sha256_hex(key.as_bytes())).filter(|it| it.is_live(now))
    }

    /// Whether the key with this id is neither revoked nor over.
    pub fn has(&self, id: &str, now: Instant) -> bool {
        self.0.values().any(|it| it.id == id && it.is_live(now))
    }
}

impl LiveServiceKey {
    /// How the audit names what it does.
    pub fn actor(&self) -> String {
        format!("{ACTOR}{}", self.name)
    }

    fn is_live(&self, now: Instant) -> bool {
        self.expires_at.is_none_or(|at| now.millis() < at)
    }

    /// The hour of a first use within it; none when that is written down already.
    pub fn new_hour(&self, now: Instant) -> Option<i64> {
        let hour = now.millis() - now.millis().rem_euclid(HOUR_MS);
        (self.used_at.fetch_max(hour, Ordering::Relaxed) < hour).then_some(hour)
    }
}

fn grants(roles: &str) -> Vec<RoleGrant> {
    roles.split(' ').filter_map(RoleGrant::from_stored).collect()
}

/// Whether a program may have these roles: one of the console at least, and never `admin`.
pub fn may_have(roles: &[RoleGrant]) -> bool {
    let is_allowed = |grant: &RoleGrant| grant.role.opens_console() && grant.role != Role::Admin;
    !roles.is_empty() && roles.iter().all(is_allowed)
}

/// Those who wrote something, with those who made the keys that did: nobody approves what their own key wrote.
pub async fn with_makers(
    store: &Store,
    mut authors: Vec<String>,
) -> Result<Vec<String>, StoreError> {
    for key in authors.clone().iter().filter(|it| it.starts_with(ACTOR)) {
        authors.extend(store.makers_of_service_key(key).await?);
    }
    Ok(authors)
}

/// A key that was made. No store has the key itself.
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
    // Nobody guesses 192 random bits, so a plain hash hides them well enough.
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
