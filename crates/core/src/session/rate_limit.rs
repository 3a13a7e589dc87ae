//! How many messages a person may be sent, whoever asks for them and from however many places.
//!
//! Windows that slide: a limit by the hour of the clock would let twice as many through around the
//! full hour, and a token bucket lets its burst and its refill through in the same hour.

use std::time::Duration;

use crate::instant::Instant;

/// At most so many within any span of this length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// How many.
    pub max: usize,
    /// Length of the span.
    pub within: Duration,
}

/// One-time codes to one person.
pub const MESSAGES: [RateLimit; 2] = [
    RateLimit { max: 5, within: Duration::from_secs(60 * 60) },
    RateLimit { max: 20, within: Duration::from_secs(24 * 60 * 60) },
];

/// When each was taken, in milliseconds, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlidingWindow(Vec<i64>);

impl SlidingWindow {
    /// Reads the text that `to_text` wrote. Numbers that cannot be read are ignored: the limit is
    /// then more generous, never an error.
    pub fn parse(text: &str) -> Self {
        Self(text.split(',').filter_map(|at| at.parse().ok()).collect())
    }

    /// Milliseconds, separated by commas: how it is stored.
    pub fn to_text(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(i64::to_string).collect();
        texts.join(",")
    }

    /// Adds one event at `now`; none when a limit would be exceeded.
    pub fn take(&self, now: Instant, allowances: &[RateLimit]) -> Option<Self> {
        let now = now.millis();
        // A clock that was far ahead of ours was wrong: what it took must not count until the time that
        // it named has come.
        let recent = |within: Duration| {
            let within = millis(within);
            let (since, until) = (now.saturating_sub(within), now.saturating_add(within));
            self.0.iter().copied().filter(move |at| *at > since && *at <= until)
        };
        if allowances.iter().any(|it| recent(it.within).count() >= it.max) {
            return None;
        }
        let longest = allowances.iter().map(|it| it.within).max().unwrap_or_default();
        let mut kept: Vec<i64> = recent(longest).collect();
        kept.push(now);
        Some(Self(kept))
    }

    /// From when on nothing of it counts any more.
    pub fn forget_at(&self, allowances: &[RateLimit]) -> Instant {
        let longest = allowances.iter().map(|it| it.within).max().unwrap_or_default();
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

    fn granted(asked_at: &[i64]) -> Vec<i64> {
        let (mut taken, mut granted) = (SlidingWindow::default(), Vec::new());
        for at in asked_at {
            if let Some(next) = taken.take(Instant::from_millis(*at), &MESSAGES) {
                taken = SlidingWindow::parse(&next.to_text());
                granted.push(*at);
            }
        }
        granted
    }

    #[test]
    fn five_an_hour_and_twenty_a_day() {
        let each_minute: Vec<i64> = (0..48 * 60).map(|minute| minute * 60_000).collect();
        let granted = granted(&each_minute);
        assert_eq!(&granted[..5], &each_minute[..5]);
        assert_eq!(granted[5], HOUR_MS, "as soon as the first is an hour old");
        assert_eq!(granted.iter().filter(|at| **at < 24 * HOUR_MS).count(), 20);
        assert_eq!(granted.len(), 40);
    }

    #[test]
    fn a_clock_that_was_ahead_locks_nobody_out() {
        let ahead: Vec<i64> = (0..20).map(|hour| (30 * 24 + hour) * HOUR_MS).collect();
        let taken =
            SlidingWindow(ahead).take(Instant::from_millis(0), &MESSAGES).expect("nothing counts");
        assert_eq!(taken, SlidingWindow(vec![0]), "nor is it kept");
        // Clocks that are a little apart share the limit.
        let skewed = SlidingWindow(vec![60_000; 5]);
        assert_eq!(skewed.take(Instant::from_millis(0), &MESSAGES), None);
    }

    #[test]
    fn what_is_kept_is_bounded_and_read_again() {
        let mut taken = SlidingWindow::parse("nonsense,,-,5");
        assert_eq!(taken, SlidingWindow::parse("5"));
        for at in 0..10_000 {
            let now = Instant::from_millis(at * HOUR_MS / 4);
            taken = taken.take(now, &MESSAGES).unwrap_or(taken);
        }
        assert!(taken.to_text().split(',').count() <= 20);
        assert_eq!(
            SlidingWindow::default().take(Instant::from_millis(1), &MESSAGES),
            Some(SlidingWindow::parse("1"))
        );
    }

    proptest! {
        #[test]
        fn no_span_has_more_than_its_allowance(
            gaps_ms in prop::collection::vec(0..HOUR_MS, 1..400),
        ) {
            let asked: Vec<i64> = gaps_ms.iter().scan(0, |at, gap| { *at += gap; Some(*at) }).collect();
            let granted = granted(&asked);
            for RateLimit { max, within } in MESSAGES {
                let within: i64 = Duration::as_millis(&within).try_into().expect("a span");
                for (i, from) in granted.iter().enumerate() {
                    let in_span = granted[i..].iter().filter(|at| **at < from + within).count();
                    prop_assert!(in_span <= max);
                }
            }
        }
    }
}
