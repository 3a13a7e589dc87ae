//! The error of a restore.

use crate::db::error::StoreError;

/// Why a backup cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database already contains a Musette store.
    #[error("the database already contains a store; restore into an empty database")]
    NotEmpty,
    /// The file is truncated, was modified, or is not a backup of this version; contains the
    /// details.
    #[error("the file is not a complete backup of this program: {0}")]
    BadFile(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for RestoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}
