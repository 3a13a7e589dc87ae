//! Decimal numbers in the C2SP formats: ASCII digits without sign or leading zeros.

/// Largest size or index. A signed 64-bit column can store it.
pub(crate) const MAX: u64 = i64::MAX as u64;

/// Parses a number in its only spelling. `str::parse` also accepts `+1` and `007`; a text with two
/// spellings could be changed without detection.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    text.parse().ok().filter(|number| *number <= MAX)
}
