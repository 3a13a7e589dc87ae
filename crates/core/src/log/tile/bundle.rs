//! Entry bundles: each entry behind its length in two big-endian bytes.

use crate::log::entry::LENGTH_MAX;

use super::WIDTH;

/// Why entries do not fit a bundle, or bytes are not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// The length of an entry does not fit into two bytes.
    #[error("an entry has at most 65535 bytes")]
    EntryTooLong,
    /// A bundle is as wide as a tile.
    #[error("a bundle has at most 256 entries")]
    TooMany,
    /// The bytes end within the entry of this number (from 0).
    #[error("entry {0} of the bundle is cut off")]
    CutOff(usize),
    /// It holds another number of entries than its path says.
    #[error("the bundle has {found} entries, not {expected}")]
    Count {
        /// Entries by the path.
        expected: u16,
        /// Entries that there are.
        found: usize,
    },
}

/// Joins up to 256 entries (C2SP `tlog-tiles`).
///
/// # Errors
/// When there are more, or one is longer than 65,535 bytes.
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

/// `width` is that of the path under which the bundle was found.
///
/// # Errors
/// When an entry is cut off, or there are not `width` entries.
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

// The length prefix and the contract's limit are one number.
const _: () = assert!(LENGTH_MAX == u16::MAX as usize);

#[cfg(test)]
mod tests;
