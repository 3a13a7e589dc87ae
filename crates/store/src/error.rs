/// What can go wrong with remembering. Rules broken by a person are not errors of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Busy, gone, full or failing over: the same call may succeed later.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// Something that should be unique is there already.
    #[error("{0} is already taken")]
    Conflict(&'static str),
    /// What was read cannot be what we wrote.
    #[error("the database holds something unexpected: {0}")]
    Corrupt(String),
    /// Anything else that the driver says.
    #[error("the database refused: {0}")]
    Driver(#[source] sqlx::Error),
    #[error("the schema could not be brought up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    #[error("a file could not be read or written: {0}")]
    File(#[from] std::io::Error),
}

impl StoreError {
    /// Whoever waited has given up.
    pub fn silent() -> Self {
        Self::Unavailable(sqlx::Error::PoolTimedOut)
    }

    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if is_transient(&error) { Self::Unavailable(error) } else { Self::Driver(error) }
    }
}

/// PostgreSQL: connection lost, closed to connections, shutting down, read-only after a failover, out of connections or
/// of disk. SQLite: busy, locked, I/O error, full.
fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(database) => database.code().is_some_and(|code| {
            let code = code.as_ref();
            code.starts_with("08")
                || code.starts_with("53")
                || matches!(
                    code,
                    "25006" | "55000" | "57P01" | "57P02" | "57P03" | "40001" | "40P01"
                )
                || code.parse::<u32>().is_ok_and(|sqlite| matches!(sqlite & 0xff, 5 | 6 | 10 | 13))
                    && code.len() < 5
        }),
        _ => false,
    }
}
