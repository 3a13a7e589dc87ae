//! Counters of which each has one thread that writes it: two processors that count in one place hand
//! the line of memory to and fro, which for a hundred flags costs more than to evaluate them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use musette_core::flags::FlagId;

/// One in so many answers that the caller had already is evaluated, to be counted.
const UNCHANGED_COUNTED: u64 = 16;

static SHARDS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// By the number of what they are part of. There are as many as versions are served.
    static MINE: RefCell<Vec<(u64, Arc<Counts>)>> = const { RefCell::new(Vec::new()) };
}

/// The counts of one thread.
pub struct Counts {
    /// Where each flag's counts begin: of nothing served, then of each variation.
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

    /// To be called on the thread that was given these counts.
    #[inline]
    pub fn count(&self, flag: FlagId, variation: Option<u16>, by: u64) {
        let Some(start) = self.starts.get(flag.index()) else { return };
        let place = *start as usize + variation.map_or(0, |number| usize::from(number) + 1);
        if let Some(count) = self.counts.get(place) {
            // Single writer, so that a load and a store suffice.
            count.store(count.load(Ordering::Relaxed) + by, Ordering::Relaxed);
        }
    }

    /// With how much weight an unchanged answer is counted, when it is its turn.
    pub fn turn(&self) -> Option<u64> {
        let n = self.unchanged.load(Ordering::Relaxed);
        self.unchanged.store(n + 1, Ordering::Relaxed);
        n.is_multiple_of(UNCHANGED_COUNTED).then_some(UNCHANGED_COUNTED)
    }
}

/// The counts of all threads, and what of them was taken.
pub(super) struct Shards {
    number: u64,
    starts: Arc<[u32]>,
    all: Mutex<Vec<(Arc<Counts>, Vec<u64>)>>,
}

impl Shards {
    /// Counters for flags with so many variations each.
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

    /// The calling thread's.
    pub fn mine(&self) -> Arc<Counts> {
        MINE.with_borrow_mut(|mine| {
            if let Some((_, counts)) = mine.iter().find(|(number, _)| *number == self.number) {
                return Arc::clone(counts);
            }
            // Counts of a replaced version have no other writer any more.
            mine.retain(|(_, counts)| Arc::strong_count(counts) > 1);
            let counts = Arc::new(Counts::new(&self.starts));
            mine.push((self.number, Arc::clone(&counts)));
            let taken = vec![0; counts.counts.len()];
            let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
            all.push((Arc::clone(&counts), taken));
            counts
        })
    }

    /// The sums since the last time, in the order of the flags and their variations.
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
