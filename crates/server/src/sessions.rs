//! The sessions that this node has cached, and acknowledgements of tokens that are not written yet.
//! Both may be lost: sessions are read again, and without an acknowledgement the previous token
//! merely remains valid for longer.

pub mod attempts;
pub mod delivery;
pub mod keys;
mod link;
pub mod oidc;
mod open;
pub mod passwords;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_core::session::{Claims, ReuseRules};
use musette_store::{Acknowledgement, Rotator, Session, Store, StoreError};

pub use link::sign_in_link;
pub use open::{GrantedTokens, NewSignIn, open};

/// The number of cached sessions above which the cache is emptied.
const SESSIONS_MAX: usize = 100_000;
/// The number of acknowledgements in one statement.
const ACKNOWLEDGED_AT_ONCE: usize = 1000;

/// A session as it was read from the store.
pub struct CachedSession {
    pub session: Session,
    /// The newest generation that was acknowledged.
    acked: AtomicI64,
}

#[derive(Default)]
struct SessionCache {
    /// Incremented when the cache is emptied, so that a session that was read before is not cached
    /// after it.
    epoch: u64,
    sessions: HashMap<String, Arc<CachedSession>>,
}

pub struct Sessions {
    pub rotator: Rotator,
    pub rules: ReuseRules,
    cache: Mutex<SessionCache>,
    /// Acknowledgements that are not flushed yet.
    acknowledged: Mutex<HashMap<String, Acknowledgement>>,
    /// The last revision of ended sessions that this node has seen.
    ended: AtomicI64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    pub fn new(rotator: Rotator, rules: ReuseRules) -> Self {
        Self {
            rotator,
            rules,
            cache: Mutex::default(),
            acknowledged: Mutex::default(),
            ended: AtomicI64::new(-1),
        }
    }

    /// Returns the session if it exists. The caller must check whether it is still valid.
    pub async fn get(
        &self,
        store: &Store,
        sid: &str,
    ) -> Result<Option<Arc<CachedSession>>, StoreError> {
        let epoch = {
            let cache = lock(&self.cache);
            if let Some(cached) = cache.sessions.get(sid) {
                return Ok(Some(Arc::clone(cached)));
            }
            cache.epoch
        };
        let Some(session) = store.session(sid).await? else { return Ok(None) };
        let acked = AtomicI64::new(session.acked_generation);
        let cached = Arc::new(CachedSession { session, acked });
        let mut cache = lock(&self.cache);
        if cache.epoch == epoch {
            if cache.sessions.len() >= SESSIONS_MAX {
                cache.sessions.clear();
            }
            cache.sessions.insert(sid.to_owned(), Arc::clone(&cached));
        }
        Ok(Some(cached))
    }

    /// Empties the cache, because some sessions have ended or changed.
    pub fn forget(&self) {
        let mut cache = lock(&self.cache);
        cache.epoch += 1;
        cache.sessions.clear();
    }

    /// Empties the cache if any node has ended sessions since the last call.
    pub async fn follow_ended(&self, store: &Store) -> Result<(), StoreError> {
        let revision = store.ended_revision().await?;
        if self.ended.swap(revision, Ordering::Relaxed) != revision {
            self.forget();
        }
        Ok(())
    }

    /// Records that the client has received its tokens, because it called with an access token of
    /// that generation.
    pub fn acknowledge(&self, cached: &CachedSession, claims: &Claims, now: Instant) {
        // Only the first call of each generation continues.
        if cached.acked.fetch_max(claims.rg, Ordering::Relaxed) >= claims.rg {
            return;
        }
        let ack = Acknowledgement { sid: claims.sid.clone(), generation: claims.rg, at: now };
        let mut acknowledged = lock(&self.acknowledged);
        let last = acknowledged.entry(claims.sid.clone()).or_insert_with(|| ack.clone());
        if last.generation < ack.generation {
            *last = ack;
        }
    }

    pub fn acknowledged_here(&self, sid: &str, generation: i64) -> Option<Instant> {
        let acknowledged = lock(&self.acknowledged);
        acknowledged.get(sid).filter(|ack| ack.generation == generation).map(|ack| ack.at)
    }

    /// Writes the acknowledgements. Those that fail are retried with the next flush.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let batch: Vec<Acknowledgement> =
                lock(&self.acknowledged).values().take(ACKNOWLEDGED_AT_ONCE).cloned().collect();
            if batch.is_empty() {
                return Ok(());
            }
            store.acknowledge(&batch).await?;
            let mut acknowledged = lock(&self.acknowledged);
            for written in batch {
                let last = acknowledged.get(&written.sid);
                // A newer one may have been added in the meantime.
                if last.is_some_and(|ack| ack.generation == written.generation) {
                    acknowledged.remove(&written.sid);
                }
            }
        }
    }
}
