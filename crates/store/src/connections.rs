//! The number of database connections, for monitoring.

use sqlx::{Database, Pool};

use crate::db::{Db, Pools, Store};

/// Connections of one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// `read`, `write`, or `bulk` for large values.
    pub pool: &'static str,
    /// Maximum number of connections.
    pub max: u32,
    /// Connections that are in use now.
    pub used: u32,
    /// Connections that are open and unused.
    pub idle: u32,
    /// Whether the circuit breaker is open: no caller has got a connection for so long that most
    /// calls fail at once.
    pub is_refused: bool,
}

impl Store {
    /// Lists the connections of each pool.
    pub fn connections(&self) -> Vec<Connections> {
        match &self.db {
            Db::Sqlite(pools) => {
                let mut all = self.read_and_write(pools);
                all.push(pool_connections("bulk", &pools.bulk, false));
                all
            }
            // Large values are read with the pool for reading.
            Db::Postgres(pools) => self.read_and_write(pools),
        }
    }

    fn read_and_write<D: Database>(&self, pools: &Pools<D>) -> Vec<Connections> {
        let (read, write) = (&self.breakers.read, &self.breakers.write);
        vec![
            pool_connections("read", &pools.read, read.is_open()),
            pool_connections("write", &pools.write, write.is_open()),
        ]
    }
}

fn pool_connections<D: Database>(
    name: &'static str,
    pool: &Pool<D>,
    is_refused: bool,
) -> Connections {
    let open = pool.size();
    // The driver counts them separately, so for a moment more connections can be idle than open.
    let idle = u32::try_from(pool.num_idle()).unwrap_or(0).min(open);
    let max = pool.options().get_max_connections();
    Connections { pool: name, max, used: open - idle, idle, is_refused }
}
