//! The gate of this node: updates the stored answers after changes, wakes clients that wait for
//! changes, and reads a page only once for all clients that request it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use musette_core::instant::Instant as WallTime;
use musette_core::terms::TermType;
use musette_store::{GatePage, GatePlace, GateTermCache, MarketFilter, Store, StoreError};
use tokio::sync::{Mutex, OnceCell, watch};

use crate::platform::clock::Clock;
use crate::terms::DEFAULT_TYPES;

const NEVER: i64 = i64::MAX;

pub struct Gate {
    /// Serializes the updates of this node; the store serializes those of all nodes.
    keeping: Mutex<Keeping>,
    types: Vec<TermType>,
    /// The number of the last change that this node has seen.
    changed: watch::Sender<i64>,
    /// When time alone changes the next answer, in milliseconds since 1970.
    next_due: AtomicI64,
    pages: SharedPages,
}

/// A page of changes, with the last change that this node had seen before it was read.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PageKey {
    pub after: GatePlace,
    pub market: MarketFilter,
    pub limit: i64,
    pub known: i64,
}

/// Shares one read among concurrent requests for the same page (single-flight).
#[derive(Default)]
struct SharedPages(std::sync::Mutex<Pages>);

#[derive(Default)]
struct Pages {
    running: HashMap<PageKey, Weak<OnceCell<GatePage>>>,
    /// The last page, for requests shortly after it was read.
    latest: Option<(PageKey, Arc<OnceCell<GatePage>>)>,
}

impl SharedPages {
    fn cell(&self, key: &PageKey) -> Arc<OnceCell<GatePage>> {
        let mut pages = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        pages.running.retain(|_, page| page.strong_count() > 0);
        if let Some(page) = pages.running.get(key).and_then(Weak::upgrade) {
            return page;
        }
        let page = Arc::default();
        pages.running.insert(key.clone(), Arc::downgrade(&page));
        pages.latest = Some((key.clone(), page.clone()));
        page
    }
}

#[derive(Default)]
struct Keeping {
    keeper: GateTermCache,
    /// The start and the result of the last update.
    last: Option<(Instant, bool)>,
}

impl Default for Gate {
    fn default() -> Self {
        let types = DEFAULT_TYPES.split(',').filter_map(TermType::parse).collect();
        Self {
            keeping: Mutex::default(),
            types,
            changed: watch::Sender::new(0),
            next_due: AtomicI64::new(NEVER),
            pages: SharedPages::default(),
        }
    }
}

impl Gate {
    /// Returns a receiver that is notified when an answer changes.
    pub fn changed(&self) -> watch::Receiver<i64> {
        self.changed.subscribe()
    }

    /// Returns when time alone changes the next answer, as of the last update.
    pub fn next_due(&self) -> Option<WallTime> {
        let at = self.next_due.load(Ordering::Relaxed);
        (at != NEVER).then(|| WallTime::from_millis(at))
    }

    /// Updates the answers for at most `within`, and returns whether they are up to date. Callers
    /// that have to wait share the result of the next update.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn catch_up(
        &self,
        store: &Store,
        clock: Clock,
        within: Duration,
    ) -> Result<bool, StoreError> {
        let requested = Instant::now();
        let mut keeping = self.keeping.lock().await;
        if let Some((_, is_current)) = keeping.last.filter(|(began, _)| *began > requested) {
            return Ok(is_current);
        }
        let began = Instant::now();
        let is_current = self.step_until(&mut keeping.keeper, store, clock, began + within).await?;
        keeping.last = Some((began, is_current));
        Ok(is_current)
    }

    /// Returns the changes after a position. The page contains at least all changes that this node
    /// had seen at the time of the request, and may be shared with other requests. To get the
    /// newest changes, check [`Self::changed`] afterwards.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub async fn changes(
        &self,
        store: &Store,
        clock: Clock,
        key: &PageKey,
    ) -> Result<GatePage, StoreError> {
        let PageKey { after, market, limit, .. } = key;
        let read = || store.gate_page(Some(after), market, *limit, clock.now());
        Ok(self.pages.cell(key).get_or_try_init(read).await?.clone())
    }

    async fn step_until(
        &self,
        keeper: &mut GateTermCache,
        store: &Store,
        clock: Clock,
        until: Instant,
    ) -> Result<bool, StoreError> {
        loop {
            let Some(state) = store.gate_state(clock.now()).await? else { return Ok(true) };
            self.changed.send_if_modified(|last| std::mem::replace(last, state.seq) != state.seq);
            self.next_due.store(state.changes_at.unwrap_or(NEVER), Ordering::Relaxed);
            if !state.is_behind {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            store.update_gate(keeper, &self.types, clock.now()).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seq: i64, known: i64) -> PageKey {
        let after = GatePlace { epoch: "e".into(), seq, user_id: None };
        PageKey { after, market: MarketFilter::default(), limit: 1000, known }
    }

    #[test]
    fn shares_a_page_only_among_requests_for_the_same_page() {
        let pages = SharedPages::default();
        let first = pages.cell(&key(1, 2));
        assert!(Arc::ptr_eq(&first, &pages.cell(&key(1, 2))));
        assert!(!Arc::ptr_eq(&first, &pages.cell(&key(2, 2))), "another position");
        assert!(!Arc::ptr_eq(&first, &pages.cell(&key(1, 3))), "there was a change since then");
        assert!(Arc::ptr_eq(&first, &pages.cell(&key(1, 2))), "it is still being read");
    }

    #[test]
    fn keeps_only_the_last_page_without_readers() {
        let pages = SharedPages::default();
        let (earlier, last) =
            (Arc::downgrade(&pages.cell(&key(1, 1))), Arc::downgrade(&pages.cell(&key(1, 2))));
        assert!(earlier.upgrade().is_none());
        let last = last.upgrade().expect("it is kept");
        assert!(Arc::ptr_eq(&last, &pages.cell(&key(1, 2))));
    }
}
