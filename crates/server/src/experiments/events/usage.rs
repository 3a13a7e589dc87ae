//! Counts how often each flag served each variation. Counting needs no lock; the counts are written
//! periodically. They show which flags are no longer used.

mod counts;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use musette_core::flags::Snapshot;
use musette_store::FlagUsage;

pub use counts::Counts;
use counts::Shards;

/// The counts of one version of one environment.
struct VersionCounts {
    snapshot: Arc<Snapshot>,
    shards: Shards,
    /// How often the counts were taken without any new one.
    idle: AtomicU32,
}

/// The counts of all versions that were served recently.
#[derive(Default)]
pub struct Usage {
    versions: ArcSwap<Vec<Arc<VersionCounts>>>,
    /// Held while the counts are taken.
    taking: Mutex<()>,
}

impl Usage {
    /// Returns the counters of the calling thread for this version.
    pub fn of(&self, snapshot: &Arc<Snapshot>) -> Arc<Counts> {
        let matches = |counts: &&Arc<VersionCounts>| Arc::ptr_eq(&counts.snapshot, snapshot);
        if let Some(counts) = self.versions.load().iter().find(matches) {
            return counts.shards.of_this_thread();
        }
        let new = Arc::new(VersionCounts::new(snapshot));
        self.versions.rcu(|all| {
            let mut all = Vec::clone(all);
            if all.iter().all(|other| !matches(&other)) {
                all.push(Arc::clone(&new));
            }
            all
        });
        self.versions.load().iter().find(matches).unwrap_or(&new).shards.of_this_thread()
    }

    /// Takes the counts since the last call, with one row for each flag and variation.
    pub fn take(&self, day: i64) -> Vec<FlagUsage> {
        let _taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = Rows::new();
        for version in self.versions.load().iter() {
            let before = rows.len();
            version.take(&mut rows);
            let is_idle = rows.len() == before;
            let idle = if is_idle { version.idle.load(Ordering::Relaxed) + 1 } else { 0 };
            version.idle.store(idle, Ordering::Relaxed);
        }
        // A version that was replaced is not counted any more.
        const REMOVE_AFTER: u32 = 6;
        self.versions.rcu(|all| {
            let is_used =
                |version: &&Arc<VersionCounts>| version.idle.load(Ordering::Relaxed) < REMOVE_AFTER;
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

impl VersionCounts {
    fn new(snapshot: &Arc<Snapshot>) -> Self {
        let variations = snapshot.flags().map(|flag| snapshot.variations(flag).count());
        let shards = Shards::new(variations);
        Self { snapshot: Arc::clone(snapshot), shards, idle: AtomicU32::new(0) }
    }

    fn take(&self, rows: &mut Rows) {
        let counts = self.shards.take();
        let mut counts = counts.into_iter();
        let environment = self.snapshot.environment();
        for flag in self.snapshot.flags() {
            // The first counter of a flag is for evaluations without a variation.
            for variation in std::iter::once("").chain(self.snapshot.variations(flag)) {
                let count = counts.next().unwrap_or(0);
                if count > 0 {
                    let flag = self.snapshot.key(flag).to_owned();
                    let key = (environment.to_owned(), flag, variation.to_owned());
                    *rows.entry(key).or_default() += count;
                }
            }
        }
    }
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

    fn number(snapshot: &Snapshot, variation: &str) -> Option<u16> {
        let flag = snapshot.flag("b").expect("a flag");
        let mut variations = (0..).zip(snapshot.variations(flag));
        variations.find(|(_, key)| *key == variation).map(|(n, _)| n)
    }

    fn take(usage: &Usage) -> Vec<(String, String, i64)> {
        let rows = usage.take(20_000).into_iter();
        let mut rows: Vec<_> = rows.map(|row| (row.flag, row.variation, row.count)).collect();
        rows.sort();
        rows
    }

    #[test]
    fn counts_each_variation_over_all_versions() {
        let (usage, one, two) = (Usage::default(), snapshot(1), snapshot(2));
        let b = one.flag("b").expect("a flag");
        for (snapshot, variation) in [(&one, "on"), (&one, "on"), (&one, ""), (&two, "on")] {
            usage.of(snapshot).count(b, number(snapshot, variation), 1);
        }
        let row = |variation: &str, count| ("b".to_owned(), variation.to_owned(), count);
        assert_eq!(take(&usage), [row("", 1), row("on", 3)]);
        assert!(take(&usage).is_empty(), "each evaluation is counted once");
        usage.of(&one).count(b, number(&one, "off"), 16);
        assert_eq!(take(&usage), [row("off", 16)]);
    }

    #[test]
    fn loses_no_counts_of_concurrent_threads() {
        let (usage, snapshot) = (Usage::default(), snapshot(1));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..10_000 {
                        let flag = snapshot.flag(if i % 2 == 0 { "a" } else { "b" });
                        let counts = usage.of(&snapshot);
                        counts.count(flag.expect("a flag"), number(&snapshot, "on"), 1);
                    }
                });
            }
        });
        let row = |flag: &str| (flag.to_owned(), "on".to_owned(), 20_000);
        assert_eq!(take(&usage), [row("a"), row("b")]);
    }

    #[test]
    fn drops_a_version_that_is_no_longer_served() {
        let (usage, snapshot) = (Usage::default(), snapshot(1));
        usage.of(&snapshot);
        for _ in 0..10 {
            usage.take(20_000);
        }
        assert_eq!(Arc::strong_count(&snapshot), 1);
    }
}
