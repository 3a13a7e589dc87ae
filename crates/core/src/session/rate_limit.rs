//! The rate limit of messages to one person, across all callers and addresses.
//!
//! It uses sliding windows. Fixed windows would allow twice the limit around the full hour. A token
//! bucket would allow its burst and its refill in the same hour.

use std::time::Duration;

use crate::instant::Instant;

/// A maximum number of events within any period of a given length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Maximum number of events.
    pub max: usize,
    /// Length of the period.
    pub within: Duration,
}

/// The limits for one-time codes to one person.
pub const MESSAGES: [RateLimit; 2] = [
    RateLimit { max: 5, within: Duration::from_secs(60 * 60) },
    RateLimit { max: 20, within: Duration::from_secs(24 * 60 * 60) },
];

/// Times of the counted events, in milliseconds, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlidingWindow(Vec<i64>);

impl SlidingWindow {
    /// Parses the text that `to_text` wrote. Unreadable numbers are ignored, which makes the limit
    /// more generous and never fails.
    pub fn parse(text: &str) -> Self {
        Self(text.split(',').filter_map(|at| at.parse().ok()).collect())
    }

    /// Returns the stored form: milliseconds, separated by commas.
    pub fn to_text(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(i64::to_string).collect();
        texts.join(",")
    }

    /// Adds one event at `now`; returns `None` if a limit would be exceeded.
    pub fn take(&self, now: Instant, allowances: &[RateLimit]) -> Option<Self> {
        let now = now.millis();
        // An event far in the future was recorded by a wrong clock. It must not count until that
        // future time has come.
        let recent = |within: Duration| {
            let within = millis(within);
            let (since, until) = (now.saturating_sub(within), now.saturating_add(within));
            self.0.iter().copied().filter(move |at| *at > since && *at <= until)
        };
        if allowances.iter().any(|allowance| recent(allowance.within).count() >= allowance.max) {
            return None;
        }
        let longest = allowances.iter().map(|allowance| allowance.within).max().unwrap_or_default();
        let mut events: Vec<i64> = recent(longest).collect();
        events.push(now);
        Some(Self(events))
    }

    /// Returns the time from which none of the events counts.
    pub fn forget_at(&self, allowances: &[RateLimit]) -> Instant {
        let longest = allowances.iter().map(|allowance| allowance.within).max().unwrap_or_default();
        let last = self.0.iter().copied().max().unwrap_or_default();
        Instant::from_millis(last).plus(longest)
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{MESSAGES, RateLimit, SlidingWindow};
    use crate::instant::Instant;
    use proptest::prelude::*;
    use std::time::Duration;

    const HOUR_MS: i64 = 60 * 60 * 1000;

    fn granted_requests(requested_at: &[i64]) -> Vec<i64> {
        let (mut window, mut granted) = (SlidingWindow::default(), Vec::new());
        for at in requested_at {
            if let Some(next) = window.take(Instant::from_millis(*at), &MESSAGES) {
                window = SlidingWindow::parse(&next.to_text());
                granted.push(*at);
            }
        }
        granted
    }

    #[test]
    fn allows_five_per_hour_and_twenty_per_day() {
        let each_minute: Vec<i64> = (0..48 * 60).map(|minute| minute * 60_000).collect();
        let granted = granted_requests(&each_minute);
        assert_eq!(&granted[..5], &each_minute[..5]);
        assert_eq!(granted[5], HOUR_MS, "as soon as the first is an hour old");
        assert_eq!(granted.iter().filter(|at| **at < 24 * HOUR_MS).count(), 20);
        assert_eq!(granted.len(), 40);
    }

    #[test]
    fn events_of_a_fast_clock_do_not_block_later_ones() {
        let ahead: Vec<i64> = (0..20).map(|hour| (30 * 24 + hour) * HOUR_MS).collect();
        let window =
            SlidingWindow(ahead).take(Instant::from_millis(0), &MESSAGES).expect("nothing counts");
        assert_eq!(window, SlidingWindow(vec![0]), "and is not stored");
        // Clocks with a small difference share the limit.
        let skewed = SlidingWindow(vec![60_000; 5]);
        assert_eq!(skewed.take(Instant::from_millis(0), &MESSAGES), None);
    }

    #[test]
    fn the_stored_text_is_bounded_and_parses_again() {
        let mut window = SlidingWindow::parse("nonsense,,-,5");
        assert_eq!(window, SlidingWindow::parse("5"));
        for at in 0..10_000 {
            let now = Instant::from_millis(at * HOUR_MS / 4);
            window = window.take(now, &MESSAGES).unwrap_or(window);
        }
        assert!(window.to_text().split(',').count() <= 20);
        assert_eq!(
            SlidingWindow::default().take(Instant::from_millis(1), &MESSAGES),
            Some(SlidingWindow::parse("1"))
        );
    }

    proptest! {
        #[test]
        fn no_period_exceeds_its_limit(
            gaps_ms in prop::collection::vec(0..HOUR_MS, 1..400),
        ) {
            let requests: Vec<i64> = gaps_ms.iter().scan(0, |at, gap| { *at += gap; Some(*at) }).collect();
            let granted = granted_requests(&requests);
            for RateLimit { max, within } in MESSAGES {
                let within: i64 = Duration::as_millis(&within).try_into().expect("a span");
                for (i, from) in granted.iter().enumerate() {
                    let in_period = granted[i..].iter().filter(|at| **at < from + within).count();
                    prop_assert!(in_period <= max);
                }
            }
        }
    }
}
