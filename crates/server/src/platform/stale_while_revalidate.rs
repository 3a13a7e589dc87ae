//! A stale-while-revalidate cache (RFC 5861) for slow counts: while one caller counts, the others
//! get the previous count.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use tokio::sync::Semaphore;

/// A faster count is not cached.
const FAST_WITHIN: Duration = Duration::from_millis(50);
/// The factor between the duration of a count and the time for which it is fresh. So counting takes
/// at most one part in this many of a reader's time.
const FRESH_FACTOR: u32 = 30;
/// An older count is not returned any more.
const AGE_MAX: Duration = Duration::from_secs(10 * 60);
/// The number of concurrent counts; the other readers of the store remain free.
const COUNTS_AT_ONCE_MAX: usize = 2;
/// More keys than there are experiments and terms; a cache with more is emptied.
const SLOTS_MAX: usize = 1_000;

pub struct StaleWhileRevalidate<K, V> {
    slots: Mutex<HashMap<K, Arc<Slot<V>>>>,
    at_once: Arc<Semaphore>,
}

impl<K, V> Default for StaleWhileRevalidate<K, V> {
    fn default() -> Self {
        Self { slots: Mutex::default(), at_once: Arc::new(Semaphore::new(COUNTS_AT_ONCE_MAX)) }
    }
}

struct Slot<V> {
    /// Held by the task that counts.
    counting: tokio::sync::Mutex<()>,
    last: ArcSwapOption<Count<V>>,
}

struct Count<V> {
    value: Arc<V>,
    began: Instant,
    took: Duration,
}

impl<V> Count<V> {
    fn is_fresh(&self) -> bool {
        self.is_slow() && self.began.elapsed() < self.took * FRESH_FACTOR
    }

    fn is_slow(&self) -> bool {
        self.took >= FAST_WITHIN
    }
}

impl<V> Slot<V> {
    /// Counts and stores the result. The caller must hold `counting`.
    async fn count<E>(
        &self,
        at_once: &Semaphore,
        count: impl Future<Output = Result<V, E>>,
    ) -> Result<Arc<V>, E> {
        // An error is impossible, because the semaphore is never closed.
        let _permit = at_once.acquire().await;
        let began = Instant::now();
        let value = Arc::new(count.await?);
        let took = began.elapsed();
        self.last.store(Some(Arc::new(Count { value: Arc::clone(&value), began, took })));
        Ok(value)
    }
}

impl<K: Hash + Eq, V: Send + Sync + 'static> StaleWhileRevalidate<K, V> {
    fn slot(&self, key: K) -> Arc<Slot<V>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= SLOTS_MAX && !slots.contains_key(&key) {
            slots.clear();
        }
        let new = || Slot { counting: tokio::sync::Mutex::default(), last: ArcSwapOption::empty() };
        Arc::clone(slots.entry(key).or_insert_with(|| Arc::new(new())))
    }

    /// Returns the previous count if counting is slow; if it is stale, also starts a new count in
    /// the background. Counts now if counting is fast, or if the previous count is too old.
    pub async fn get<E>(
        &self,
        key: K,
        count: impl Future<Output = Result<V, E>> + Send + 'static,
    ) -> Result<Arc<V>, E>
    where
        E: std::fmt::Display + Send,
    {
        let requested = Instant::now();
        let slot = self.slot(key);
        if let Some(last) = slot.last.load_full().filter(|count| count.is_slow()) {
            if last.is_fresh() {
                return Ok(Arc::clone(&last.value));
            }
            if last.began.elapsed() < AGE_MAX {
                let at_once = Arc::clone(&self.at_once);
                tokio::spawn(async move {
                    let Ok(_counting) = slot.counting.try_lock() else { return };
                    if let Err(error) = slot.count(&at_once, count).await {
                        tracing::warn!(error = %error, "a count in the background failed: the previous count remains in use");
                    }
                });
                return Ok(Arc::clone(&last.value));
            }
        }
        let _counting = slot.counting.lock().await;
        match slot.last.load_full() {
            Some(last) if last.began >= requested || last.is_fresh() => Ok(Arc::clone(&last.value)),
            _ => slot.count(&self.at_once, count).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[derive(Clone, Default)]
    struct Counter(Arc<AtomicU32>);

    impl Counter {
        async fn count(self, took: Duration) -> Result<u32, Infallible> {
            tokio::time::sleep(took).await;
            Ok(self.0.fetch_add(1, Ordering::Relaxed) + 1)
        }
    }

    async fn get(cache: &StaleWhileRevalidate<u8, u32>, counter: &Counter, took: Duration) -> u32 {
        let Ok(value) = cache.get(1, counter.clone().count(took)).await;
        *value
    }

    #[tokio::test]
    async fn counts_each_time_if_counting_is_fast() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        assert_eq!(get(&cache, &counter, Duration::ZERO).await, 1);
        assert_eq!(get(&cache, &counter, Duration::ZERO).await, 2);
    }

    #[tokio::test]
    async fn counts_once_for_concurrent_callers_if_counting_is_slow() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        let one = || get(&cache, &counter, FAST_WITHIN * 2);
        assert_eq!(tokio::join!(one(), one(), one()), (1, 1, 1));
        assert_eq!(one().await, 1, "it is fresh");
    }

    #[tokio::test]
    async fn returns_the_previous_count_while_it_counts_again() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        assert_eq!(get(&cache, &counter, FAST_WITHIN * 2).await, 1);
        tokio::time::sleep(FAST_WITHIN * 2 * FRESH_FACTOR).await;
        assert_eq!(get(&cache, &counter, FAST_WITHIN).await, 1, "at once");
        while get(&cache, &counter, FAST_WITHIN).await == 1 {
            tokio::time::sleep(FAST_WITHIN).await;
        }
        assert_eq!(counter.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn does_not_cache_an_error() {
        let cache: StaleWhileRevalidate<u8, u32> = StaleWhileRevalidate::default();
        let failed = cache.get(1, async { Err("no") }).await;
        assert_eq!(failed.unwrap_err(), "no");
        assert_eq!(get(&cache, &Counter::default(), Duration::ZERO).await, 1);
    }
}
