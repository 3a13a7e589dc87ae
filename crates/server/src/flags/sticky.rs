//! Sticky assignments. All are in memory, so that an evaluation neither queries the store nor waits
//! for a lock. New ones are written after the response, and those of other nodes are loaded.

mod groups;

use std::hash::{BuildHasherDefault, DefaultHasher, Hash as _, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use arc_swap::ArcSwap;
use metrics::{counter, gauge};
use musette_store::{NewAssignment, ShortHash, Store, StoreError};
use papaya::Operation;
use tokio::sync::{Mutex, mpsc};

use crate::experiments::units::UnitKey;
use groups::{ExperimentGroup, Groups};

/// The maximum number of assignments in memory, of about 70 bytes each. Beyond it, those of
/// experiments that no longer exist are dropped, the oldest first. If there are none, no new
/// assignments are stored, which a metric counts: users then get their variation by hash, which
/// stays the same until the weights change.
const ASSIGNMENTS_MAX: usize = 5_000_000;
/// The maximum number of assignments of one environment, so that one cannot use all memory.
const ASSIGNMENTS_PER_ENVIRONMENT_MAX: usize = 2_000_000;
/// The maximum number of assignments that wait to be written. Further ones are not written, but
/// stay in memory of this node.
const QUEUE_MAX: usize = 100_000;
const ROWS_PER_WRITE: usize = 1000;
const ROWS_PER_READ: i64 = 5000;
const ROWS_PER_DELETE: i64 = 2000;

/// A hasher that returns its input, because the keys of the map are hashes already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, n: u128) {
        self.0 = n as u64;
    }
}

/// An assignment in memory, with the index of its variation in `variations`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredAssignment {
    variation: u16,
    /// The number of the experiment.
    group: u16,
    bucket_version: u32,
}

/// The assignment of a user in an experiment.
#[derive(Debug, Clone, Copy)]
pub struct ExperimentAssignment<'a> {
    pub environment: &'a str,
    pub experiment: &'a str,
    pub unit_kind: &'a str,
    pub unit: &'a str,
    pub variation: &'a str,
    pub bucket_version: u32,
}

struct Unwritten {
    new: mpsc::Receiver<NewAssignment>,
    /// Assignments that the store rejected with the last flush.
    retries: Vec<NewAssignment>,
}

pub struct StickyAssignments {
    key: UnitKey,
    assignments: papaya::HashMap<u128, StoredAssignment, BuildHasherDefault<IdentityHasher>>,
    count: AtomicUsize,
    count_max: usize,
    groups: Groups,
    variations: ArcSwap<Vec<Arc<str>>>,
    new: mpsc::Sender<NewAssignment>,
    unwritten: Mutex<Unwritten>,
    /// The number of the last row that this node has loaded.
    followed: AtomicI64,
}

impl StickyAssignments {
    pub fn new(key: UnitKey) -> Self {
        Self::with_room(key, ASSIGNMENTS_MAX, ASSIGNMENTS_PER_ENVIRONMENT_MAX)
    }

    fn with_room(key: UnitKey, count_max: usize, of_environment_max: usize) -> Self {
        let (new, waiting) = mpsc::channel(QUEUE_MAX);
        Self {
            key,
            assignments: papaya::HashMap::default(),
            count: AtomicUsize::new(0),
            count_max,
            groups: Groups::new(of_environment_max),
            variations: ArcSwap::default(),
            new,
            unwritten: Mutex::new(Unwritten { new: waiting, retries: Vec::new() }),
            followed: AtomicI64::new(0),
        }
    }

    /// Returns the variation and the bucket version of a user.
    pub fn get(
        &self,
        environment: &str,
        experiment: &str,
        unit_kind: &str,
        unit: &str,
    ) -> Option<(Arc<str>, u32)> {
        let unit = self.key.hash(&[unit_kind, unit]);
        let assignments = self.assignments.pin();
        let stored = assignments.get(&slot_key(environment, experiment, unit))?;
        let variation = self.variations.load().get(usize::from(stored.variation)).cloned()?;
        Some((variation, stored.bucket_version))
    }

    /// Stores an assignment in memory, to be written later. Does not replace an existing one of the
    /// same bucket version.
    pub fn remember(&self, new: &ExperimentAssignment<'_>, at: i64) {
        let unit = self.key.hash(&[new.unit_kind, new.unit]);
        let place = slot_key(new.environment, new.experiment, unit);
        let group = self.groups.of(new.environment, new.experiment);
        if !self.insert(place, &group, new.variation, new.bucket_version, false) {
            return;
        }
        let new = NewAssignment {
            environment: new.environment.to_owned(),
            experiment: new.experiment.to_owned(),
            unit,
            variation: new.variation.to_owned(),
            bucket_version: new.bucket_version,
            at,
        };
        if self.new.try_send(new).is_err() {
            counter!("musette_sticky_assignments_dropped_total").increment(1);
        }
    }

    /// Inserts an assignment, and returns whether it is new. One from the store (`is_stored`)
    /// replaces one of this node, because another node was faster.
    fn insert(
        &self,
        place: u128,
        group: &ExperimentGroup,
        variation: &str,
        bucket_version: u32,
        is_stored: bool,
    ) -> bool {
        let new = StoredAssignment {
            variation: self.number(variation),
            group: group.number,
            bucket_version,
        };
        let assignments = self.assignments.pin();
        let is_full = || self.count.load(Ordering::Relaxed) >= self.count_max || group.is_full();
        if assignments.get(&place).is_none() && is_full() {
            group.request_room();
            counter!("musette_sticky_assignments_refused_total").increment(1);
            return false;
        }
        let computed = assignments.compute(place, |existing| match existing {
            None => Operation::Insert(new),
            Some((_, old)) if old.bucket_version < bucket_version => Operation::Insert(new),
            Some((_, old)) if is_stored && old.bucket_version == bucket_version && *old != new => {
                Operation::Insert(new)
            }
            Some(_) => Operation::Abort(()),
        });
        match computed {
            papaya::Compute::Inserted(..) => {
                self.count.fetch_add(1, Ordering::Relaxed);
                group.add();
                true
            }
            papaya::Compute::Updated { .. } => true,
            _ => false,
        }
    }

    /// Returns the index of a variation in `variations`. There are only a few, so an assignment
    /// need not contain their names.
    fn number(&self, variation: &str) -> u16 {
        let find = |all: &[Arc<str>]| all.iter().position(|other| &**other == variation);
        let index = find(&self.variations.load()).unwrap_or_else(|| {
            self.variations.rcu(|all| {
                let mut all = Vec::clone(all);
                if find(&all).is_none() {
                    all.push(variation.into());
                }
                all
            });
            find(&self.variations.load()).unwrap_or(usize::MAX)
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// Writes new assignments. Those that the store rejects are retried with the next flush.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let mut unwritten = self.unwritten.lock().await;
        loop {
            let room = ROWS_PER_WRITE.saturating_sub(unwritten.retries.len());
            for _ in 0..room {
                let Ok(new) = unwritten.new.try_recv() else { break };
                unwritten.retries.push(new);
            }
            if unwritten.retries.is_empty() {
                return Ok(());
            }
            let batch = deduplicate(std::mem::take(&mut unwritten.retries));
            if let Err(error) = store.record_assignments(&batch).await {
                unwritten.retries = batch;
                return Err(error);
            }
            counter!("musette_sticky_assignments_total").increment(batch.len() as u64);
        }
    }

    /// Waits until there are assignments to write.
    pub async fn wait_for_new(&self) {
        let mut unwritten = self.unwritten.lock().await;
        if unwritten.retries.is_empty()
            && let Some(new) = unwritten.new.recv().await
        {
            unwritten.retries.push(new);
        }
    }

    /// Loads the assignments that any node has written since the last call.
    pub async fn follow(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let after = self.followed.load(Ordering::Relaxed);
            let rows = store.assignments_after(after, ROWS_PER_READ).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            self.followed.store(last.seq, Ordering::Relaxed);
            for row in &rows {
                let place = slot_key(&row.environment, &row.experiment, row.unit);
                let group = self.groups.of(&row.environment, &row.experiment);
                self.insert(place, &group, &row.variation, row.bucket_version, true);
            }
            gauge!("musette_sticky_assignments").set(self.count.load(Ordering::Relaxed) as f64);
        }
    }
}

impl StickyAssignments {
    /// Makes room if it was requested: drops the assignments of experiments that no longer exist
    /// (`is_live`), in memory and in the store, if that is so for the second time. Assignments of
    /// live experiments remain, however old they are.
    pub async fn make_room(
        &self,
        store: &Store,
        is_live: impl Fn(&str, &str) -> bool,
    ) -> Result<(), StoreError> {
        for group in self.groups.with_requested_room() {
            if !group.is_still_gone(is_live(&group.environment, &group.experiment)) {
                continue;
            }
            let (environment, experiment) = (&group.environment, &group.experiment);
            while store.delete_assignments(environment, experiment, ROWS_PER_DELETE).await? > 0 {}
            self.assignments.pin().retain(|_, stored| stored.group != group.number);
            let removed = group.clear();
            self.count.fetch_sub(removed, Ordering::Relaxed);
            tracing::info!(environment, experiment, removed, "removed sticky assignments");
        }
        Ok(())
    }
}

fn slot_key(environment: &str, experiment: &str, unit: ShortHash) -> u128 {
    // Keys of experiments come from operators, so attackers cannot construct collisions.
    let mut hasher = DefaultHasher::new();
    (environment, experiment).hash(&mut hasher);
    let low = hasher.finish();
    0_u8.hash(&mut hasher);
    let high = hasher.finish();
    u128::from_be_bytes(unit) ^ (u128::from(high) << 64 | u128::from(low))
}

/// Returns, for each user and experiment, the first assignment of the newest bucket version.
fn deduplicate(waiting: Vec<NewAssignment>) -> Vec<NewAssignment> {
    let mut newest = std::collections::HashMap::with_capacity(waiting.len());
    for new in waiting {
        let key = (new.environment.clone(), new.experiment.clone(), new.unit);
        match newest.entry(key) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(new);
            }
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                if entry.get().bucket_version < new.bucket_version {
                    entry.insert(new);
                }
            }
        }
    }
    newest.into_values().collect()
}

#[cfg(test)]
mod tests;
