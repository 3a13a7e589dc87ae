//! The gate of this node: brings the stored answers up to what happened, and wakes who waits for changes.

use std::time::{Duration, Instant};

use musette_core::terms::TermType;
use musette_store::{GateKeeper, Store, StoreError};
use tokio::sync::{Mutex, watch};

use crate::clock::Clock;
use crate::terms::DEFAULT_TYPES;

pub struct Gate {
    /// One after another in this node; nodes come one after another in the store.
    keeper: Mutex<GateKeeper>,
    types: Vec<TermType>,
    /// The number of the last change that this node knows of.
    changed: watch::Sender<i64>,
}

impl Default for Gate {
    fn default() -> Self {
        let types = DEFAULT_TYPES.split(',').filter_map(TermType::parse).collect();
        Self { keeper: Mutex::default(), types, changed: watch::Sender::new(0) }
    }
}

impl Gate {
    /// Changes when an answer does.
    pub fn changed(&self) -> watch::Receiver<i64> {
        self.changed.subscribe()
    }

    /// Brings the answers up to now, as far as that takes no longer than `within`; whether they are.
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
        let began = Instant::now();
        loop {
            let Some(state) = store.gate_state(clock.now()).await? else { return Ok(true) };
            self.changed.send_if_modified(|known| std::mem::replace(known, state.seq) != state.seq);
            if !state.is_behind {
                return Ok(true);
            }
            if began.elapsed() >= within {
                return Ok(false);
            }
            let mut keeper = self.keeper.lock().await;
            store.step_gate(&mut keeper, &self.types, clock.now()).await?;
        }
    }
}
