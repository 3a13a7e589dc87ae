//! The only place that reads the system's clock.

use musette_core::instant::Instant;

/// Now, as this process sees it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    offset_ms: i64,
}

impl Clock {
    /// `offset_s` is for tests: seconds added to the system's clock.
    pub fn with_offset(offset_s: i64) -> Self {
        Self { offset_ms: offset_s.saturating_mul(1000) }
    }

    /// The time of the system, with the offset.
    pub fn now(&self) -> Instant {
        #[expect(clippy::disallowed_methods, reason = "this is the one place")]
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let millis = since.map_or(0, |it| i64::try_from(it.as_millis()).unwrap_or(i64::MAX));
        Instant::from_millis(millis.saturating_add(self.offset_ms))
    }
}
