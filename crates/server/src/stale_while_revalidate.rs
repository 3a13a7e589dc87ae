//! A stale-while-revalidate cache (RFC 5861) for counts that take long: while one caller counts, the
//! others get the last count.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use tokio::sync::Semaphore;

/// A count that takes less is not cached.
const QUICK: Duration = Duration::from_millis(50);
/// A count is fresh for so many times as long as it took, so that counting takes at most one part in
/// so many of a reader's time.
const SHARE: u32 = 30;
/// An older count is not shown any more.
const OLD: Duration = Duration::from_secs(10 * 60);
/// Counts at the same time; the other readers of the store stay free.
const AT_ONCE: usize = 2;
/// More keys than there are experiments and terms; beyond it the cache is emptied.
const SLOTS_MAX: usize = 1_000;

pub struct StaleWhileRevalidate<K, V> {
    slots: Mutex<HashMap<K, Arc<Slot<V>>>>,
    at_once: Arc<Semaphore>,
}

impl<K, V> Default for StaleWhileRevalidate<K, V> {
    fn default() -> Self {
        Self { slots: Mutex::default(), at_once: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

struct Slot<V> {
    /// One count at a time.
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
        self.is_slow() && self.began.elapsed() < self.took * SHARE
    }

    fn is_slow(&self) -> bool {
        self.took >= QUICK
    }
}

impl<V> Slot<V> {
    /// The caller holds `counting`.
    async fn count<E>(
        &self,
        at_once: &Semaphore,
        count: impl Future<Output = Result<V, E>>,
    ) -> Result<Arc<V>, E> {
        // It is never closed.
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

    /// The last count where counting is slow: a stale one begins a new count in the background. Where
    /// counting is quick, or the last count is too old, counts now.
    pub async fn get<E>(
        &self,
        key: K,
        count: impl Future<Output = Result<V, E>> + Send + 'static,
    ) -> Result<Arc<V>, E>
    where
        E: std::fmt::Display + Send,
    {
        let asked = Instant::now();
        let slot = self.slot(key);
        if let Some(last) = slot.last.load_full().filter(|it| it.is_slow()) {
            if last.is_fresh() {
                return Ok(Arc::clone(&last.value));
            }
            if last.began.elapsed() < OLD {
                let at_once = Arc::clone(&self.at_once);
                tokio::spawn(async move {
                    let Ok(_counting) = slot.counting.try_lock() else { return };
                    if let Err(error) = slot.count(&at_once, count).await {
                        tracing::warn!(error = %error, "nothing was counted");
                    }
                });
                return Ok(Arc::clone(&last.value));
            }
        }
        let _counting = slot.counting.lock().await;
        match slot.last.load_full() {
            Some(last) if last.began >= asked || last.is_fresh() => Ok(Arc::clone(&last.value)),
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
    async fn what_is_quick_is_counted_each_time() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        assert_eq!(get(&cache, &counter, Duration::ZERO).await, 1);
        assert_eq!(get(&cache, &counter, Duration::ZERO).await, 2);
    }

    #[tokio::test]
    async fn what_is_slow_is_counted_once_for_all_who_ask() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        let one = || get(&cache, &counter, QUICK * 2);
        assert_eq!(tokio::join!(one(), one(), one()), (1, 1, 1));
        assert_eq!(one().await, 1, "it is fresh");
    }

    #[tokio::test]
    async fn while_it_is_counted_again_the_last_count_serves() {
        let (cache, counter) = (StaleWhileRevalidate::default(), Counter::default());
        assert_eq!(get(&cache, &counter, QUICK * 2).await, 1);
        tokio::time::sleep(QUICK * 2 * SHARE).await;
        assert_eq!(get(&cache, &counter, QUICK).await, 1, "at once");
        while get(&cache, &counter, QUICK).await == 1 {
            tokio::time::sleep(QUICK).await;
        }
        assert_eq!(counter.0.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn what_failed_is_not_kept() {
        let cache: StaleWhileRevalidate<u8, u32> = StaleWhileRevalidate::default();
        let failed = cache.get(1, async { Err("no") }).await;
        assert_eq!(failed.unwrap_err(), "no");
        assert_eq!(get(&cache, &Counter::default(), Duration::ZERO).await, 1);
    }
}
