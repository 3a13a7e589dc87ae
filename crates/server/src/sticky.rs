//! Sticky assignments, all in memory: an evaluation neither asks the store nor waits for a lock. New
//! ones are written behind the answer, and those of other nodes are followed.

mod groups;

use std::hash::{BuildHasherDefault, DefaultHasher, Hash as _, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use arc_swap::ArcSwap;
use metrics::{counter, gauge};
use musette_store::{NewAssignment, ShortHash, Store, StoreError};
use papaya::Operation;
use tokio::sync::{Mutex, mpsc};

use crate::units::UnitKey;
use groups::{ExperimentGroup, Groups};

/// About 70 bytes each. Beyond it those of experiments that are no more give way, the oldest first.
/// When there are none, nobody new is remembered, which shows in a metric: they are still served by
/// their hash, the same variation as long as nobody changes the weights.
const KNOWN_MAX: usize = 5_000_000;
/// Assignments of one environment, so that one cannot take all the room.
const KNOWN_OF_ENVIRONMENT_MAX: usize = 2_000_000;
/// Assignments that wait to be written; one more is not written, but still held on this node.
const WAITING_MAX: usize = 100_000;
const WRITTEN_AT_ONCE: usize = 1000;
const READ_AT_ONCE: i64 = 5000;
const FORGOTTEN_AT_ONCE: i64 = 2000;

/// The key of the map is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
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

/// A variation by its place in `variations`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    variation: u16,
    /// The number of its experiment.
    group: u16,
    bucket_version: u32,
}

/// The assignment of one person in one experiment.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'a> {
    pub environment: &'a str,
    pub experiment: &'a str,
    pub unit_kind: &'a str,
    pub unit: &'a str,
    pub variation: &'a str,
    pub bucket_version: u32,
}

struct Unwritten {
    new: mpsc::Receiver<NewAssignment>,
    /// Assignments that the store did not take the last time.
    again: Vec<NewAssignment>,
}

pub struct StickyAssignments {
    key: UnitKey,
    known: papaya::HashMap<u128, Held, BuildHasherDefault<AsItIs>>,
    count: AtomicUsize,
    known_max: usize,
    groups: Groups,
    variations: ArcSwap<Vec<Arc<str>>>,
    new: mpsc::Sender<NewAssignment>,
    unwritten: Mutex<Unwritten>,
    /// Up to which number what others wrote is known here.
    followed: AtomicI64,
}

impl StickyAssignments {
    pub fn new(key: UnitKey) -> Self {
        Self::with_room(key, KNOWN_MAX, KNOWN_OF_ENVIRONMENT_MAX)
    }

    fn with_room(key: UnitKey, known_max: usize, of_environment_max: usize) -> Self {
        let (new, waiting) = mpsc::channel(WAITING_MAX);
        Self {
            key,
            known: papaya::HashMap::default(),
            count: AtomicUsize::new(0),
            known_max,
            groups: Groups::new(of_environment_max),
            variations: ArcSwap::default(),
            new,
            unwritten: Mutex::new(Unwritten { new: waiting, again: Vec::new() }),
            followed: AtomicI64::new(0),
        }
    }

    /// The variation and the bucket version that this person has.
    pub fn get(
        &self,
        environment: &str,
        experiment: &str,
        unit_kind: &str,
        unit: &str,
    ) -> Option<(Arc<str>, u32)> {
        let unit = self.key.hash(&[unit_kind, unit]);
        let known = self.known.pin();
        let held = known.get(&place(environment, experiment, unit))?;
        let variation = self.variations.load().get(usize::from(held.variation)).cloned()?;
        Some((variation, held.bucket_version))
    }

    /// Remembers at once, and writes it down later. What is remembered already stays.
    pub fn remember(&self, new: &Assignment<'_>, at: i64) {
        let unit = self.key.hash(&[new.unit_kind, new.unit]);
        let place = place(new.environment, new.experiment, unit);
        let group = self.groups.of(new.environment, new.experiment);
        if !self.hold(place, &group, new.variation, new.bucket_version, false) {
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

    /// True when it was not held before. What the store says (`is_kept`) takes the place of what this
    /// node believed: another node was first.
    fn hold(
        &self,
        place: u128,
        group: &ExperimentGroup,
        variation: &str,
        bucket_version: u32,
        is_kept: bool,
    ) -> bool {
        let new = Held { variation: self.number(variation), group: group.number, bucket_version };
        let known = self.known.pin();
        let is_full = || self.count.load(Ordering::Relaxed) >= self.known_max || group.is_full();
        if known.get(&place).is_none() && is_full() {
            group.wants_room();
            counter!("musette_sticky_assignments_refused_total").increment(1);
            return false;
        }
        let computed = known.compute(place, |held| match held {
            None => Operation::Insert(new),
            Some((_, held)) if held.bucket_version < bucket_version => Operation::Insert(new),
            Some((_, held)) if is_kept && held.bucket_version == bucket_version && *held != new => {
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

    /// The variation's place among those that were ever held: a handful, so that a person costs no
    /// text.
    fn number(&self, variation: &str) -> u16 {
        let find = |all: &[Arc<str>]| all.iter().position(|it| &**it == variation);
        let found = find(&self.variations.load()).unwrap_or_else(|| {
            self.variations.rcu(|all| {
                let mut all = Vec::clone(all);
                if find(&all).is_none() {
                    all.push(variation.into());
                }
                all
            });
            find(&self.variations.load()).unwrap_or(usize::MAX)
        });
        u16::try_from(found).unwrap_or(u16::MAX)
    }

    /// Writes down what waits. What the store does not take waits on.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        let mut unwritten = self.unwritten.lock().await;
        loop {
            let room = WRITTEN_AT_ONCE.saturating_sub(unwritten.again.len());
            for _ in 0..room {
                let Ok(new) = unwritten.new.try_recv() else { break };
                unwritten.again.push(new);
            }
            if unwritten.again.is_empty() {
                return Ok(());
            }
            let batch = one_each(std::mem::take(&mut unwritten.again));
            if let Err(error) = store.record_assignments(&batch).await {
                unwritten.again = batch;
                return Err(error);
            }
            counter!("musette_sticky_assignments_total").increment(batch.len() as u64);
        }
    }

    /// Returns when there is something to write down.
    pub async fn wait_for_new(&self) {
        let mut unwritten = self.unwritten.lock().await;
        if unwritten.again.is_empty()
            && let Some(new) = unwritten.new.recv().await
        {
            unwritten.again.push(new);
        }
    }

    /// Learns what was written since the last time, by whichever node.
    pub async fn follow(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let after = self.followed.load(Ordering::Relaxed);
            let rows = store.assignments_after(after, READ_AT_ONCE).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            self.followed.store(last.seq, Ordering::Relaxed);
            for row in &rows {
                let place = place(&row.environment, &row.experiment, row.unit);
                let group = self.groups.of(&row.environment, &row.experiment);
                self.hold(place, &group, &row.variation, row.bucket_version, true);
            }
            gauge!("musette_sticky_assignments").set(self.count.load(Ordering::Relaxed) as f64);
        }
    }
}

impl StickyAssignments {
    /// Makes room where there was none: of experiments that are no more (`is_live` tells), all that was
    /// assigned is forgotten, here and in the store, at the second look. What is live stays, however
    /// old.
    pub async fn make_room(
        &self,
        store: &Store,
        is_live: impl Fn(&str, &str) -> bool,
    ) -> Result<(), StoreError> {
        for group in self.groups.wanting_room() {
            if !group.stays_gone(is_live(&group.environment, &group.experiment)) {
                continue;
            }
            let (environment, experiment) = (&group.environment, &group.experiment);
            while store.forget_assignments(environment, experiment, FORGOTTEN_AT_ONCE).await? > 0 {}
            self.known.pin().retain(|_, held| held.group != group.number);
            let forgotten = group.forget();
            self.count.fetch_sub(forgotten, Ordering::Relaxed);
            tracing::info!(environment, experiment, forgotten, "sticky assignments were forgotten");
        }
        Ok(())
    }
}

fn place(environment: &str, experiment: &str, unit: ShortHash) -> u128 {
    // Keys of experiments are ours, so that nobody can seek two that collide.
    let mut hasher = DefaultHasher::new();
    (environment, experiment).hash(&mut hasher);
    let low = hasher.finish();
    0_u8.hash(&mut hasher);
    let high = hasher.finish();
    u128::from_be_bytes(unit) ^ (u128::from(high) << 64 | u128::from(low))
}

/// Keeps for each person and experiment the newest bucket version, and of that the first.
fn one_each(waiting: Vec<NewAssignment>) -> Vec<NewAssignment> {
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
