//! What the tests with random runs share: numbers, settings, nodes, and calls that are dropped.

use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use super::store;
use crate::db::{Db, modify};
use crate::{Engine, Store};

/// Numbers that look random and are the same for the same seed (splitmix64).
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }

    pub(super) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).expect("an index")
    }

    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.index(all.len())]
    }

    /// Returns whether an event happens that has this chance.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns a number between `-limit` and `limit`.
    pub(super) fn around_zero(&mut self, limit: u64) -> i64 {
        let shifted = i64::try_from(self.below(2 * limit + 1)).expect("a small number");
        shifted - i64::try_from(limit).expect("a small number")
    }
}

/// Returns a setting from the environment.
pub(super) fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Returns the seeds of this many runs: from `MUSETTE_MODEL_SEED` on, or others each time.
pub(super) fn seeds(runs: u64) -> impl Iterator<Item = u64> {
    let first = setting("MUSETTE_MODEL_SEED").unwrap_or_else(|| {
        #[expect(clippy::disallowed_methods, reason = "each test tries other seeds")]
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(1, |since| u64::from(since.subsec_nanos()))
    });
    (first..).take(usize::try_from(runs).unwrap_or(usize::MAX))
}

/// Runs a test on both engines that limits the time of each of its runs itself.
macro_rules! runs_on_both {
    ($test:ident) => {
        mod $test {
            #[tokio::test]
            async fn on_sqlite() {
                super::$test($crate::Engine::Sqlite).await;
            }
            #[tokio::test]
            async fn on_postgres() {
                super::$test($crate::Engine::Postgres).await;
            }
        }
    };
}
pub(super) use runs_on_both;

/// Two nodes on one store. Either can crash and start again.
pub(super) struct Nodes {
    pub(super) stores: [Arc<Store>; 2],
    place: Place,
    _dir: Option<tempfile::TempDir>,
}

enum Place {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Place {
    async fn open(&self) -> Arc<Store> {
        Arc::new(match self {
            Self::Sqlite(file) => Store::open_sqlite(file).await.expect("opens"),
            Self::Postgres(url) => {
                Store::open_postgres(url, crate::POSTGRES_CONNECTIONS).await.expect("opens")
            }
        })
    }
}

impl Nodes {
    pub(super) async fn start(engine: Engine) -> Self {
        let (first, dir) = store(engine).await;
        Self::of(first, dir).await
    }

    /// Starts a second node for the same database.
    pub(super) async fn of(first: Arc<Store>, dir: Option<tempfile::TempDir>) -> Self {
        let place = match &dir {
            Some(dir) => Place::Sqlite(dir.path().join("musette.db")),
            None => Place::Postgres(super::evidence::database(&first).await),
        };
        let second = place.open().await;
        let nodes = Self { stores: [first, second], place, _dir: dir };
        for node in &nodes.stores {
            do_not_wait_for_the_disk(node).await;
        }
        nodes
    }

    /// Ends a node and starts it again.
    pub(super) async fn restart(&mut self, node: usize) {
        let opened = self.place.open().await;
        do_not_wait_for_the_disk(&opened).await;
        std::mem::replace(&mut self.stores[node], opened).close().await;
    }
}

/// Makes commits of SQLite faster, as `tools/with-postgres` does for PostgreSQL.
async fn do_not_wait_for_the_disk(store: &Store) {
    if let Db::Sqlite(_) = &store.db {
        modify!(store, |pool| sqlx::query("PRAGMA synchronous = OFF")
            .execute(pool)
            .await
            .map(drop))
        .expect("a setting");
    }
}

/// Polls a call this often, and then drops it, like a node that crashes or a client that closes its
/// connection. Returns `None` if it was dropped.
pub(super) async fn dropped_after<T>(polls: u64, call: impl Future<Output = T>) -> Option<T> {
    let (mut call, mut left) = (pin!(call), polls);
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        call.as_mut().poll(context).map(Some)
    })
    .await
}
