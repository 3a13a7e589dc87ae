use serde::{Deserialize, Serialize};

use super::test::Interval;

/// The direction in which a metric should move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Higher values are better.
    #[default]
    Higher,
    /// Lower values are better.
    Lower,
}

/// The conclusion that a reader may draw from the current data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Too few units, or no variance: there is no conclusion.
    NoData,
    /// Zero is still among the differences that are compatible with the data.
    NotYet,
    /// The difference is in the desired direction.
    Better,
    /// The difference is in the other direction.
    Worse,
}

impl Verdict {
    pub(super) fn of(interval: Interval, goal: Goal) -> Self {
        match goal {
            _ if interval.low <= 0.0 && interval.high >= 0.0 => Self::NotYet,
            Goal::Higher if interval.low > 0.0 => Self::Better,
            Goal::Lower if interval.high < 0.0 => Self::Better,
            _ => Self::Worse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Goal, Interval, Verdict};

    #[test]
    fn an_interval_that_touches_zero_gives_no_decision() {
        for (low, high, higher, lower) in [
            (-1.0, 1.0, Verdict::NotYet, Verdict::NotYet),
            (0.0, 1.0, Verdict::NotYet, Verdict::NotYet),
            (-1.0, 0.0, Verdict::NotYet, Verdict::NotYet),
            (0.1, 1.0, Verdict::Better, Verdict::Worse),
            (-1.0, -0.1, Verdict::Worse, Verdict::Better),
        ] {
            let interval = Interval { low, high };
            assert_eq!(Verdict::of(interval, Goal::Higher), higher, "{low} to {high}");
            assert_eq!(Verdict::of(interval, Goal::Lower), lower, "{low} to {high}");
        }
    }
}
