//! How often each flag served what: counted without a lock, written down now and then. It tells which
//! flags nobody asks for any more.

mod counts;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use musette_core::flags::Snapshot;
use musette_store::FlagUsage;

pub use counts::Counts;
use counts::Shards;

/// Counts of one version of one environment.
struct VersionCounts {
    snapshot: Arc<Snapshot>,
    shards: Shards,
    /// How often it was looked at without anything to write.
    idle: AtomicU32,
}

/// The counts of every version that was served lately.
#[derive(Default)]
pub struct Usage {
    versions: ArcSwap<Vec<Arc<VersionCounts>>>,
    /// One at a time takes what was counted.
    taking: Mutex<()>,
}

impl Usage {
    /// Where the calling thread counts what it serves of this version.
    pub fn of(&self, snapshot: &Arc<Snapshot>) -> Arc<Counts> {
        let is_it = |it: &&Arc<VersionCounts>| Arc::ptr_eq(&it.snapshot, snapshot);
        if let Some(found) = self.versions.load().iter().find(is_it) {
            return found.shards.mine();
        }
        let new = Arc::new(VersionCounts::new(snapshot));
        self.versions.rcu(|all| {
            let mut all = Vec::clone(all);
            if all.iter().all(|it| !is_it(&it)) {
                all.push(Arc::clone(&new));
            }
            all
        });
        self.versions.load().iter().find(is_it).unwrap_or(&new).shards.mine()
    }

    /// Takes the counts since the last time: one row for each flag and variation.
    pub fn take(&self, day: i64) -> Vec<FlagUsage> {
        let _one_at_a_time = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = Rows::new();
        for counted in self.versions.load().iter() {
            let before = rows.len();
            counted.take(&mut rows);
            let is_idle = rows.len() == before;
            let idle = if is_idle { counted.idle.load(Ordering::Relaxed) + 1 } else { 0 };
            counted.idle.store(idle, Ordering::Relaxed);
        }
        // A version that was replaced gets no more counts.
        const GONE_AFTER: u32 = 6;
        self.versions.rcu(|all| {
            let is_used = |it: &&Arc<VersionCounts>| it.idle.load(Ordering::Relaxed) < GONE_AFTER;
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
            // Nothing served comes first.
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
        (0..).zip(snapshot.variations(flag)).find(|(_, it)| *it == variation).map(|(n, _)| n)
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
            usage.of(snapshot).count(b, number(snapshot, variation), 1);
        }
        let row = |variation: &str, count| ("b".to_owned(), variation.to_owned(), count);
        assert_eq!(taken(&usage), [row("", 1), row("on", 3)]);
        assert!(taken(&usage).is_empty(), "what was taken is not counted again");
        usage.of(&one).count(b, number(&one, "off"), 16);
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
                        counted.count(flag.expect("a flag"), number(&snapshot, "on"), 1);
                    }
                });
            }
        });
        let row = |flag: &str| (flag.to_owned(), "on".to_owned(), 20_000);
        assert_eq!(taken(&usage), [row("a"), row("b")]);
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
