//! Counts in messages for people.

/// Formats a count with the singular or the plural form of a noun.
pub fn counted(count: impl TryInto<u64>, singular: &str, plural: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {}", if count == 1 { singular } else { plural })
}
