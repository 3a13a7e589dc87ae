//! Counters that are each written by one thread. If two processors wrote to one counter, its cache
//! line would move between them, which for a hundred flags costs more than their evaluation.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use musette_core::flags::FlagId;

/// The interval at which an unchanged response (304) is evaluated nevertheless, to be counted.
const UNCHANGED_COUNT_INTERVAL: u64 = 16;

static SHARDS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The counters of this thread, by the number of their shards; there is one entry for each
    /// served version.
    static OF_THIS_THREAD: RefCell<Vec<(u64, Arc<Counts>)>> = const { RefCell::new(Vec::new()) };
}

/// The counters of one thread.
pub struct Counts {
    /// The index of the first counter of each flag: for no variation, then for each variation.
    starts: Arc<[u32]>,
    counts: Box<[AtomicU64]>,
    unchanged: AtomicU64,
}

impl Counts {
    fn new(starts: &Arc<[u32]>) -> Self {
        let count = starts.last().map_or(0, |end| *end as usize);
        Self {
            starts: Arc::clone(starts),
            counts: (0..count).map(|_| AtomicU64::new(0)).collect(),
            unchanged: AtomicU64::new(0),
        }
    }

    /// Counts an evaluation. Must be called on the thread that owns these counters.
    #[inline]
    pub fn count(&self, flag: FlagId, variation: Option<u16>, by: u64) {
        let Some(start) = self.starts.get(flag.index()) else { return };
        let place = *start as usize + variation.map_or(0, |number| usize::from(number) + 1);
        if let Some(count) = self.counts.get(place) {
            // There is only one writer, so a load and a store suffice.
            count.store(count.load(Ordering::Relaxed) + by, Ordering::Relaxed);
        }
    }

    /// Returns the weight with which an unchanged response must be counted. None if it need not be
    /// counted.
    pub fn turn(&self) -> Option<u64> {
        let n = self.unchanged.load(Ordering::Relaxed);
        self.unchanged.store(n + 1, Ordering::Relaxed);
        n.is_multiple_of(UNCHANGED_COUNT_INTERVAL).then_some(UNCHANGED_COUNT_INTERVAL)
    }
}

/// The counters of all threads, with the values that were already taken.
pub(super) struct Shards {
    number: u64,
    starts: Arc<[u32]>,
    all: Mutex<Vec<(Arc<Counts>, Vec<u64>)>>,
}

impl Shards {
    /// Creates counters for flags with these numbers of variations.
    pub fn new(variations: impl Iterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        for variations in variations {
            end += variations as u32 + 1;
            starts.push(end);
        }
        let number = SHARDS.fetch_add(1, Ordering::Relaxed);
        Self { number, starts: starts.into(), all: Mutex::default() }
    }

    /// Returns the counters of the calling thread.
    pub fn of_this_thread(&self) -> Arc<Counts> {
        OF_THIS_THREAD.with_borrow_mut(|own| {
            if let Some((_, counts)) = own.iter().find(|(number, _)| *number == self.number) {
                return Arc::clone(counts);
            }
            // Counters of a version that was dropped have no other owner.
            own.retain(|(_, counts)| Arc::strong_count(counts) > 1);
            let counts = Arc::new(Counts::new(&self.starts));
            own.push((self.number, Arc::clone(&counts)));
            let taken_counts = vec![0; counts.counts.len()];
            let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
            all.push((Arc::clone(&counts), taken_counts));
            counts
        })
    }

    /// Returns the increments since the last call, in the order of the flags and their variations.
    pub fn take(&self) -> Vec<u64> {
        let mut sums = vec![0; self.starts.last().map_or(0, |end| *end as usize)];
        for (counts, taken) in &mut *self.all.lock().unwrap_or_else(PoisonError::into_inner) {
            for ((count, taken), sum) in counts.counts.iter().zip(taken).zip(&mut sums) {
                let now = count.load(Ordering::Relaxed);
                *sum += now - *taken;
                *taken = now;
            }
        }
        sums
    }
}
