//! The text of a hash in the database.

use musette_core::log::hash::Hash;

use super::corrupt;
use crate::db::error::StoreError;

/// Parses a hash in hex.
pub(crate) fn parse_hash(text: &str) -> Result<Hash, StoreError> {
    let bytes = hex::decode(text).map_err(corrupt)?;
    Hash::from_slice(&bytes).ok_or_else(|| corrupt("a leaf has another length than 32 bytes"))
}
