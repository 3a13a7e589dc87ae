//! Decimal numbers as the C2SP formats write them: ASCII digits, no sign, no leading zero.

/// Sizes and indices stay within what a signed 64-bit column holds.
pub(crate) const MAX: u64 = i64::MAX as u64;

/// `str::parse` alone would also take `+1` and `007`, and a text that has two spellings is a text
/// that can be changed without anyone noticing.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    text.parse().ok().filter(|number| *number <= MAX)
}
