//! The gate of this node: brings the stored answers up to what happened, wakes who waits for changes, and reads the page
//! that all of them ask for once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use musette_core::instant::Instant as WallTime;
use musette_core::terms::TermType;
use musette_store::{GateKeeper, GatePage, GatePlace, MarketFilter, Store, StoreError};
use tokio::sync::{Mutex, OnceCell, watch};

use crate::clock::Clock;
use crate::terms::DEFAULT_TYPES;

const NEVER: i64 = i64::MAX;

pub struct Gate {
    /// One after another in this node; nodes come one after another in the store.
    keeping: Mutex<Keeping>,
    types: Vec<TermType>,
    /// The number of the last change that this node knows of.
    changed: watch::Sender<i64>,
    /// When time alone changes the next answer, in milliseconds since 1970.
    next_due: AtomicI64,
    pages: SharedPages,
}

/// Which page of changes somebody asks for, and the last change that this node knew of before it was read.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PageKey {
    pub after: GatePlace,
    pub market: MarketFilter,
    pub limit: i64,
    pub known: i64,
}

/// Single-flight: a hundred programs that wait at one place are told by one read.
#[derive(Default)]
struct SharedPages(std::sync::Mutex<Pages>);

#[derive(Default)]
struct Pages {
    running: HashMap<PageKey, Weak<OnceCell<GatePage>>>,
    /// The last one, for who comes right after it was read.
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
    keeper: GateKeeper,
    /// When the last catching up began, and what it found.
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
    /// Changes when an answer does.
    pub fn changed(&self) -> watch::Receiver<i64> {
        self.changed.subscribe()
    }

    /// When time alone changes the next answer, as far as the last catching up saw.
    pub fn next_due(&self) -> Option<WallTime> {
        let at = self.next_due.load(Ordering::Relaxed);
        (at != NEVER).then(|| WallTime::from_millis(at))
    }

    /// Brings the answers up to now, as far as that takes no longer than `within`; whether they are. Whoever comes
    /// while others wait shares what the next one finds.
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
        let came = Instant::now();
        let mut keeping = self.keeping.lock().await;
        if let Some((_, found)) = keeping.last.filter(|(began, _)| *began > came) {
            return Ok(found);
        }
        let began = Instant::now();
        let found = self.step_until(&mut keeping.keeper, store, clock, began + within).await?;
        keeping.last = Some((began, found));
        Ok(found)
    }

    /// The changes after a place. They hold all that this node knew of when it was asked, and may be a page that somebody
    /// else was given: whoever wants the newest looks afterwards whether [`Self::changed`] has.
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
        keeper: &mut GateKeeper,
        store: &Store,
        clock: Clock,
        until: Instant,
    ) -> Result<bool, StoreError> {
        loop {
            let Some(state) = store.gate_state(clock.now()).await? else { return Ok(true) };
            self.changed.send_if_modified(|known| std::mem::replace(known, state.seq) != state.seq);
            self.next_due.store(state.changes_at.unwrap_or(NEVER), Ordering::Relaxed);
            if !state.is_behind {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            store.step_gate(keeper, &self.types, clock.now()).await?;
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
    fn only_whoever_asks_for_the_same_page_shares_it() {
        let pages = SharedPages::default();
        let first = pages.cell(&key(1, 2));
        assert!(Arc::ptr_eq(&first, &pages.cell(&key(1, 2))));
        assert!(!Arc::ptr_eq(&first, &pages.cell(&key(2, 2))), "another place");
        assert!(!Arc::ptr_eq(&first, &pages.cell(&key(1, 3))), "something happened since");
        assert!(Arc::ptr_eq(&first, &pages.cell(&key(1, 2))), "it is still being read");
    }

    #[test]
    fn the_last_page_alone_is_kept_when_nobody_reads_it() {
        let pages = SharedPages::default();
        let (former, last) =
            (Arc::downgrade(&pages.cell(&key(1, 1))), Arc::downgrade(&pages.cell(&key(1, 2))));
        assert!(former.upgrade().is_none());
        let last = last.upgrade().expect("it is kept");
        assert!(Arc::ptr_eq(&last, &pages.cell(&key(1, 2))));
    }
}
