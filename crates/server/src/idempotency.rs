//! Idempotency keys whose first request is still running on this node.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// By scope (whose key it is) and key.
#[derive(Debug, Default)]
pub struct RunningKeys(Mutex<HashSet<(String, String)>>);

/// Held while the first request with a key runs.
#[derive(Debug)]
pub struct RunningKey {
    all: Arc<RunningKeys>,
    key: (String, String),
}

impl RunningKeys {
    /// Marks the key as running; none when it is running already.
    pub fn begin(self: &Arc<Self>, scope: &str, key: &str) -> Option<RunningKey> {
        let key = (scope.to_owned(), key.to_owned());
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.insert(key.clone()).then(|| RunningKey { all: Arc::clone(self), key })
    }
}

impl Drop for RunningKey {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
