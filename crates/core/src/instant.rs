//! A point in time, as milliseconds since 1970 in UTC, and its RFC 3339 text.

mod plain;

use std::fmt;
use std::time::Duration;

/// Milliseconds since 1970-01-01T00:00:00Z. The API and the store have the same precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i64);

/// The error for a text that is not an RFC 3339 date and time with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 date and time with an offset")]
pub struct ParseInstantError;

impl Instant {
    /// Returns the instant this many milliseconds after 1970-01-01T00:00:00Z.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since 1970-01-01T00:00:00Z, negative before.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns whole seconds, rounded down, as in the `exp` claim of a token.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the instant `duration` later, or the latest possible instant on overflow.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(millis))
    }

    /// Returns the time from `earlier` to `self`, or zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Parses exactly the text that `to_string` writes, and no other text of the same instant.
    pub fn parse_plain(text: &str) -> Option<Self> {
        plain::parse(text).map(Self)
    }

    /// Parses an RFC 3339 timestamp with any valid offset and upper or lower case `T` and `Z`.
    ///
    /// jiff alone accepts too much: ISO 8601 forms that RFC 3339 does not have, such as those
    /// without a colon or seconds. Therefore the shape is checked first.
    ///
    /// # Errors
    /// Returns an error if the text is not an RFC 3339 timestamp.
    pub fn parse(text: &str) -> Result<Self, ParseInstantError> {
        if let Some(plain) = Self::parse_plain(text) {
            return Ok(plain);
        }
        if !has_rfc3339_shape(text.as_bytes()) {
            return Err(ParseInstantError);
        }
        let timestamp: jiff::Timestamp = text.parse().map_err(|_| ParseInstantError)?;
        Ok(Self(timestamp.as_millisecond()))
    }
}

impl Instant {
    /// Parses a text that will be stored as it is. It needs a `T` and not the space that RFC 3339
    /// §5.6 leaves to applications. Such a text has at most 35 characters.
    ///
    /// # Errors
    /// Returns an error if the text is not an RFC 3339 timestamp with a `T`.
    pub fn parse_strict(text: &str) -> Result<Self, ParseInstantError> {
        if text.contains(' ') { Err(ParseInstantError) } else { Self::parse(text) }
    }
}

fn has_rfc3339_shape(text: &[u8]) -> bool {
    const DATE_TIME: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    let matches = |text: &[u8], shape: &[u8]| {
        text.len() == shape.len()
            && text.iter().zip(shape).all(|(&byte, &expected)| match expected {
                b'd' => byte.is_ascii_digit(),
                b'T' => matches!(byte, b'T' | b't' | b' '),
                _ => byte == expected,
            })
    };
    let Some((date_time, mut rest)) = text.split_at_checked(DATE_TIME.len()) else {
        return false;
    };
    if let Some(fraction) = rest.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&digits) {
            return false;
        }
        rest = &fraction[digits..];
    }
    // §5.6: in an offset too, `time-hour` is 00 to 23 and `time-minute` 00 to 59. jiff accepts
    // +25:59.
    let offset = matches!(rest, b"Z" | b"z")
        || rest.strip_prefix(b"+").or_else(|| rest.strip_prefix(b"-")).is_some_and(|rest| {
            matches(rest, b"dd:dd") && rest[..2] <= b"23"[..] && rest[3..] <= b"59"[..]
        });
    matches(date_time, DATE_TIME) && offset
}

/// RFC 3339 in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = plain::format(self.0) {
            return f.write_str(&text);
        }
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(timestamp) => write!(f, "{timestamp:.3}"),
            // The year is outside of RFC 3339's range. No parsed instant gets here.
            Err(_) => write!(f, "9999-12-31T23:59:59.999Z"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Instant;

    #[test]
    fn converts_every_offset_to_utc_with_milliseconds() {
        for (text, expected) in [
            ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"),
            ("2026-11-21T09:30:00.1234567Z", "2026-11-21T09:30:00.123Z"),
            ("2026-11-21T09:30:00.5+05:30", "2026-11-21T04:00:00.500Z"),
            ("2026-11-21t09:30:00-00:00", "2026-11-21T09:30:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("2026-11-21T09:30:00+23:59", "2026-11-20T09:31:00.000Z"),
            ("2026-11-21T09:30:00-23:59", "2026-11-22T09:29:00.000Z"),
        ] {
            assert_eq!(Instant::parse(text).expect(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn rejects_texts_that_are_not_rfc_3339() {
        for text in [
            "",
            "now",
            "2026-11-21",
            "2026-11-21T09:30:00",
            "2026-11-21T09:30Z",
            "2026-11-21T09:30:00+0530",
            "2026-11-21T09:30:00.Z",
            "2026-02-30T09:30:00Z",
            "2026-11-21T25:30:00Z",
            "2026-11-21T09:30:00Z[UTC]",
            "+002026-11-21T09:30:00Z",
            "2026-11-21T09:30:00+24:00",
            "2026-11-21T09:30:00-24:00",
            "2026-11-21T09:30:00+25:00",
            "2026-11-21T09:30:00+25:59",
            "2026-11-21T09:30:00+12:60",
            "2026-11-21T09:30:00+99:99",
        ] {
            assert!(Instant::parse(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn strict_texts_have_at_most_35_characters() {
        let longest = "2026-11-21T09:30:00.123456789+05:30";
        assert!(Instant::parse_strict(longest).is_ok());
        assert_eq!(longest.len(), 35);
        for text in ["2026-11-21T09:30:00.1234567890+05:30", "2026-11-21 09:30:00Z", " 2026"] {
            assert!(Instant::parse_strict(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn seconds_round_down_before_1970_too() {
        assert_eq!(Instant::from_millis(-1).seconds(), -1);
        assert_eq!(Instant::from_millis(1_999).seconds(), 1);
    }
}
