use std::time::Duration;

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;
/// Standard Webhooks' schedule.
const AFTER_S: [u64; 9] = [
    5,
    5 * MINUTE_S,
    30 * MINUTE_S,
    2 * HOUR_S,
    5 * HOUR_S,
    10 * HOUR_S,
    14 * HOUR_S,
    20 * HOUR_S,
    24 * HOUR_S,
];

/// How long to wait after so many failed tries; none: that was the last one. `jitter` is random, and adds up
/// to a tenth, so that a receiver that comes back is not met by everything at once.
pub fn repeat_after(failed: i64, jitter: u8) -> Option<Duration> {
    let place = usize::try_from(failed.checked_sub(1)?).ok()?;
    let after_ms = AFTER_S.get(place)? * 1000;
    Some(Duration::from_millis(after_ms + after_ms * u64::from(jitter) / 2550))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_tries_and_no_more() {
        assert_eq!(repeat_after(1, 0), Some(Duration::from_secs(5)));
        assert_eq!(repeat_after(1, 255), Some(Duration::from_millis(5500)));
        assert_eq!(repeat_after(9, 0), Some(Duration::from_secs(24 * HOUR_S)));
        assert_eq!(
            (repeat_after(10, 0), repeat_after(0, 0), repeat_after(-1, 0)),
            (None, None, None)
        );
    }
}
