//! Errors of a move to another database.

use crate::db::error::StoreError;

/// Why a store cannot be moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The target database contains data.
    #[error("the database at --to is not empty")]
    NotEmpty,
    /// The target contains the copy of another attempt, which may be out of date.
    #[error("the database at --to contains the copy of another attempt; use an empty database")]
    OtherAttempt,
    /// A server could write to the store during the copy.
    #[error(
        "a server is running on the store at --from: stop it first (a killed server counts as running for 75 seconds)"
    )]
    IsServed,
    /// The store was already moved.
    #[error("the store at --from was already moved")]
    MovedBefore,
    /// Another process is moving the store, or cancelled this move.
    #[error(
        "another move of the store at --from started, or this one was cancelled; nothing was moved"
    )]
    Overtaken,
    /// A table has different rows in the source and the target.
    #[error("{table} has {from} rows at --from and {to} at --to; nothing was moved")]
    Differs {
        /// Name of the table.
        table: &'static str,
        /// Number of rows in the source.
        from: i64,
        /// Number of rows in the target.
        to: i64,
    },
    /// An entry was appended to the log during the copy.
    #[error("the log at --from has new entries since the copy; nothing was moved")]
    HasGrown,
    /// A database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for MoveError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}
