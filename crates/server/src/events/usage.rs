//! How often each flag served what: counted without a lock, written down now and then. It tells which
//! flags nobody asks for any more.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use musette_core::flags::{FlagId, Snapshot};
use musette_store::FlagUsage;

/// A flag with more variations than this is counted no further; its report says "many" anyway.
const VARIATIONS_MAX: usize = 8;
/// Of answers that the caller had already, one in so many is evaluated to be counted.
const UNCHANGED_COUNTED: u64 = 16;

/// One flag's counts, by a hash of the variation's key; 0 is free.
#[derive(Default)]
struct Slots([(AtomicU64, AtomicU64); VARIATIONS_MAX]);

/// Counts of one version of one environment.
pub struct Counted {
    snapshot: Arc<Snapshot>,
    slots: Vec<Slots>,
    /// The texts behind the hashes.
    names: Mutex<Vec<(u64, String)>>,
    unchanged: AtomicU64,
    /// How often it was looked at without anything to write.
    idle: AtomicU32,
}

/// The counts of every version that was served lately.
#[derive(Default)]
pub struct Usage(ArcSwap<Vec<Arc<Counted>>>);

impl Usage {
    pub fn of(&self, snapshot: &Arc<Snapshot>) -> Arc<Counted> {
        let is_it = |it: &&Arc<Counted>| Arc::ptr_eq(&it.snapshot, snapshot);
        if let Some(found) = self.0.load().iter().find(is_it) {
            return Arc::clone(found);
        }
        let new = Arc::new(Counted::new(snapshot));
        self.0.rcu(|all| {
            let mut all = Vec::clone(all);
            if all.iter().all(|it| !is_it(&it)) {
                all.push(Arc::clone(&new));
            }
            all
        });
        self.0.load().iter().find(is_it).cloned().unwrap_or(new)
    }

    /// What was counted since the last time. Of one flag and variation there is one row.
    pub fn take(&self, day: i64) -> Vec<FlagUsage> {
        let mut rows = std::collections::HashMap::new();
        for counted in self.0.load().iter() {
            let before = rows.len();
            counted.take(&mut rows);
            let is_idle = rows.len() == before;
            let idle = if is_idle { counted.idle.load(Ordering::Relaxed) + 1 } else { 0 };
            counted.idle.store(idle, Ordering::Relaxed);
        }
        // A version that was replaced gets no more counts.
        const GONE_AFTER: u32 = 6;
        self.0.rcu(|all| {
            let is_used = |it: &&Arc<Counted>| it.idle.load(Ordering::Relaxed) < GONE_AFTER;
            all.iter().filter(is_used).cloned().collect::<Vec<_>>()
        });
        let row = |((environment, flag, variation), count): ((String, String, String), u64)| {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            FlagUsage { environment, flag, day, variation, count }
        };
        rows.into_iter().map(row).collect()
    }
}

type Rows = std::collections::HashMap<(String, String, String), u64>;

impl Counted {
    fn new(snapshot: &Arc<Snapshot>) -> Self {
        Self {
            snapshot: Arc::clone(snapshot),
            slots: snapshot.flags().map(|_| Slots::default()).collect(),
            names: Mutex::default(),
            unchanged: AtomicU64::new(0),
            idle: AtomicU32::new(0),
        }
    }

    pub fn count(&self, flag: FlagId, variation: &str, by: u64) {
        let Some(Slots(slots)) = self.slots.get(flag.index()) else { return };
        let hash = hash(variation);
        for (name, count) in slots {
            let mut found = name.load(Ordering::Relaxed);
            if found == 0 {
                found = match name.compare_exchange(0, hash, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => {
                        self.name(hash, variation);
                        hash
                    }
                    Err(other) => other,
                };
            }
            if found == hash {
                count.fetch_add(by, Ordering::Relaxed);
                return;
            }
        }
    }

    /// With how much weight an unchanged answer is counted, when it is its turn.
    pub fn turn(&self) -> Option<u64> {
        let n = self.unchanged.fetch_add(1, Ordering::Relaxed);
        n.is_multiple_of(UNCHANGED_COUNTED).then_some(UNCHANGED_COUNTED)
    }

    fn name(&self, hash: u64, variation: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.iter().all(|(known, _)| *known != hash) {
            names.push((hash, variation.to_owned()));
        }
    }

    fn take(&self, rows: &mut Rows) {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let environment = self.snapshot.environment();
        for (flag, Slots(slots)) in self.snapshot.flags().zip(&self.slots) {
            for (hash, count) in slots {
                let hash = hash.load(Ordering::Relaxed);
                let Some((_, variation)) = names.iter().find(|(it, _)| *it == hash) else {
                    continue;
                };
                match count.swap(0, Ordering::Relaxed) {
                    0 => {}
                    n => {
                        let flag = self.snapshot.key(flag).to_owned();
                        let key = (environment.to_owned(), flag, variation.clone());
                        *rows.entry(key).or_default() += n;
                    }
                }
            }
        }
    }
}

/// FNV-1a, never 0. Two variations of one flag that collide would be counted as one.
fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use musette_core::flags::{Document, Snapshot};

    use super::Usage;

    fn snapshot(version: u64) -> Arc<Snapshot> {
        let flag = |key: &str| {
            format!(
                r#"{{"key":"{key}","type":"boolean","variations":[{{"key":"on","value":true}},
                {{"key":"off","value":false}}],"offVariation":"off","defaultVariation":"on"}}"#
            )
        };
        let text = format!(
            r#"{{"schema":"musette.flags/1","environment":"production","version":{version},
            "flags":[{},{}]}}"#,
            flag("a"),
            flag("b")
        );
        let document = Document::parse(&text).expect("a document");
        Arc::new(Snapshot::compile(&document).expect("a snapshot"))
    }

    fn taken(usage: &Usage) -> Vec<(String, String, i64)> {
        let rows = usage.take(20_000).into_iter();
        let mut rows: Vec<_> = rows.map(|it| (it.flag, it.variation, it.count)).collect();
        rows.sort();
        rows
    }

    #[test]
    fn each_variation_is_counted_once_and_over_versions() {
        let (usage, one, two) = (Usage::default(), snapshot(1), snapshot(2));
        let b = one.flag("b").expect("a flag");
        for (snapshot, variation) in [(&one, "on"), (&one, "on"), (&one, ""), (&two, "on")] {
            usage.of(snapshot).count(b, variation, 1);
        }
        let row = |variation: &str, count| ("b".to_owned(), variation.to_owned(), count);
        assert_eq!(taken(&usage), [row("", 1), row("on", 3)]);
        assert_eq!(taken(&usage), [], "what was taken is not counted again");
        usage.of(&one).count(b, "off", 16);
        assert_eq!(taken(&usage), [row("off", 16)]);
    }

    #[test]
    fn nothing_is_lost_between_threads() {
        let (usage, snapshot) = (Usage::default(), snapshot(1));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..10_000 {
                        let flag = snapshot.flag(if i % 2 == 0 { "a" } else { "b" });
                        let counted = usage.of(&snapshot);
                        counted.count(flag.expect("a flag"), "on", 1);
                    }
                });
            }
        });
        assert_eq!(
            taken(&usage),
            [("a".into(), "on".into(), 20_000), ("b".into(), "on".into(), 20_000)]
        );
    }

    #[test]
    fn a_version_that_is_gone_is_let_go() {
        let (usage, snapshot) = (Usage::default(), snapshot(1));
        usage.of(&snapshot);
        for _ in 0..10 {
            usage.take(20_000);
        }
        assert_eq!(Arc::strong_count(&snapshot), 1);
    }
}
