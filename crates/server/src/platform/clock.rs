//! The only code that reads the system clock.

use musette_core::instant::Instant;

/// The clock of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    offset_ms: i64,
}

impl Clock {
    /// Creates a clock for tests that is ahead by `offset_s` seconds.
    pub fn with_offset(offset_s: i64) -> Self {
        Self { offset_ms: offset_s.saturating_mul(1000) }
    }

    /// Returns the time of the system clock plus the offset.
    pub fn now(&self) -> Instant {
        #[expect(clippy::disallowed_methods, reason = "other code must use this clock")]
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let millis = since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        Instant::from_millis(millis.saturating_add(self.offset_ms))
    }
}
