//! Sessions as this node knows them: those seen alive, and which clients have shown that they got
//! their tokens. What is here can be lost: it is read again, and a lost acknowledgement only makes
//! the former token good for longer.

mod link;
mod open;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_core::session::{Claims, ReuseRules};
use musette_store::{Acknowledgement, Rotator, Session, Store, StoreError};

pub use link::sign_in_link;
pub use open::{Granted, NewSignIn, open};

/// More sessions than this in memory are forgotten and read again.
const SESSIONS_MAX: usize = 100_000;
/// Acknowledgements in one statement.
const ACKNOWLEDGED_AT_ONCE: usize = 1000;

/// A session as the store had it.
pub struct CachedSession {
    pub session: Session,
    /// The newest generation that is known to be acknowledged.
    acked: AtomicI64,
}

#[derive(Default)]
struct SessionCache {
    /// Raised whenever something is forgotten, so that what was read before is not kept after.
    epoch: u64,
    known: HashMap<String, Arc<CachedSession>>,
}

pub struct Sessions {
    pub rotator: Rotator,
    pub rules: ReuseRules,
    cache: Mutex<SessionCache>,
    /// Acknowledgements that are not flushed yet.
    seen: Mutex<HashMap<String, Acknowledgement>>,
    /// The last known revision of ended sessions.
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
            seen: Mutex::default(),
            ended: AtomicI64::new(-1),
        }
    }

    /// The session, if it is there; whether it is still good is for the caller to judge.
    pub async fn get(
        &self,
        store: &Store,
        sid: &str,
    ) -> Result<Option<Arc<CachedSession>>, StoreError> {
        let epoch = {
            let cache = lock(&self.cache);
            if let Some(known) = cache.known.get(sid) {
                return Ok(Some(Arc::clone(known)));
            }
            cache.epoch
        };
        let Some(session) = store.session(sid).await? else { return Ok(None) };
        let acked = AtomicI64::new(session.acked_generation);
        let known = Arc::new(CachedSession { session, acked });
        let mut cache = lock(&self.cache);
        if cache.epoch == epoch {
            if cache.known.len() >= SESSIONS_MAX {
                cache.known.clear();
            }
            cache.known.insert(sid.to_owned(), Arc::clone(&known));
        }
        Ok(Some(known))
    }

    /// Reads all sessions again: some have ended.
    pub fn forget(&self) {
        let mut cache = lock(&self.cache);
        cache.epoch += 1;
        cache.known.clear();
    }

    /// Forgets the sessions where some have ended since the last time, on whichever node.
    pub async fn follow_ended(&self, store: &Store) -> Result<(), StoreError> {
        let revision = store.ended_revision().await?;
        if self.ended.swap(revision, Ordering::Relaxed) != revision {
            self.forget();
        }
        Ok(())
    }

    /// The client has what was given to it: it called with an access token of that generation.
    pub fn acknowledge(&self, known: &CachedSession, claims: &Claims, now: Instant) {
        // Only the first call of each generation gets any further.
        if known.acked.fetch_max(claims.rg, Ordering::Relaxed) >= claims.rg {
            return;
        }
        let ack = Acknowledgement { sid: claims.sid.clone(), generation: claims.rg, at: now };
        let mut seen = lock(&self.seen);
        let known = seen.entry(claims.sid.clone()).or_insert_with(|| ack.clone());
        if known.generation < ack.generation {
            *known = ack;
        }
    }

    pub fn acknowledged_here(&self, sid: &str, generation: i64) -> Option<Instant> {
        lock(&self.seen).get(sid).filter(|ack| ack.generation == generation).map(|ack| ack.at)
    }

    /// Writes down who acknowledged. What fails is tried again the next time.
    pub async fn flush(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let batch: Vec<Acknowledgement> =
                lock(&self.seen).values().take(ACKNOWLEDGED_AT_ONCE).cloned().collect();
            if batch.is_empty() {
                return Ok(());
            }
            store.acknowledge(&batch).await?;
            let mut seen = lock(&self.seen);
            for written in batch {
                // A newer one may have come meanwhile.
                if seen.get(&written.sid).is_some_and(|ack| ack.generation == written.generation) {
                    seen.remove(&written.sid);
                }
            }
        }
    }
}
