//! The queue for drawing documents: so many at once as cores and memory bear, so many waiting, and no
//! more. What a draft costs must not stand in a rider's way.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use musette_render::Limits;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Each holds an upload in memory while it waits.
const WAITING_MAX: usize = 8;
/// A usual document is drawn in less.
const RETRY_AFTER_S: u64 = 5;

/// The queue of this process.
static DRAWING: LazyLock<Queue> = LazyLock::new(|| Queue::new(drawn_at_once()));

struct Queue {
    /// Whoever is in the queue, drawn or waiting.
    places: Arc<Semaphore>,
    /// In the order in which they came.
    turns: Arc<Semaphore>,
}

/// A place in the queue; it is free again when this is dropped, as when the client goes away.
pub struct Ticket {
    turns: Arc<Semaphore>,
    _place: OwnedSemaphorePermit,
}

impl Queue {
    fn new(at_once: usize) -> Self {
        let places = Arc::new(Semaphore::new(at_once + WAITING_MAX));
        Self { places, turns: Arc::new(Semaphore::new(at_once)) }
    }

    fn enter(&self) -> Option<Ticket> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        Some(Ticket { turns: Arc::clone(&self.turns), _place: place })
    }
}

/// The queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull {
    /// Seconds until the next upload may find a place.
    pub retry_after_s: u64,
}

/// Takes a place before the upload is read, so that what waits is bounded too.
pub fn enter() -> Result<Ticket, QueueFull> {
    DRAWING.enter().ok_or(QueueFull { retry_after_s: RETRY_AFTER_S })
}

impl Ticket {
    /// Waits until it is this one's turn to be drawn, which lasts until the answer is dropped.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // Never closed.
        Arc::clone(&self.turns).acquire_owned().await.ok()
    }
}

/// Each takes its threads, which give way to whoever serves riders, and its memory: half of that is for
/// riders.
fn drawn_at_once() -> usize {
    let limits = Limits::default();
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let kept = u64::try_from(limits.image_bytes + limits.input_bytes).unwrap_or(u64::MAX);
    let each = limits.memory_bytes.saturating_add(kept);
    let by_memory = memory_bytes()
        .map_or(usize::MAX, |bytes| usize::try_from(bytes / 2 / each).unwrap_or(usize::MAX));
    (cores / limits.threads).min(by_memory).max(1)
}

/// The memory of the machine, or of the container where that has a limit; none where neither says.
fn memory_bytes() -> Option<u64> {
    // Control groups of version 2 and 1, as a container sees its own. Without a limit it is "max", or a huge number.
    let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let limits = limits.filter_map(|text| text.trim().parse().ok());
    limits.chain(machine_bytes()).min()
}

fn machine_bytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_is_drawn_some_wait_and_the_next_is_refused() {
        let queue = Queue::new(1);
        let mut places: Vec<_> = (0..=WAITING_MAX).filter_map(|_| queue.enter()).collect();
        assert_eq!(places.len(), WAITING_MAX + 1);
        assert!(queue.enter().is_none(), "the queue is full");
        let turn = places[0].turn().await;
        assert!(queue.turns.try_acquire().is_err(), "one at once");
        drop(turn);
        assert!(queue.turns.try_acquire().is_ok());
        // A caller that disconnects frees its place.
        places.pop();
        assert!(queue.enter().is_some());
    }
}
