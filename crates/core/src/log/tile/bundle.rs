//! Entry bundles: entries, each preceded by its length in two big-endian bytes.

use crate::log::entry::LENGTH_MAX;

use super::WIDTH;

/// The reason why entries do not fit into a bundle, or bytes are not a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// The length of an entry does not fit into two bytes.
    #[error("an entry has at most 65535 bytes")]
    EntryTooLong,
    /// There are more entries than fit into a tile.
    #[error("a bundle has at most 256 entries")]
    TooMany,
    /// The bytes end within the entry with this number (from 0).
    #[error("entry {0} of the bundle is cut off")]
    CutOff(usize),
    /// The number of entries does not match the path.
    #[error("the bundle has {found} entries, not {expected}")]
    Count {
        /// Number of entries according to the path.
        expected: u16,
        /// Number of entries in the bundle.
        found: usize,
    },
}

/// Encodes up to 256 entries (C2SP `tlog-tiles`).
///
/// # Errors
/// Returns an error if there are more, or one is longer than 65,535 bytes.
pub fn encode_entries<T: AsRef<[u8]>>(entries: &[T]) -> Result<Vec<u8>, BundleError> {
    if entries.len() > usize::from(WIDTH) {
        return Err(BundleError::TooMany);
    }
    let mut bundle = Vec::with_capacity(entries.iter().map(|entry| 2 + entry.as_ref().len()).sum());
    for entry in entries {
        let entry = entry.as_ref();
        let length = u16::try_from(entry.len()).map_err(|_| BundleError::EntryTooLong)?;
        bundle.extend(length.to_be_bytes());
        bundle.extend(entry);
    }
    Ok(bundle)
}

/// Decodes a bundle. `width` is the width in the path of the bundle.
///
/// # Errors
/// Returns an error if an entry is cut off, or there are not `width` entries.
pub fn decode_entries(bundle: &[u8], width: u16) -> Result<Vec<&[u8]>, BundleError> {
    let mut entries = Vec::new();
    let mut rest = bundle;
    while !rest.is_empty() {
        let cut_off = BundleError::CutOff(entries.len());
        let (length, after) = rest.split_first_chunk().ok_or(cut_off)?;
        let (entry, after) =
            after.split_at_checked(usize::from(u16::from_be_bytes(*length))).ok_or(cut_off)?;
        if entries.len() == usize::from(WIDTH) {
            return Err(BundleError::TooMany);
        }
        entries.push(entry);
        rest = after;
    }
    if entries.len() != usize::from(width) {
        return Err(BundleError::Count { expected: width, found: entries.len() });
    }
    Ok(entries)
}

// The contract's limit is the largest value of the length prefix.
const _: () = assert!(LENGTH_MAX == u16::MAX as usize);

#[cfg(test)]
mod tests;
