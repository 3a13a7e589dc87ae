//! Idempotency keys whose first request is still running on this node, even if its client has
//! disconnected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The start of each request, by scope (the owner of the key) and key.
#[derive(Debug, Default)]
pub struct RunningKeys(Mutex<HashMap<(String, String), Instant>>);

/// Held while the first request with a key runs.
#[derive(Debug)]
pub struct RunningKey {
    all: Arc<RunningKeys>,
    key: (String, String),
}

impl RunningKeys {
    /// Marks the key as running. If it is already running, returns for how long.
    pub fn begin(self: &Arc<Self>, scope: &str, key: &str) -> Result<RunningKey, Duration> {
        let key = (scope.to_owned(), key.to_owned());
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(began) = running.get(&key) {
            return Err(began.elapsed());
        }
        running.insert(key.clone(), Instant::now());
        Ok(RunningKey { all: Arc::clone(self), key })
    }
}

impl Drop for RunningKey {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
