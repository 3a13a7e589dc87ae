//! Checks whether the clock can be right. The effects of a wrong clock cannot be undone: a clock
//! that is ahead ends sessions and deletes idempotency keys, one that is behind records consents
//! before earlier ones.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{Store, StoreError};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// A store may be unused for weeks. After this time, no session or idempotency key is left that a
/// clock ahead of time could delete too early; the operator of an older store has to confirm the
/// clock first.
const CONFIRM_AFTER: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The times that the clock is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// The newest instant that a server on this store has seen.
    pub newest: Option<Instant>,
    /// The clock of PostgreSQL.
    pub database: Option<Instant>,
}

/// An error of the clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClockProblem {
    /// The clock may be wrong by some minutes, or the store was not used.
    Suspect(String),
    /// The clock of this machine or of the database is certainly wrong.
    Impossible(String),
}

impl Compared {
    pub async fn with(store: &Store) -> Result<Self, StoreError> {
        let newest = store.newest_instant().await?;
        Ok(Self { newest, database: store.database_clock().await? })
    }

    pub fn problem(&self, now: Instant) -> Option<ClockProblem> {
        let judge = |apart: Duration, text: String| {
            if apart > DAY {
                Some(ClockProblem::Impossible(text))
            } else {
                (apart > MINUTE).then_some(ClockProblem::Suspect(text))
            }
        };
        if let Some(database) = self.database {
            let apart = apart(now, database);
            let text = format!(
                "the clock of this machine is at {now}, that of the database at {database}"
            );
            if let Some(error) = judge(apart, text) {
                return Some(error);
            }
        }
        let newest = self.newest?;
        let text = format!("the clock is at {now}, but a server has used this store at {newest}");
        if now < newest {
            return judge(apart(now, newest), text);
        }
        // The clock of PostgreSQL agrees, so the store was only unused.
        if self.database.is_some() {
            return None;
        }
        match now.since(newest) {
            unused if unused > CONFIRM_AFTER => Some(ClockProblem::Impossible(text)),
            unused if unused > DAY => Some(ClockProblem::Suspect(text)),
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
        match compared.problem(NOW) {
            None => "right",
            Some(ClockProblem::Suspect(_)) => "suspect",
            Some(ClockProblem::Impossible(_)) => "impossible",
        }
    }

    #[test]
    fn detects_a_clock_that_is_behind_or_far_ahead() {
        const HOUR: i64 = 3600;
        const DAY: i64 = 24 * HOUR;
        assert_eq!(level(None, None), "right", "a new store");
        for (newest, expected) in [
            (30, "right"),
            (61, "suspect"),
            (HOUR, "suspect"),
            (DAY + 1, "impossible"),
            (3650 * DAY, "impossible"),
            // Unused over a weekend, for weeks, or for so long that the clock may be years ahead.
            (-HOUR, "right"),
            (-3 * DAY, "suspect"),
            (-60 * DAY, "suspect"),
            (-91 * DAY, "impossible"),
            (-3650 * DAY, "impossible"),
        ] {
            assert_eq!(level(Some(newest), None), expected, "{newest} s");
        }
        // Two clocks that agree are right, however long the store was unused.
        assert_eq!(level(Some(-3650 * DAY), Some(10)), "right");
        for apart in [HOUR, -HOUR] {
            assert_eq!(level(Some(0), Some(apart)), "suspect");
        }
        for apart in [2 * DAY, -2 * DAY] {
            assert_eq!(level(None, Some(apart)), "impossible");
        }
    }
}
