//! How this node learns what others changed, and what it does without them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{LiveFlagKey, Store, StoreError};

use super::current::Current;
use super::{Access, Environment, Key, KeyKind, Ruleset, Table};
use crate::clock::Clock;

/// A store that does not say so soon what is current is away.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
impl Table {
    /// Opens the environments to these keys; what was noted of a key stays noted.
    pub(super) fn let_in(&mut self, rows: Vec<LiveFlagKey>) {
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
    /// Serves what the store has now, and gives its revision.
    pub async fn refresh(&self, store: &Store, now: Instant) -> Result<i64, StoreError> {
        let _one = self.loading.lock().await;
        // The revision first: a change in between is then seen as a new one.
        let revision = store.flags_revision().await?;
        let before = self.table.load_full();
        if revision != before.revision {
            // A copy on disk may be of another store.
            let compiled = !self.is_alone();
            let table = load(store, revision, &before, compiled, now).await?;
            self.table.store(Arc::new(table));
            if let Err(error) = self.keep(now).await {
                tracing::error!(error = %error, "the flags could not be written to disk");
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
        let steps = table.environments.values().filter_map(|it| it.current.load().next_step);
        let changes = table.waiting.iter().map(|it| Instant::from_millis(it.at));
        steps.chain(changes).min()
    }

    pub(super) fn confirmed_at(&self, now: Instant) {
        self.confirmed.store(now.millis(), Ordering::Relaxed);
    }

    /// Loads what others changed, reports that this node serves it, and makes what was scheduled
    /// current.
    pub async fn follow(&self, store: &Store, node: &str, clock: Clock) -> Result<(), StoreError> {
        let asked = tokio::time::timeout(ANSWER_WITHIN, store.flags_revision()).await;
        let revision = asked.unwrap_or_else(|_| Err(StoreError::timed_out()))?;
        if revision == self.revision() {
            self.confirmed_at(clock.now());
        } else {
            self.refresh(store, clock.now()).await?;
        }
        let serves = self.revision();
        if self.reported.load(Ordering::Relaxed) != serves {
            store.serves_flags(node, serves).await?;
            self.reported.store(serves, Ordering::Relaxed);
        }
        self.make_due(store, clock.now()).await
    }

    /// Writes down which keys were used since the last time.
    pub async fn note_keys(&self, store: &Store, now: Instant) -> Result<(), StoreError> {
        let table = self.table.load_full();
        let used: Vec<&Key> =
            table.keys.values().filter(|key| key.used.swap(false, Ordering::Relaxed)).collect();
        let ids: Vec<String> = used.iter().map(|key| key.access.id.to_string()).collect();
        let written = store.used_flag_keys(&ids, now).await;
        if written.is_err() {
            used.iter().for_each(|key| key.used.store(true, Ordering::Relaxed));
        }
        written
    }
}

/// Reads what has changed since `before`; all of it, unless that was `compiled` from this store.
async fn load(
    store: &Store,
    revision: i64,
    before: &Table,
    compiled: bool,
    now: Instant,
) -> Result<Table, StoreError> {
    let mut table = Table { revision, ..Table::default() };
    for head in store.flag_heads().await? {
        let known = before.environments.get(&head.name);
        let version = u64::try_from(head.version).unwrap_or(0);
        if let Some(known) = known
            && compiled
            && known.current.load().snapshot.version() == version
        {
            table.environments.insert(head.name, Arc::clone(known));
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
        let compiled = Current::compile(&head.name, version, text, saved_at).await;
        match (compiled, known) {
            (Ok(current), Some(known)) => {
                known.serve(current);
                table.environments.insert(head.name, Arc::clone(known));
            }
            (Ok(current), None) => {
                let environment = Environment::new(&head.name, current);
                table.environments.insert(head.name, Arc::new(environment));
            }
            // Saved by a newer version of this program, perhaps. What was served before is better
            // than nothing.
            (Err(error), known) => {
                tracing::error!(
                    environment = head.name,
                    version,
                    error,
                    "a configuration of flags cannot be served"
                );
                if let Some(known) = known {
                    table.environments.insert(head.name, Arc::clone(known));
                }
            }
        }
    }
    table.let_in(store.live_flag_keys().await?);
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
