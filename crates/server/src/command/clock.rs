//! Whether the clock can be right. What a wrong clock does cannot be undone: one that is ahead ends sessions and
//! forgets which requests were answered, one that is behind puts records before earlier ones.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{Store, StoreError};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A store may stand unused for weeks. After this no session is left that a clock could end too early, and
/// no idempotency key: who comes back later loses nothing by looking at the clock first.
const UNUSED: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// What the clock is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// The newest instant that a server on this store has seen.
    pub newest: Option<Instant>,
    /// The clock of PostgreSQL.
    pub database: Option<Instant>,
}

/// What is wrong with the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClockFault {
    /// It may be: a few minutes, or a store that nobody has used.
    Doubtful(String),
    /// It cannot be right, or the database's cannot.
    Impossible(String),
}

impl Compared {
    pub async fn with(store: &Store) -> Result<Self, StoreError> {
        let newest = store.newest_instant().await?;
        Ok(Self { newest, database: store.database_clock().await? })
    }

    pub fn fault(&self, now: Instant) -> Option<ClockFault> {
        let judged = |apart: Duration, text: String| {
            if apart > DAY {
                Some(ClockFault::Impossible(text))
            } else {
                (apart > MINUTE).then_some(ClockFault::Doubtful(text))
            }
        };
        if let Some(database) = self.database {
            let apart = apart(now, database);
            let text = format!("the clock says {now}, and the database's {database}");
            if let Some(fault) = judged(apart, text) {
                return Some(fault);
            }
        }
        let newest = self.newest?;
        let text = format!("the clock says {now}, and a server on this store has seen {newest}");
        if now < newest {
            return judged(apart(now, newest), text);
        }
        // PostgreSQL agrees: the store was not used.
        if self.database.is_some() {
            return None;
        }
        match now.since(newest) {
            unused if unused > UNUSED => Some(ClockFault::Impossible(text)),
            unused if unused > DAY => Some(ClockFault::Doubtful(text)),
            _ => None,
        }
    }
}

fn apart(a: Instant, b: Instant) -> Duration {
    a.since(b).max(b.since(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);

    fn at(seconds: i64) -> Instant {
        Instant::from_millis(NOW.millis() + seconds * 1000)
    }

    fn level(newest: Option<i64>, database: Option<i64>) -> &'static str {
        let compared = Compared { newest: newest.map(at), database: database.map(at) };
        match compared.fault(NOW) {
            None => "right",
            Some(ClockFault::Doubtful(_)) => "doubtful",
            Some(ClockFault::Impossible(_)) => "impossible",
        }
    }

    #[test]
    fn time_does_not_go_back() {
        const HOUR: i64 = 3600;
        const DAY: i64 = 24 * HOUR;
        assert_eq!(level(None, None), "right", "a new store");
        for (newest, expected) in [
            (30, "right"),
            (61, "doubtful"),
            (HOUR, "doubtful"),
            (DAY + 1, "impossible"),
            (3650 * DAY, "impossible"),
            // Idle over a weekend, for weeks, for too long to tell from a clock ten years ahead.
            (-HOUR, "right"),
            (-3 * DAY, "doubtful"),
            (-60 * DAY, "doubtful"),
            (-91 * DAY, "impossible"),
            (-3650 * DAY, "impossible"),
        ] {
            assert_eq!(level(Some(newest), None), expected, "{newest} s");
        }
        // Two clocks that agree are right, however long nobody was here.
        assert_eq!(level(Some(-3650 * DAY), Some(10)), "right");
        for apart in [HOUR, -HOUR] {
            assert_eq!(level(Some(0), Some(apart)), "doubtful");
        }
        for apart in [2 * DAY, -2 * DAY] {
            assert_eq!(level(None, Some(apart)), "impossible");
        }
    }
}
