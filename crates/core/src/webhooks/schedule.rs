use std::time::Duration;

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;
/// The retry schedule that Standard Webhooks recommends.
const RETRY_DELAYS_S: [u64; 9] = [
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

/// Returns how long to wait after this number of failed attempts, or `None` after the last one.
///
/// `jitter` is random. It adds up to a tenth to the delay, so that not all deliveries reach a
/// recovered receiver at the same time.
pub fn repeat_after(failed: i64, jitter: u8) -> Option<Duration> {
    let index = usize::try_from(failed.checked_sub(1)?).ok()?;
    let delay_ms = RETRY_DELAYS_S.get(index)? * 1000;
    Some(Duration::from_millis(delay_ms + delay_ms * u64::from(jitter) / 2550))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allows_ten_attempts() {
        assert_eq!(repeat_after(1, 0), Some(Duration::from_secs(5)));
        assert_eq!(repeat_after(1, 255), Some(Duration::from_millis(5500)));
        assert_eq!(repeat_after(9, 0), Some(Duration::from_secs(24 * HOUR_S)));
        assert_eq!(
            (repeat_after(10, 0), repeat_after(0, 0), repeat_after(-1, 0)),
            (None, None, None)
        );
    }
}
