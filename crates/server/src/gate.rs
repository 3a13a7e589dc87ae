//! The gate of this node: brings the stored answers up to what happened, and wakes who waits for changes.

use std::time::{Duration, Instant};

use musette_core::terms::TermType;
use musette_store::{GateKeeper, Store, StoreError};
use tokio::sync::{Mutex, watch};

use crate::clock::Clock;
use crate::terms::DEFAULT_TYPES;

pub struct Gate {
    /// One after another in this node; nodes come one after another in the store.
    keeping: Mutex<Keeping>,
    types: Vec<TermType>,
    /// The number of the last change that this node knows of.
    changed: watch::Sender<i64>,
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
        Self { keeping: Mutex::default(), types, changed: watch::Sender::new(0) }
    }
}

impl Gate {
    /// Changes when an answer does.
    pub fn changed(&self) -> watch::Receiver<i64> {
        self.changed.subscribe()
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
