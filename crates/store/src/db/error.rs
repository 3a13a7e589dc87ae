use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// Why a secret cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretsError {
    /// Secrets are encrypted, and this process has no key.
    #[error("the secrets in this store are encrypted, but no key was given")]
    NoKey,
    /// Secrets are encrypted with a key that this process does not have.
    #[error("the secrets in this store are encrypted with a different key")]
    OtherKey,
    /// The ciphertext does not verify in its row (XChaCha20-Poly1305).
    #[error("an encrypted secret in this store was modified or moved from another row")]
    Broken,
}

/// Errors of the store. A request that breaks a business rule is not an error: calls return it as a
/// value.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is busy, unreachable, full or failing over: a retry of the same call may
    /// succeed.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// The pool gives out no connection; nothing was written.
    #[error(
        "the database is not available: no call got a connection for 5 seconds, or the database could not be written at the start, or the server is shutting down"
    )]
    Closed,
    /// The connection was lost during the commit: the data may have been written or not.
    #[error("it is unknown whether the commit succeeded: {0}")]
    Uncertain(#[source] sqlx::Error),
    /// A value that must be unique already exists.
    #[error("{0} is already taken")]
    Conflict(&'static str),
    /// Colleagues must approve the change first; nothing was written. It is an error and not a
    /// value, so that no caller can mistake it for success.
    #[error("the change needs {needed} approvals and has {given}")]
    ApprovalRequired {
        /// How many approvals the rules require.
        needed: i64,
        /// How many approvals were given.
        given: i64,
    },
    /// A stored value that the program never writes.
    #[error("the database contains an unexpected value: {0}")]
    Corrupt(String),
    /// Any other error of the driver.
    #[error("the database returned an error: {0}")]
    Driver(#[source] sqlx::Error),
    /// A migration failed, or a later version of the program wrote the store.
    #[error("the schema migration failed: {0}")]
    Migrate(#[from] MigrateError),
    /// A later version of the program removed something that this version needs; contains the name
    /// of the migration.
    #[error(
        "a later version of the program has changed this database so that this version cannot use it (migration {0}): start that version"
    )]
    TooNew(String),
    /// The store has not all migrations that the first schema file replaces; contains the newest.
    #[error(
        "an earlier version of the program has made this database (migration {0}): start the version of commit d34617d8 once, and then this version"
    )]
    TooOld(i64),
    /// A pooler in front of PostgreSQL shares sessions among connections.
    #[error(
        "the pooler in front of PostgreSQL shares sessions among connections (PgBouncer with pool_mode=transaction or statement): set pool_mode=session for this program, or connect it directly to PostgreSQL; it opens at most 13 connections"
    )]
    SharedSessions,
    /// A file of the store, a backup or a restore could not be read or written.
    #[error("a file could not be read or written: {0}")]
    File(#[from] std::io::Error),
    /// A secret cannot be decrypted with the configured keys.
    #[error("{0}")]
    Secrets(#[from] SecretsError),
    /// The error of a statement that several callers waited for, copied for each of them.
    #[error("{cause}")]
    Shared {
        /// Whether a retry of the same call may succeed.
        passes: bool,
        /// The error of the first caller, as text.
        cause: String,
    },
}

impl StoreError {
    /// Returns the error of a caller that has waited too long.
    pub fn timed_out() -> Self {
        Self::Unavailable(sqlx::Error::PoolTimedOut)
    }

    /// Returns the error of a caller that stopped waiting for a write that is still running.
    pub(crate) fn still_writing() -> Self {
        let error = std::io::Error::new(std::io::ErrorKind::TimedOut, "the write is still running");
        Self::Uncertain(error.into())
    }

    /// Returns whether the database rejected the values of a statement. If only some rows of a
    /// batch are invalid, the others can be written without them.
    pub fn is_caused_by_values(&self) -> bool {
        match self {
            Self::Driver(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| is_caused_by_values(&code))
            }
            Self::Driver(sqlx::Error::Encode(_)) => true,
            _ => false,
        }
    }

    /// Returns whether a retry of the same call may succeed. Every other error is a bug of the
    /// program or a problem of the machine, which a retry by a client does not solve.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::Uncertain(_) | Self::Closed => true,
            Self::File(error) => is_full(error),
            Self::Shared { passes, .. } => *passes,
            Self::Migrate(error) => in_migration(error).is_some_and(is_transient),
            _ => false,
        }
    }

    /// Returns whether the database file is damaged: only a restore from a backup helps.
    pub fn is_damaged(&self) -> bool {
        let error = match self {
            Self::Driver(error) | Self::Unavailable(error) | Self::Uncertain(error) => Some(error),
            Self::Migrate(error) => in_migration(error),
            _ => None,
        };
        let code = error.and_then(sqlx::Error::as_database_error).and_then(DatabaseError::code);
        code.and_then(|code| sqlite_code(&code))
            .is_some_and(|code| SQLITE_DAMAGED.contains(&(code & 0xff)))
    }

    /// Returns a copy for another caller that waited for the same statement. An uncertain commit
    /// stays uncertain.
    pub fn shared(&self) -> Self {
        match self {
            Self::Uncertain(_) => Self::Uncertain(sqlx::Error::WorkerCrashed),
            _ => Self::Shared { passes: self.is_unavailable(), cause: self.to_string() },
        }
    }

    /// Classifies the error of a commit. Only an error that the database itself returned proves
    /// that nothing was written.
    pub(crate) fn of_commit(error: sqlx::Error) -> Self {
        if is_rejection(&error) { error.into() } else { Self::Uncertain(error) }
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

/// Returns the database error that stopped a migration.
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

/// Extended codes of `SQLITE_IOERR`: the file is truncated, its checksum is wrong, or its file
/// system is corrupt.
const SQLITE_PERMANENT_IO: [u32; 3] = [522, 8202, 8458];
/// Busy, locked, out of memory, read-only, I/O error, full, a race for the lock.
const SQLITE_TRANSIENT: [u32; 7] = [5, 6, 7, 8, 10, 13, 15];
/// Malformed file, not a database file.
const SQLITE_DAMAGED: [u32; 2] = [11, 26];
/// Read-only after a failover, not accepting connections yet, cancelled, lock not available,
/// shutting down, crashed, starting, a conflict of transactions, a deadlock.
const POSTGRES_TRANSIENT: [&str; 9] =
    ["25006", "55000", "57014", "55P03", "57P01", "57P02", "57P03", "40001", "40P01"];

/// Parses a code of SQLite, a number of at most four digits. Codes of PostgreSQL have five
/// characters.
fn sqlite_code(code: &str) -> Option<u32> {
    (code.len() < 5).then(|| code.parse().ok()).flatten()
}

/// Returns whether invalid values caused an error. PostgreSQL: data exceptions, violated
/// constraints, a value that exceeds the size limit of an index. SQLite: a value that is too big, a
/// violated constraint, a wrong type.
fn is_caused_by_values(code: &str) -> bool {
    match sqlite_code(code) {
        Some(sqlite) => matches!(sqlite & 0xff, 18..=20),
        None => ["22", "23", "54"].iter().any(|class| code.starts_with(class)),
    }
}

/// The driver asked for TLS and got no answer: a proxy accepted the connection and has no server
/// for it.
const NO_SERVER_BEHIND_PROXY: &str = "unexpected response from SSLRequest: 0x00";

/// Returns whether the condition is temporary. The classes 08 and 53 of PostgreSQL are lost
/// connections, and too little memory, disk space or connections.
fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Protocol(text) => text.contains(NO_SERVER_BEHIND_PROXY),
        sqlx::Error::Database(database) => database.code().is_some_and(|code| {
            let code = code.as_ref();
            match sqlite_code(code) {
                Some(sqlite) => {
                    SQLITE_TRANSIENT.contains(&(sqlite & 0xff))
                        && !SQLITE_PERMANENT_IO.contains(&sqlite)
                }
                None => {
                    code.starts_with("08")
                        || code.starts_with("53")
                        || POSTGRES_TRANSIENT.contains(&code)
                }
            }
        }),
        _ => false,
    }
}

/// Returns whether the database itself rejected the commit, so that nothing was written. An I/O
/// error of SQLite may occur after the bytes are on disk. A server that shuts down, or a proxy in
/// front of it, may send its error after the commit.
fn is_rejection(error: &sqlx::Error) -> bool {
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
    struct FakeDatabaseError(&'static str);

    impl DatabaseError for FakeDatabaseError {
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

    fn database_error(code: &'static str) -> sqlx::Error {
        sqlx::Error::Database(Box::new(FakeDatabaseError(code)))
    }

    #[test]
    fn only_temporary_errors_are_unavailable() {
        for code in ["5", "261", "13", "10", "778", "08006", "53100", "53300", "57P01", "40001"] {
            assert!(StoreError::from(database_error(code)).is_unavailable(), "{code}");
        }
        // A missing table, a damaged file, a file that is not a database, a violated constraint.
        for code in ["1", "11", "26", "522", "2067", "42P01", "22021", "23505", "XX001", "28P01"] {
            assert!(!StoreError::from(database_error(code)).is_unavailable(), "{code}");
        }
        let no_server = sqlx::Error::Protocol("unexpected response from SSLRequest: 0x00".into());
        assert!(StoreError::from(no_server).is_unavailable(), "a proxy without a server behind it");
        let other_service =
            sqlx::Error::Protocol("unexpected response from SSLRequest: 0x48".into());
        assert!(!StoreError::from(other_service).is_unavailable(), "the server is not a database");
        assert!(StoreError::from(io::Error::from(io::ErrorKind::StorageFull)).is_unavailable());
        assert!(!StoreError::from(io::Error::other("gone")).is_unavailable());
        assert!(!StoreError::Corrupt("a row".into()).is_unavailable());
    }

    #[test]
    fn a_commit_without_an_answer_is_uncertain() {
        let lost = sqlx::Error::Io(io::ErrorKind::ConnectionReset.into());
        let garbled = sqlx::Error::Protocol("a malformed answer".into());
        for error in [
            lost,
            garbled,
            database_error("57P01"),
            database_error("08006"),
            database_error("40003"),
            database_error("1034"),
        ] {
            let error = StoreError::of_commit(error);
            assert!(matches!(error, StoreError::Uncertain(_)), "{error}");
            assert!(matches!(error.shared(), StoreError::Uncertain(_)));
        }
        for error in [
            database_error("13"),
            database_error("5"),
            database_error("53100"),
            database_error("40001"),
        ] {
            assert!(matches!(StoreError::of_commit(error), StoreError::Unavailable(_)));
        }
        assert!(matches!(StoreError::of_commit(database_error("23505")), StoreError::Driver(_)));
    }

    #[test]
    fn callers_of_a_shared_statement_get_the_same_error() {
        let shared = StoreError::Corrupt("a row".into()).shared();
        assert!(!shared.is_unavailable() && shared.to_string().contains("a row"));
        assert!(StoreError::timed_out().shared().is_unavailable());
    }
}
