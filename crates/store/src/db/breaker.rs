//! A circuit breaker for a pool of PostgreSQL. It opens if no caller has got a connection during
//! the time that a caller waits for one. While it is open, calls fail at once, and one call every
//! half second tries the database. Without it each request would wait for seconds, and all waiting
//! requests would query at once when the database is back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::time::Instant;

use super::ACQUIRE_TIMEOUT;

const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// After this long without calls, earlier timeouts say nothing about the current state. It is
/// longer than a caller waits for a connection.
const RESET_AFTER: Duration = ACQUIRE_TIMEOUT.saturating_mul(2);

/// The breakers of the two pools of PostgreSQL; unused for an SQLite file, which is either present
/// or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breakers {
    pub(crate) read: Arc<Breaker>,
    pub(crate) write: Arc<Breaker>,
    /// A closed pool. Rejected callers get it instead of the real one, so that their call fails
    /// with "closed".
    closed: Option<PgPool>,
}

impl Breakers {
    pub(crate) fn of_postgres() -> Self {
        let closed = PgPoolOptions::new().idle_timeout(None).max_lifetime(None);
        let closed = closed.connect_lazy_with(PgConnectOptions::new_without_pgpass());
        // The pool is closed from this call on. The dropped future would only wait for connections
        // to return, and there are none.
        drop(closed.close());
        Self { closed: Some(closed), ..Self::default() }
    }

    /// Returns the pool, or the closed pool while the breaker is open.
    pub(crate) fn for_reading<'a>(&'a self, pool: &'a PgPool) -> &'a PgPool {
        self.closed.as_ref().filter(|_| !self.read.admit()).unwrap_or(pool)
    }

    /// Like [`Self::for_reading`], for the pool for writing.
    pub(crate) fn for_writing<'a>(&'a self, pool: &'a PgPool) -> &'a PgPool {
        self.closed.as_ref().filter(|_| !self.write.admit()).unwrap_or(pool)
    }

    /// Returns whether a caller that already has the pool may request a connection from it.
    pub(crate) fn admit_reading(&self) -> bool {
        self.closed.is_none() || self.read.admit()
    }
}

/// The state of the circuit breaker of one pool.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    /// The time of the first request since the last one that got a connection.
    since: Option<Instant>,
    last_request: Option<Instant>,
    last_probe: Option<Instant>,
}

impl Breaker {
    /// Returns whether a caller may wait for a connection. If it returns true, the caller must
    /// request one.
    fn admit(&self) -> bool {
        let now = Instant::now();
        let passed = |at: Option<Instant>, time| at.is_none_or(|at| now.duration_since(at) >= time);
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if passed(waiting.last_request.replace(now), RESET_AFTER) {
            waiting.since = None;
        }
        let since = *waiting.since.get_or_insert(now);
        if now.duration_since(since) < ACQUIRE_TIMEOUT {
            return true;
        }
        if passed(waiting.last_probe, PROBE_INTERVAL) {
            waiting.last_probe = Some(now);
            return true;
        }
        false
    }

    /// Records that a caller got a working connection.
    pub(crate) fn record_connection(&self) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.since = None;
    }

    /// Returns whether the breaker is open, so that most calls fail at once.
    pub(crate) fn is_open(&self) -> bool {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.since.is_some_and(|since| since.elapsed() >= ACQUIRE_TIMEOUT)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn lets_one_call_probe_while_the_others_fail() {
        let breaker = Breaker::default();
        for _ in 0..10 {
            assert!(breaker.admit(), "the breaker is still closed");
            tokio::time::advance(ACQUIRE_TIMEOUT / 10).await;
        }
        assert!(breaker.is_open());
        for _ in 0..3 {
            assert!(breaker.admit(), "one call probes");
            for _ in 0..5 {
                assert!(!breaker.admit(), "the other calls fail");
            }
            tokio::time::advance(PROBE_INTERVAL).await;
        }
        breaker.record_connection();
        assert!(!breaker.is_open());
        assert!(breaker.admit(), "a connection is available again");
    }

    #[tokio::test(start_paused = true)]
    async fn forgets_an_unanswered_request_after_a_while() {
        let breaker = Breaker::default();
        assert!(breaker.admit(), "the first call");
        tokio::time::advance(RESET_AFTER * 2).await;
        for _ in 0..3 {
            assert!(breaker.admit(), "no later call has failed");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn stays_closed_for_a_busy_pool() {
        let breaker = Breaker::default();
        for _ in 0..100 {
            for _ in 0..20 {
                assert!(breaker.admit(), "other calls get connections");
            }
            tokio::time::advance(ACQUIRE_TIMEOUT / 10).await;
            breaker.record_connection();
        }
    }

    /// The paused clock of this test advances on its own while the test waits, so waiting times are
    /// exact.
    #[tokio::test(start_paused = true)]
    async fn waits_only_once_for_a_silent_database() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = silent.local_addr().expect("an address");
        let url = format!("postgres://nobody@{address}/nowhere?sslmode=disable");
        let store = crate::Store::lazy_postgres(&url, crate::POSTGRES_CONNECTIONS).expect("a URL");
        let wait = async || {
            let start = Instant::now();
            let error = store.revision().await.expect_err("the database does not answer");
            assert!(error.is_unavailable());
            start.elapsed()
        };
        assert!(!wait().await.is_zero());
        tokio::time::advance(PROBE_INTERVAL).await;
        let waited = join_all((0..20).map(|_| wait())).await;
        let rejected = waited.iter().filter(|duration| duration.is_zero()).count();
        assert_eq!(rejected, 19, "one call probes: {waited:?}");
        let open: Vec<_> = store.connections().iter().map(|pool| pool.is_refused).collect();
        assert_eq!(open, [true, false], "no call has requested a connection for writing");
    }
}
