use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

use crate::db::secrets::SecretsFault;

/// Errors of the store. A rule broken by a person is not one: calls return it as a value.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Busy, gone, full or failing over: the same call may succeed later.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// No connection is given out; nothing was written.
    #[error(
        "the database is not available: nobody has got a connection for 5 seconds, or nothing can be written since the start, or the server ends"
    )]
    Closed,
    /// The connection was lost while the commit was on its way: what was written may be there or not.
    #[error("the database did not say whether it has committed: {0}")]
    Uncertain(#[source] sqlx::Error),
    /// Something that should be unique is there already.
    #[error("{0} is already taken")]
    Conflict(&'static str),
    /// Colleagues must approve it first; nothing was written. It stands here, and is no value, so that no
    /// caller can take it for done.
    #[error("it needs {needed} approvals and has {given}")]
    ApprovalRequired {
        /// How many the rules demand.
        needed: i64,
        /// How many there are.
        given: i64,
    },
    /// A stored value is not one that we write.
    #[error("the database holds something unexpected: {0}")]
    Corrupt(String),
    /// Anything else that the driver says.
    #[error("the database refused: {0}")]
    Driver(#[source] sqlx::Error),
    /// A migration failed, or the store was written by a later version.
    #[error("the schema could not be brought up to date: {0}")]
    Migrate(#[from] MigrateError),
    /// A later version of the program took away what this one needs; names the migration.
    #[error(
        "a later version of the program has changed this store so that this one cannot use it ({0}): start that version"
    )]
    TooNew(String),
    /// A pooler in front of PostgreSQL shares sessions among connections.
    #[error(
        "the pooler in front of PostgreSQL shares sessions among connections (PgBouncer with pool_mode=transaction or statement): give this program pool_mode=session, or connect it to PostgreSQL itself; it opens 13 connections at most"
    )]
    SharedSessions,
    /// A file of the store, a backup or a restore failed.
    #[error("a file could not be read or written: {0}")]
    File(#[from] std::io::Error),
    /// A secret cannot be read with the keys that were given.
    #[error("{0}")]
    Secrets(#[from] SecretsFault),
    /// The error of a statement that several callers waited for, for each of them.
    #[error("{cause}")]
    Shared {
        /// Whether it passes by itself.
        passes: bool,
        /// The first caller's error, as text.
        cause: String,
    },
}

impl StoreError {
    /// The caller has waited too long.
    pub fn timed_out() -> Self {
        Self::Unavailable(sqlx::Error::PoolTimedOut)
    }

    /// The write goes on, and whoever asked for it does not wait any longer.
    pub(crate) fn no_answer_yet() -> Self {
        let error = std::io::Error::new(std::io::ErrorKind::TimedOut, "it is still writing");
        Self::Uncertain(error.into())
    }

    /// The database read what it was given and refused it: among many rows some are bad, and the others
    /// can be written without them.
    pub fn is_of_the_data(&self) -> bool {
        match self {
            Self::Driver(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| is_of_the_data(&code))
            }
            Self::Driver(sqlx::Error::Encode(_)) => true,
            _ => false,
        }
    }

    /// Whether it passes by itself, so that the same call may succeed later. Everything else is a
    /// fault of ours or of the machine, which no client mends by trying again.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::Uncertain(_) | Self::Closed => true,
            Self::File(error) => is_full(error),
            Self::Shared { passes, .. } => *passes,
            Self::Migrate(error) => in_migration(error).is_some_and(is_transient),
            _ => false,
        }
    }

    /// Whether the database file is not what SQLite wrote: only a backup helps.
    pub fn is_damaged(&self) -> bool {
        let error = match self {
            Self::Driver(error) | Self::Unavailable(error) | Self::Uncertain(error) => Some(error),
            Self::Migrate(error) => in_migration(error),
            _ => None,
        };
        let code = error.and_then(sqlx::Error::as_database_error).and_then(DatabaseError::code);
        code.and_then(|it| sqlite_code(&it)).is_some_and(|it| SQLITE_DAMAGED.contains(&(it & 0xff)))
    }

    /// A copy for another caller that waited for the same statement. An uncertain commit stays
    /// uncertain.
    pub fn shared(&self) -> Self {
        match self {
            Self::Uncertain(_) => Self::Uncertain(sqlx::Error::WorkerCrashed),
            _ => Self::Shared { passes: self.is_unavailable(), cause: self.to_string() },
        }
    }

    /// Classifies the error of a commit: only a refusal by the database proves that nothing was
    /// written.
    pub(crate) fn of_commit(error: sqlx::Error) -> Self {
        if is_refusal(&error) { error.into() } else { Self::Uncertain(error) }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolClosed => Self::Closed,
            error if is_transient(&error) => Self::Unavailable(error),
            error => Self::Driver(error),
        }
    }
}

/// The error of the database that stopped a migration.
fn in_migration(error: &MigrateError) -> Option<&sqlx::Error> {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => Some(error),
        _ => None,
    }
}

fn is_full(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{Interrupted, QuotaExceeded, StorageFull, TimedOut, WouldBlock};
    matches!(error.kind(), StorageFull | QuotaExceeded | Interrupted | TimedOut | WouldBlock)
}

/// `SQLITE_IOERR` with more to say: the file is cut off, its checksum or its file system is broken.
const SQLITE_BROKEN: [u32; 3] = [522, 8202, 8458];
/// Busy, locked, out of memory, read-only, I/O error, full, a race for the lock.
const SQLITE_PASSES: [u32; 7] = [5, 6, 7, 8, 10, 13, 15];
/// Malformed, no database.
const SQLITE_DAMAGED: [u32; 2] = [11, 26];
/// Read-only after a failover, not open for connections yet, cancelled, a lock that was not to be had,
/// shutting down, crashed, starting, a conflict of transactions, a deadlock.
const POSTGRES_PASSES: [&str; 9] =
    ["25006", "55000", "57014", "55P03", "57P01", "57P02", "57P03", "40001", "40P01"];

/// SQLite's codes are numbers of at most four digits, those of PostgreSQL have five characters.
fn sqlite_code(code: &str) -> Option<u32> {
    (code.len() < 5).then(|| code.parse().ok()).flatten()
}

/// PostgreSQL: data exceptions, broken constraints, more than fits into an index. SQLite: too big, a
/// broken constraint, a wrong type.
fn is_of_the_data(code: &str) -> bool {
    match sqlite_code(code) {
        Some(sqlite) => matches!(sqlite & 0xff, 18..=20),
        None => ["22", "23", "54"].iter().any(|class| code.starts_with(class)),
    }
}

/// The driver reads nothing where it asked for TLS: a proxy took the connection, and has no server for it.
const HUNG_UP: &str = "unexpected response from SSLRequest: 0x00";

/// Conditions that pass by themselves. Classes 08 and 53 of PostgreSQL are lost connections, and
/// too little memory, disk or connections.
fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Protocol(text) => text.contains(HUNG_UP),
        sqlx::Error::Database(database) => database.code().is_some_and(|code| {
            let code = code.as_ref();
            match sqlite_code(code) {
                Some(sqlite) => {
                    SQLITE_PASSES.contains(&(sqlite & 0xff)) && !SQLITE_BROKEN.contains(&sqlite)
                }
                None => {
                    code.starts_with("08")
                        || code.starts_with("53")
                        || POSTGRES_PASSES.contains(&code)
                }
            }
        }),
        _ => false,
    }
}

/// Whether the database itself said no, and nobody but it could have. An I/O error of SQLite may come
/// after the bytes are on disk, and a server that shuts down, or a proxy in front of it, may say so after
/// the commit.
fn is_refusal(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(database) = error else { return false };
    database.code().is_some_and(|code| match sqlite_code(&code) {
        Some(sqlite) => sqlite & 0xff != 10,
        None => !code.starts_with("08") && !code.starts_with("57P") && code != "40003",
    })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::io;

    use sqlx::error::{DatabaseError, ErrorKind};

    use super::StoreError;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct Said(&'static str);

    impl DatabaseError for Said {
        fn message(&self) -> &str {
            self.0
        }
        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }
        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn said(code: &'static str) -> sqlx::Error {
        sqlx::Error::Database(Box::new(Said(code)))
    }

    #[test]
    fn only_what_passes_by_itself_is_unavailable() {
        for code in ["5", "261", "13", "10", "778", "08006", "53100", "53300", "57P01", "40001"] {
            assert!(StoreError::from(said(code)).is_unavailable(), "{code}");
        }
        // A missing table, a broken file, a file that is none of ours, a broken constraint.
        for code in ["1", "11", "26", "522", "2067", "42P01", "22021", "23505", "XX001", "28P01"] {
            assert!(!StoreError::from(said(code)).is_unavailable(), "{code}");
        }
        let hung_up = sqlx::Error::Protocol("unexpected response from SSLRequest: 0x00".into());
        assert!(StoreError::from(hung_up).is_unavailable(), "a proxy without a server behind it");
        let stranger = sqlx::Error::Protocol("unexpected response from SSLRequest: 0x48".into());
        assert!(!StoreError::from(stranger).is_unavailable(), "no database listens there");
        assert!(StoreError::from(io::Error::from(io::ErrorKind::StorageFull)).is_unavailable());
        assert!(!StoreError::from(io::Error::other("gone")).is_unavailable());
        assert!(!StoreError::Corrupt("a row".into()).is_unavailable());
    }

    #[test]
    fn a_commit_that_nobody_answered_is_uncertain() {
        let lost = sqlx::Error::Io(io::ErrorKind::ConnectionReset.into());
        let garbled = sqlx::Error::Protocol("an answer that is none".into());
        for error in [lost, garbled, said("57P01"), said("08006"), said("40003"), said("1034")] {
            let error = StoreError::of_commit(error);
            assert!(matches!(error, StoreError::Uncertain(_)), "{error}");
            assert!(matches!(error.shared(), StoreError::Uncertain(_)));
        }
        for error in [said("13"), said("5"), said("53100"), said("40001")] {
            assert!(matches!(StoreError::of_commit(error), StoreError::Unavailable(_)));
        }
        assert!(matches!(StoreError::of_commit(said("23505")), StoreError::Driver(_)));
    }

    #[test]
    fn who_waited_with_others_is_told_the_same() {
        let told = StoreError::Corrupt("a row".into()).shared();
        assert!(!told.is_unavailable() && told.to_string().contains("a row"));
        assert!(StoreError::timed_out().shared().is_unavailable());
    }
}
