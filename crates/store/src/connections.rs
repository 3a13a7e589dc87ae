//! How many connections the store has, for those who watch it.

use sqlx::{Database, Pool};

use crate::db::{Db, Pools, Store};

/// Connections of one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// `read`, `write`, or `bulk` for what is large.
    pub pool: &'static str,
    /// At the most.
    pub max: u32,
    /// Connections that are in use now.
    pub used: u32,
    /// Those that are open and wait for somebody.
    pub idle: u32,
    /// Nobody has got one for so long that most who ask are refused at once.
    pub is_refused: bool,
}

impl Store {
    /// Lists the connections of each pool.
    pub fn connections(&self) -> Vec<Connections> {
        match &self.db {
            Db::Sqlite(pools) => {
                let mut all = self.of_both(pools);
                all.push(of("bulk", &pools.bulk, false));
                all
            }
            // Large things are read by the pool for reading.
            Db::Postgres(pools) => self.of_both(pools),
        }
    }

    fn of_both<D: Database>(&self, pools: &Pools<D>) -> Vec<Connections> {
        let (read, write) = (&self.breakers.read, &self.breakers.write);
        vec![of("read", &pools.read, read.is_open()), of("write", &pools.write, write.is_open())]
    }
}

fn of<D: Database>(name: &'static str, pool: &Pool<D>, is_refused: bool) -> Connections {
    let open = pool.size();
    // The driver counts them separately, and for a moment more of them can be idle than open.
    let idle = u32::try_from(pool.num_idle()).unwrap_or(0).min(open);
    let max = pool.options().get_max_connections();
    Connections { pool: name, max, used: open - idle, idle, is_refused }
}
