//! Why a move is refused.

use crate::db::error::StoreError;

/// Why a store cannot be moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The target holds something.
    #[error("the database at --to is not empty")]
    NotEmpty,
    /// What it holds is of another attempt, and may be out of date.
    #[error("the database at --to holds the copy of another attempt; give an empty one")]
    OtherAttempt,
    /// Somebody would write to the store while it is copied.
    #[error(
        "a server runs on the store at --from: stop it first (one that was killed counts as running for 75 seconds)"
    )]
    IsServed,
    /// The store has ended.
    #[error("the store at --from was moved before")]
    MovedBefore,
    /// Somebody else moves it, or gave this move up.
    #[error(
        "another move of the store at --from began or was cancelled meanwhile; nothing was moved"
    )]
    Overtaken,
    /// A table there has not what it has here.
    #[error("{table} has {from} rows at --from and {to} at --to; nothing was moved")]
    Differs {
        /// Its name.
        table: &'static str,
        /// Rows here.
        from: i64,
        /// Rows there.
        to: i64,
    },
    /// Somebody appended to the log meanwhile.
    #[error("the log at --from has grown while it was copied; nothing was moved")]
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
