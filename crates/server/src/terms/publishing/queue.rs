//! The queue of documents to render. The number of concurrent renderings is limited by cores and
//! memory, and the number of waiting uploads is limited too, so that drafts do not slow down
//! requests of riders.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use musette_render::Limits;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum number of waiting uploads, each of which is in memory.
const WAITING_MAX: usize = 8;
/// A usual document is rendered in less time.
const RETRY_AFTER_S: u64 = 5;

/// The queue of this process.
static RENDERING: LazyLock<Queue> = LazyLock::new(|| Queue::new(renderings_max()));

struct Queue {
    /// Places for documents that wait or are being rendered.
    places: Arc<Semaphore>,
    /// Permits to render, granted in the order of arrival.
    turns: Arc<Semaphore>,
}

/// A place in the queue. It is released when this is dropped, such as when the client disconnects.
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
    /// Seconds until a place may be free.
    pub retry_after_s: u64,
}

/// Takes a place before the upload is read, so that the memory of waiting uploads is limited.
pub fn enter() -> Result<Ticket, QueueFull> {
    RENDERING.enter().ok_or(QueueFull { retry_after_s: RETRY_AFTER_S })
}

impl Ticket {
    /// Waits for the turn of this document. Rendering is permitted until the result is dropped.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.turns).acquire_owned().await.ok()
    }
}

/// Returns the number of concurrent renderings. Each needs its threads, which have a lower priority
/// than requests, and its memory; half of the memory is reserved for requests.
fn renderings_max() -> usize {
    let limits = Limits::default();
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let buffered = u64::try_from(limits.image_bytes + limits.input_bytes).unwrap_or(u64::MAX);
    let each = limits.memory_bytes.saturating_add(buffered);
    let by_memory = memory_bytes()
        .map_or(usize::MAX, |bytes| usize::try_from(bytes / 2 / each).unwrap_or(usize::MAX));
    (cores / limits.threads).min(by_memory).max(1)
}

/// Returns the memory of the machine, or of the container if that has a limit. None if both are
/// unknown.
fn memory_bytes() -> Option<u64> {
    // Control groups version 2 and 1. Without a limit, the value is "max" or a huge number.
    let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let limits = limits.filter_map(|text| text.trim().parse().ok());
    limits.chain(machine_bytes()).min()
}

fn machine_bytes() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn renders_one_queues_some_and_rejects_the_next() {
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
