//! The hours of the day in which messages are sent.

use jiff::Timestamp;
use jiff::civil::{Date, Time, time};
use jiff::tz::TimeZone;
use musette_core::instant::Instant;
use musette_core::markets::Market;

use crate::markets::{Markets, timezone};

const OPENS: Time = time(8, 0, 0, 0);
const CLOSES: Time = time(20, 0, 0, 0);
/// The zone of people whose market has none.
const UTC: &str = "UTC";

/// Returns the name of the time zone of a market, or of a market around it.
pub fn zone_of(markets: &Markets, code: Option<&str>) -> String {
    let market = code.and_then(Market::from_stored);
    let mut around = market.iter().flat_map(Market::with_around);
    let zone = around.find_map(|market| markets.get(market.as_str())?.timezone.clone());
    zone.unwrap_or_else(|| UTC.to_owned())
}

/// Returns the rules of a time zone. An unknown name counts as UTC.
fn rules(zone: &str) -> TimeZone {
    timezone(zone).unwrap_or(TimeZone::UTC)
}

fn timestamp(at: Instant) -> Timestamp {
    Timestamp::from_millisecond(at.millis()).unwrap_or(Timestamp::MAX)
}

/// Returns the day at an instant in a time zone.
pub fn day(zone: &str, at: Instant) -> Date {
    rules(zone).to_datetime(timestamp(at)).date()
}

/// Returns the first instant from `at` on at which messages may be sent in a time zone. An empty
/// name means at any time.
pub fn opens_at(zone: &str, at: Instant) -> Instant {
    if zone.is_empty() {
        return at;
    }
    let rules = rules(zone);
    let local = rules.to_datetime(timestamp(at));
    if (OPENS..CLOSES).contains(&local.time()) {
        return at;
    }
    let date = match local.time() < OPENS {
        true => Ok(local.date()),
        false => local.date().tomorrow(),
    };
    // Only after the last day of the calendar, nothing follows.
    let opens = date.and_then(|date| rules.to_timestamp(date.to_datetime(OPENS)));
    opens.map_or(at, |opens| Instant::from_millis(opens.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use musette_core::instant::Instant;
    use musette_store::DeclaredMarket;

    use super::{day, opens_at, zone_of};
    use crate::markets::Markets;

    fn instant(text: &str) -> Instant {
        Instant::parse(text).expect("an instant")
    }

    #[test]
    fn sends_from_8_to_20_o_clock_in_the_zone() {
        for (zone, at, opens) in [
            ("UTC", "2026-11-27T08:00:00Z", "2026-11-27T08:00:00Z"),
            ("UTC", "2026-11-27T19:59:59Z", "2026-11-27T19:59:59Z"),
            ("UTC", "2026-11-27T20:00:00Z", "2026-11-28T08:00:00Z"),
            ("UTC", "2026-11-27T07:59:59Z", "2026-11-27T08:00:00Z"),
            ("Europe/Berlin", "2026-11-27T07:00:00Z", "2026-11-27T07:00:00Z"),
            ("Europe/Berlin", "2026-11-27T19:30:00Z", "2026-11-28T07:00:00Z"),
            ("Asia/Kolkata", "2026-11-27T15:00:00Z", "2026-11-28T02:30:00Z"),
            ("America/Montevideo", "2026-11-27T10:00:00Z", "2026-11-27T11:00:00Z"),
            // The clocks change in the night: the next morning has another offset.
            ("Europe/Berlin", "2027-03-27T20:00:00Z", "2027-03-28T06:00:00Z"),
            ("Europe/Berlin", "2026-10-24T20:00:00Z", "2026-10-25T07:00:00Z"),
            ("", "2026-11-27T03:00:00Z", "2026-11-27T03:00:00Z"),
            ("No/Where", "2026-11-27T03:00:00Z", "2026-11-27T08:00:00Z"),
        ] {
            assert_eq!(opens_at(zone, instant(at)), instant(opens), "{zone} {at}");
        }
    }

    #[test]
    fn finds_the_zone_of_a_market_or_around_it() {
        let declared = |code: &str, zone: Option<&str>| DeclaredMarket {
            code: code.into(),
            name: None,
            timezone: zone.map(Into::into),
            locale: None,
        };
        let markets = Markets::new(vec![
            declared("DE", Some("Europe/Berlin")),
            declared("ES-CN", Some("Atlantic/Canary")),
            declared("DE-BE.mitte", None),
        ]);
        for (code, zone) in [
            (Some("DE"), "Europe/Berlin"),
            (Some("DE-BE.mitte"), "Europe/Berlin"),
            (Some("ES-CN.palma"), "Atlantic/Canary"),
            (Some("ES"), "UTC"),
            (None, "UTC"),
        ] {
            assert_eq!(zone_of(&markets, code), zone, "{code:?}");
        }
    }

    #[test]
    fn knows_the_day_in_the_zone() {
        let at = instant("2027-01-31T23:00:00Z");
        assert_eq!(day("Europe/Berlin", at).to_string(), "2027-02-01");
        assert_eq!(day("UTC", at).to_string(), "2027-01-31");
    }
}
