//! The `ByteRange` of a request (RFC 9110 §14). The crate `headers` parses it, too, but leaves it to
//! the caller which ranges to ignore and which to answer with 416.

#[derive(Debug, PartialEq, Eq)]
pub enum ByteRange {
    Whole,
    Part { first: u64, last: u64 },
    Unsatisfiable,
}

impl ByteRange {
    /// Parses the header by RFC 9110 §14: one range is supported; several ranges or an unknown form
    /// are ignored.
    pub fn parse(text: &str, length: u64) -> Self {
        let Some((first, last)) =
            text.strip_prefix("bytes=").and_then(|range| range.trim().split_once('-'))
        else {
            return Self::Whole;
        };
        let number = |text: &str| (!text.is_empty()).then(|| text.parse::<u64>());
        match (number(first), number(last)) {
            (Some(Ok(first)), None) if first < length => Self::Part { first, last: length - 1 },
            (Some(Ok(first)), Some(Ok(last))) if first <= last && first < length => {
                Self::Part { first, last: last.min(length - 1) }
            }
            (Some(Ok(first)), Some(Ok(last))) if first > last => Self::Whole,
            (None, Some(Ok(suffix))) if suffix > 0 && length > 0 => {
                Self::Part { first: length.saturating_sub(suffix), last: length - 1 }
            }
            (Some(Ok(_)), None | Some(Ok(_))) | (None, Some(Ok(_))) => Self::Unsatisfiable,
            _ => Self::Whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ByteRange;

    #[test]
    fn accepts_one_range_and_ignores_malformed_ones() {
        let part = |first, last| ByteRange::Part { first, last };
        for (text, expected) in [
            ("bytes=0-3", part(0, 3)),
            ("bytes=2-", part(2, 9)),
            ("bytes=8-100", part(8, 9)),
            ("bytes=-3", part(7, 9)),
            ("bytes=-30", part(0, 9)),
            ("bytes=10-", ByteRange::Unsatisfiable),
            ("bytes=10-12", ByteRange::Unsatisfiable),
            ("bytes=-0", ByteRange::Unsatisfiable),
            ("bytes=3-1", ByteRange::Whole),
            ("bytes=0-1,3-4", ByteRange::Whole),
            ("bytes=a-b", ByteRange::Whole),
            ("bytes=-", ByteRange::Whole),
            ("lines=0-1", ByteRange::Whole),
        ] {
            assert_eq!(ByteRange::parse(text, 10), expected, "{text}");
        }
    }
}
