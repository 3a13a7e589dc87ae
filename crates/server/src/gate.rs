//! The gate of this node: brings the stored answers up to what happened, and wakes who waits for changes.

use std::time::{Duration, Instant};

use musette_core::terms::TermType;
use musette_store::{GateKeeper, StoreError};
use tokio::sync::{Mutex, watch};

use crate::app::App;
use crate::random;
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
}

/// Keeps the gate from now on, if that was not begun before.
///
/// # Errors
///
/// When the store cannot be read or written.
pub async fn begin(app: &App) -> Result<(), StoreError> {
    if !app.live.load().has_gate {
        app.store.keep_gate(&random::uuid()).await?;
        app.serve_newest().await?;
    }
    Ok(())
}

/// A store that was restored or moved has webhooks that are told of changes, and no gate yet.
///
/// # Errors
///
/// When the store cannot be read or written.
pub async fn begin_if_asked_for(app: &App) -> Result<(), StoreError> {
    if app.store.gate_is_asked_for().await? {
        begin(app).await?;
    }
    Ok(())
}

/// Brings the answers up to now, as far as that takes no longer than `within`; whether they are.
///
/// # Errors
///
/// When the store cannot be read or written.
pub async fn catch_up(app: &App, within: Duration) -> Result<bool, StoreError> {
    let (gate, began) = (&app.gate, Instant::now());
    loop {
        let Some(state) = app.store.gate_state(app.now()).await? else { return Ok(true) };
        gate.changed.send_if_modified(|known| std::mem::replace(known, state.seq) != state.seq);
        if !state.is_behind {
            return Ok(true);
        }
        if began.elapsed() >= within {
            return Ok(false);
        }
        let mut keeper = gate.keeper.lock().await;
        app.store.step_gate(&mut keeper, &gate.types, app.now()).await?;
    }
}
