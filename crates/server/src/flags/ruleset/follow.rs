//! Loads changes of other nodes, and continues without them while the store is unavailable.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{LiveFlagKey, Store, StoreError};

use super::current::CurrentVersion;
use super::{Access, Environment, Key, KeyKind, Ruleset, Table};
use crate::platform::clock::Clock;

/// A store that does not respond within this time is considered unavailable.
const RESPONSE_WITHIN: Duration = Duration::from_secs(1);
impl Table {
    /// Sets the keys that give access to the environments.
    pub(super) fn set_keys(&mut self, rows: Vec<LiveFlagKey>) {
        for row in &rows {
            let hash = hex::decode(&row.hash).ok().and_then(|hash| hash.try_into().ok());
            let environment = self.environments.get(&row.environment);
            let kind = KeyKind::parse(&row.kind);
            let (Some(hash), Some(environment), Some(kind)) = (hash, environment, kind) else {
                continue;
            };
            let environment = Arc::clone(environment);
            let access = Access { id: row.id.as_str().into(), environment, kind, debug: row.debug };
            self.keys.insert(hash, Key { access, used: AtomicBool::new(false) });
        }
        self.rows = rows;
    }
}

impl Ruleset {
    /// Loads what the store has now, serves it, and returns its revision.
    pub async fn refresh(&self, store: &Store, now: Instant) -> Result<i64, StoreError> {
        let _loading = self.loading.lock().await;
        // The revision is read first, so that a later change is detected as a new revision.
        let revision = store.flags_revision().await?;
        let before = self.table.load_full();
        if revision != before.revision {
            // The copy on disk may be from another store.
            let compiled = !self.is_alone();
            let table = load(store, revision, &before, compiled, now).await?;
            self.table.store(Arc::new(table));
            if let Err(error) = self.save(now).await {
                tracing::error!(error = %error, "the flags were not written to disk: a restart without the database would serve older ones");
            }
        }
        self.confirmed_at(now);
        self.alone.store(false, Ordering::Relaxed);
        Ok(revision)
    }

    /// The store has just said that this revision is current.
    pub fn confirm(&self, revision: i64, now: Instant) {
        if revision == self.revision() {
            self.confirmed_at(now);
        }
    }

    /// When the next scheduled step or change comes into force.
    pub fn next_due(&self) -> Option<Instant> {
        let table = self.table.load();
        let steps = table
            .environments
            .values()
            .filter_map(|environment| environment.current.load().next_step);
        let changes = table.waiting.iter().map(|change| Instant::from_millis(change.at));
        steps.chain(changes).min()
    }

    pub(super) fn confirmed_at(&self, now: Instant) {
        self.confirmed.store(now.millis(), Ordering::Relaxed);
    }

    /// Loads changes of other nodes, reports the revision that this node serves, and makes
    /// scheduled changes current that are due.
    pub async fn follow(&self, store: &Store, node: &str, clock: Clock) -> Result<(), StoreError> {
        let revision = tokio::time::timeout(RESPONSE_WITHIN, store.flags_revision()).await;
        let revision = revision.unwrap_or_else(|_| Err(StoreError::timed_out()))?;
        if revision == self.revision() {
            self.confirmed_at(clock.now());
        } else {
            self.refresh(store, clock.now()).await?;
        }
        let served = self.revision();
        if self.reported.load(Ordering::Relaxed) != served {
            store.record_served_flags(node, served).await?;
            self.reported.store(served, Ordering::Relaxed);
        }
        self.make_due(store, clock.now()).await
    }

    /// Writes to the store which keys were used since the last call.
    pub async fn record_key_uses(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let table = self.table.load_full();
        let used: Vec<&Key> =
            table.keys.values().filter(|key| key.used.swap(false, Ordering::Relaxed)).collect();
        let ids: Vec<String> = used.iter().map(|key| key.access.id.to_string()).collect();
        let result = store.used_flag_keys(&ids, now).await;
        if result.is_err() {
            used.iter().for_each(|key| key.used.store(true, Ordering::Relaxed));
        }
        result
    }
}

/// Loads the changes since `before`, or everything if `before` was not `compiled` from this store.
async fn load(
    store: &Store,
    revision: i64,
    before: &Table,
    compiled: bool,
    now: Instant,
) -> Result<Table, StoreError> {
    let mut table = Table { revision, ..Table::default() };
    for head in store.flag_heads().await? {
        let previous = before.environments.get(&head.name);
        let version = u64::try_from(head.version).unwrap_or(0);
        if let Some(previous) = previous
            && compiled
            && previous.current.load().snapshot.version() == version
        {
            table.environments.insert(head.name, Arc::clone(previous));
            continue;
        }
        let saved = store.current_flags(&head.name).await?;
        let (version, text, saved_at) = match saved {
            None => (0, None, now),
            Some(saved) => (
                u64::try_from(saved.version).unwrap_or(0),
                Some(saved.document),
                Instant::from_millis(saved.created_at),
            ),
        };
        // Those of later versions are not read, so that all nodes serve a version alike.
        let up_to = i64::try_from(version).unwrap_or(i64::MAX);
        let releases = store.released_flags(&head.name, up_to).await?;
        let compiled = CurrentVersion::compile(&head.name, version, text, saved_at, releases).await;
        match (compiled, previous) {
            (Ok(current), Some(previous)) => {
                previous.serve(current);
                table.environments.insert(head.name, Arc::clone(previous));
            }
            (Ok(current), None) => {
                let environment = Environment::new(&head.name, current);
                table.environments.insert(head.name, Arc::new(environment));
            }
            // The version may be saved by a newer version of this program. The previous version is
            // better than none.
            (Err(error), previous) => {
                tracing::error!(
                    environment = head.name,
                    version,
                    error,
                    "a flag configuration cannot be read: the previous version is served; upgrade this node"
                );
                if let Some(previous) = previous {
                    table.environments.insert(head.name, Arc::clone(previous));
                }
            }
        }
    }
    table.set_keys(store.live_flag_keys().await?);
    let used: HashMap<&str, bool> = before
        .keys
        .values()
        .map(|key| (&*key.access.id, key.used.load(Ordering::Relaxed)))
        .collect();
    for key in table.keys.values_mut() {
        *key.used.get_mut() = used.get(&*key.access.id).copied().unwrap_or(false);
    }
    table.waiting = store.waiting_flag_changes().await?;
    Ok(table)
}
