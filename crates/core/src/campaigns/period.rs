use std::fmt;

use serde::{Deserialize, Serialize};

const SECOND_MS: i64 = 1000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
const WEEK_MS: i64 = 7 * DAY_MS;
/// The longest period: ten years.
const LONGEST_MS: i64 = 3660 * DAY_MS;
/// Enough digits for the longest period in seconds.
const DIGITS_MAX: usize = 9;

/// A duration of ISO 8601 without months and years, such as `P30D` or `PT12H`. A day has 24 hours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Period {
    text: String,
    millis: i64,
}

impl Period {
    /// Parses a period. `None` if it has another form, or is longer than ten years.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('P')?;
        let (date, time) = match rest.split_once('T') {
            Some((date, time)) if !time.is_empty() => (date, time),
            Some(_) => return None,
            None => (rest, ""),
        };
        if date.is_empty() && time.is_empty() {
            return None;
        }
        let date = sum(date, &[('W', WEEK_MS), ('D', DAY_MS)])?;
        let time = sum(time, &[('H', HOUR_MS), ('M', MINUTE_MS), ('S', SECOND_MS)])?;
        let millis = date + time;
        (millis <= LONGEST_MS).then(|| Self { text: text.to_owned(), millis })
    }

    /// Returns the length in milliseconds.
    pub fn millis(&self) -> i64 {
        self.millis
    }
}

/// Adds the numbers before these units, each of which may occur once, in this order.
fn sum(mut text: &str, units: &[(char, i64)]) -> Option<i64> {
    let mut total = 0;
    for &(unit, millis) in units {
        if let Some((digits, rest)) = text.split_once(unit) {
            let is_number = (1..=DIGITS_MAX).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            let count: i64 = digits.parse().ok().filter(|_| is_number)?;
            total += count * millis;
            text = rest;
        }
    }
    text.is_empty().then_some(total)
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for Period {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not a duration such as P30D")
    }
}

impl From<Period> for String {
    fn from(period: Period) -> Self {
        period.text
    }
}

#[cfg(test)]
mod tests {
    use super::Period;

    #[test]
    fn parses_durations_of_weeks_to_seconds() {
        for (text, seconds) in [
            ("P30D", 30 * 86_400),
            ("P0D", 0),
            ("P2W", 14 * 86_400),
            ("P1W1D", 8 * 86_400),
            ("PT12H", 43_200),
            ("P1DT1H1M1S", 90_061),
            ("PT90S", 90),
        ] {
            let period = Period::parse(text).expect(text);
            assert_eq!((period.millis(), period.to_string()), (seconds * 1000, text.to_owned()));
        }
    }

    #[test]
    fn rejects_other_forms_and_periods_over_ten_years() {
        for text in [
            "",
            "P",
            "PT",
            "30D",
            "P30",
            "PD",
            "P-1D",
            "P1M",
            "P1Y",
            "P1.5D",
            "P1D1W",
            "PT1S1H",
            "P1DT",
            "p30d",
            "P30D ",
            "P3661D",
            "P9999999999D",
            "P1D2D",
        ] {
            assert_eq!(Period::parse(text), None, "{text}");
        }
    }
}
