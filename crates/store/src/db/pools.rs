//! The connection pools of a store.

use sqlx::{Database, Pool, Postgres, Sqlite};

use super::breaker::Breakers;
use super::{Engine, Store};

pub(crate) struct Pools<D: Database> {
    pub(crate) read: Pool<D>,
    pub(crate) write: Pool<D>,
    /// For large values. On SQLite it has one connection, because each connection is a thread that
    /// keeps the memory that it once needed for a document.
    pub(crate) bulk: Pool<D>,
    /// For the watcher of changes; on SQLite one connection that it does not give back.
    pub(crate) watch: Pool<D>,
}

// A derived `Clone` would require that the marker types of the databases are `Clone`.
impl<D: Database> Clone for Pools<D> {
    fn clone(&self) -> Self {
        let (read, write) = (self.read.clone(), self.write.clone());
        Self { read, write, bulk: self.bulk.clone(), watch: self.watch.clone() }
    }
}

impl<D: Database> Pools<D> {
    pub(super) async fn close(&self) {
        self.watch.close().await;
        self.read.close().await;
        self.bulk.close().await;
        self.write.close().await;
    }
}

#[derive(Clone)]
pub(crate) enum Db {
    Sqlite(Pools<Sqlite>),
    Postgres(Pools<Postgres>),
}

impl Db {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }
}

/// The pools of a [`Store`], for a task that may outlive a reference to it.
pub(crate) struct Reader {
    pub(crate) db: Db,
    pub(crate) breakers: Breakers,
}

impl Reader {
    pub(crate) fn engine(&self) -> Engine {
        self.db.engine()
    }
}

impl Store {
    /// Returns the pools for a separate task.
    pub(crate) fn reader(&self) -> Reader {
        Reader { db: self.db.clone(), breakers: self.breakers.clone() }
    }
}
