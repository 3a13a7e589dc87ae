//! The canonical text of an instant, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
//!
//! A log entry contains several of these texts, and each verification parses and formats them.
//! Therefore this form does not use jiff's general parser, which parses all other forms
//! (docs/decisions/0037).

use std::ops::RangeInclusive;

/// A template with zeros in place of the digits.
const FORM: [u8; 24] = *b"0000-00-00T00:00:00.000Z";

/// From the year 0 to the last millisecond that jiff supports.
const MILLIS: RangeInclusive<i64> = -62_167_219_200_000..=253_402_207_200_000;

const DAY: i64 = 86_400_000;

/// Returns the milliseconds since 1970, or `None` for another form or a date that does not exist.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let has_form = text.iter().zip(&FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        _ => byte == form,
    });
    if !has_form {
        return None;
    }
    let number = |digits: RangeInclusive<usize>| {
        text[digits].iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
    };
    let (year, month, day) = (number(0..=3), number(5..=6), number(8..=9));
    let (hour, minute, second) = (number(11..=12), number(14..=15), number(17..=18));
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = days_before(year, month, day);
    if date(days) != (year, month, day) {
        return None;
    }
    let seconds = (hour * 60 + minute) * 60 + second;
    Some(days * DAY + seconds * 1000 + number(20..=22)).filter(|millis| MILLIS.contains(millis))
}

/// Returns the text of an instant, or `None` outside of the range.
pub(super) fn format(millis: i64) -> Option<String> {
    if !MILLIS.contains(&millis) {
        return None;
    }
    let (year, month, day) = date(millis.div_euclid(DAY));
    let of_day = millis.rem_euclid(DAY);
    let seconds = of_day / 1000;
    let mut text = FORM;
    let mut write = |digits: RangeInclusive<usize>, mut number: i64| {
        for digit in text[digits].iter_mut().rev() {
            // A digit is below 10.
            *digit = b'0' + (number % 10) as u8;
            number /= 10;
        }
    };
    write(0..=3, year);
    write(5..=6, month);
    write(8..=9, day);
    write(11..=12, seconds / 3600);
    write(14..=15, seconds / 60 % 60);
    write(17..=18, seconds % 60);
    write(20..=22, of_day % 1000);
    String::from_utf8(text.to_vec()).ok()
}

// The Gregorian calendar, as in Howard Hinnant's "chrono-compatible low-level date algorithms".
// Years begin in March, so that a leap day is the last day of its year. An era is 400 years, or
// 146,097 days.

/// Returns the days from 1970-01-01 to a date.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the date this many days after 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{DAY, MILLIS, format, parse};

    fn by_jiff(millis: i64) -> String {
        format!("{:.3}", jiff::Timestamp::from_millisecond(millis).expect("in its range"))
    }

    #[test]
    fn formats_and_parses_each_day_as_jiff_does() {
        // Every day from 1887 to 2106 and every 37th of the others, at a time of day that varies.
        let every_day = -30_000..50_000;
        let days = MILLIS.start() / DAY..MILLIS.end() / DAY;
        let days = days.filter(|day| day % 37 == 0 || every_day.contains(day));
        for (day, step) in days.zip(0..) {
            let millis = day * DAY + step * 7_654_321 % DAY;
            let text = format(millis).expect("in its range");
            assert_eq!(text, by_jiff(millis));
            assert_eq!(parse(&text), Some(millis), "{text}");
        }
    }

    #[test]
    fn the_range_ends_where_the_range_of_jiff_ends() {
        for millis in [*MILLIS.start(), *MILLIS.end()] {
            assert_eq!(format(millis), Some(by_jiff(millis)));
        }
        assert_eq!(format(MILLIS.start() - 1), None);
        assert_eq!(format(MILLIS.end() + 1), None);
        assert!(jiff::Timestamp::from_millisecond(MILLIS.end() + 1).is_err());
        assert_eq!(parse("9999-12-31T23:59:59.999Z"), None);
    }

    #[test]
    fn returns_none_for_invalid_dates_and_other_forms() {
        for text in [
            "2026-02-29T00:00:00.000Z",
            "2026-00-10T00:00:00.000Z",
            "2026-13-10T00:00:00.000Z",
            "2026-04-31T00:00:00.000Z",
            "2026-04-00T00:00:00.000Z",
            "2026-04-10T24:00:00.000Z",
            "2026-04-10T00:60:00.000Z",
            "2026-04-10T00:00:60.000Z",
            "2026-04-10t00:00:00.000Z",
            "2026-04-10 00:00:00.000Z",
            "2026-04-10T00:00:00.000z",
            "2026-04-10T00:00:00,000Z",
            "2026-04-10T00:00:00.0000",
            "2026-04-10T00:00:00Z",
            "+026-04-10T00:00:00.000Z",
            "",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(parse("2024-02-29T00:00:00.000Z"), Some(1_709_164_800_000));
    }
}
