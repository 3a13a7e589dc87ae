//! A circuit breaker for a pool of PostgreSQL: where nobody has got a connection for as long as anybody waits for one,
//! the next are refused at once, and only one is let through every half second to try. Else each request would wait for
//! seconds, and all that wait would ask at once when the database is back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::time::Instant;

use super::ACQUIRE_TIMEOUT;

const TRIED_EVERY: Duration = Duration::from_millis(500);
/// If nobody has asked for so long, what was not answered then says nothing about now. Longer than one waits.
const FORGOTTEN_AFTER: Duration = ACQUIRE_TIMEOUT.saturating_mul(2);

/// Breakers of the two pools of PostgreSQL; none for a file, which is there or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breakers {
    pub(crate) read: Arc<Breaker>,
    pub(crate) write: Arc<Breaker>,
    /// Whoever is refused gets this one, and from it the answer that it is closed.
    closed: Option<PgPool>,
}

impl Breakers {
    pub(crate) fn of_postgres() -> Self {
        let closed = PgPoolOptions::new().idle_timeout(None).max_lifetime(None);
        let closed = closed.connect_lazy_with(PgConnectOptions::new_without_pgpass());
        // It is closed from now on; what it would wait for is that connections come back, and it has none.
        drop(closed.close());
        Self { closed: Some(closed), ..Self::default() }
    }

    /// The pool, or one that refuses.
    pub(crate) fn for_reading<'a>(&'a self, pool: &'a PgPool) -> &'a PgPool {
        self.closed.as_ref().filter(|_| !self.read.admits()).unwrap_or(pool)
    }

    /// [`Self::for_reading`] of the pool for writing.
    pub(crate) fn for_writing<'a>(&'a self, pool: &'a PgPool) -> &'a PgPool {
        self.closed.as_ref().filter(|_| !self.write.admits()).unwrap_or(pool)
    }

    /// Whether somebody who has the pool already may ask it for a connection.
    pub(crate) fn admit_reading(&self) -> bool {
        self.closed.is_none() || self.read.admits()
    }
}

/// What is known of the connections of one pool.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    /// When somebody asked, since when nobody has got one.
    since: Option<Instant>,
    asked: Option<Instant>,
    tried: Option<Instant>,
}

impl Breaker {
    /// Whether it is worth waiting for a connection; who is told so asks for one.
    fn admits(&self) -> bool {
        let now = Instant::now();
        let passed = |at: Option<Instant>, time| at.is_none_or(|at| now.duration_since(at) >= time);
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if passed(waiting.asked.replace(now), FORGOTTEN_AFTER) {
            waiting.since = None;
        }
        let since = *waiting.since.get_or_insert(now);
        if now.duration_since(since) < ACQUIRE_TIMEOUT {
            return true;
        }
        if passed(waiting.tried, TRIED_EVERY) {
            waiting.tried = Some(now);
            return true;
        }
        false
    }

    /// Somebody has got a connection that answers.
    pub(crate) fn got(&self) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.since = None;
    }

    /// Whether most are refused.
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
    async fn one_tries_while_the_others_are_refused() {
        let breaker = Breaker::default();
        for _ in 0..10 {
            assert!(breaker.admits(), "it is not known yet");
            tokio::time::advance(ACQUIRE_TIMEOUT / 10).await;
        }
        assert!(breaker.is_open());
        for _ in 0..3 {
            assert!(breaker.admits(), "one tries");
            for _ in 0..5 {
                assert!(!breaker.admits(), "the others do not");
            }
            tokio::time::advance(TRIED_EVERY).await;
        }
        breaker.got();
        assert!(!breaker.is_open());
        assert!(breaker.admits(), "there is one again");
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_not_answered_long_ago_is_forgotten() {
        let breaker = Breaker::default();
        assert!(breaker.admits(), "the first");
        tokio::time::advance(FORGOTTEN_AFTER * 2).await;
        for _ in 0..3 {
            assert!(breaker.admits(), "nobody has failed since");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_pool_is_not_refused() {
        let breaker = Breaker::default();
        for _ in 0..100 {
            for _ in 0..20 {
                assert!(breaker.admits(), "others get theirs");
            }
            tokio::time::advance(ACQUIRE_TIMEOUT / 10).await;
            breaker.got();
        }
    }

    /// The clock of this test goes on by itself while it waits, so that what is waited for is counted exactly.
    #[tokio::test(start_paused = true)]
    async fn a_silent_database_is_waited_for_once() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = silent.local_addr().expect("an address");
        let url = format!("postgres://nobody@{address}/nowhere?sslmode=disable");
        let store = crate::Store::lazy_postgres(&url).expect("a URL");
        let wait = async || {
            let began = Instant::now();
            let error = store.revision().await.expect_err("nobody answers");
            assert!(error.is_unavailable());
            began.elapsed()
        };
        assert!(!wait().await.is_zero());
        tokio::time::advance(TRIED_EVERY).await;
        let waited = join_all((0..20).map(|_| wait())).await;
        let refused = waited.iter().filter(|it| it.is_zero()).count();
        assert_eq!(refused, 19, "one tries: {waited:?}");
        let open: Vec<_> = store.connections().iter().map(|it| it.is_refused).collect();
        assert_eq!(open, [true, false], "nobody has asked for one to write");
    }
}
