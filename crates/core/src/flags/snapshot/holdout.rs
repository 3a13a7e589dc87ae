//! A compiled holdout.
//!
//! The group of a unit depends only on a hash. Held-out users stay held out during the analysis.
//! Users who arrive then get the group that they would have had before, but they are not counted.

use super::condition::Condition;
use super::pieces::Explanation;
use crate::flags::bucket::Draw;
use crate::flags::context::SlotId;
use crate::flags::document::{self, HoldoutStatus};
use crate::instant::Instant;

/// Group of a holdout that a user was drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Neither held out nor compared: gets all changes and is not counted.
    General,
    /// Gets all changes and is compared with the held-out group.
    Comparison,
    /// Gets no changes.
    HeldOut,
}

impl Group {
    /// Returns the word in the JSON, such as `HELD_OUT`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::General => "GENERAL",
            Self::Comparison => "COMPARISON",
            Self::HeldOut => "HELD_OUT",
        }
    }
}

#[derive(Debug)]
pub(in crate::flags) struct Holdout {
    pub key: Box<str>,
    pub unit: SlotId,
    pub draw: Draw,
    /// Number of buckets that are held out. The comparison group has the same number.
    pub buckets: u32,
    pub status: HoldoutStatus,
    /// Milliseconds since 1970.
    pub start_at: Option<i64>,
    pub analysis_at: Option<i64>,
    pub stop_at: Option<i64>,
    pub population: Option<Condition>,
    pub explanation: Explanation,
    /// Part of the result: `{"key":"2026-q4","group":"`.
    pub json: Box<str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flags) enum Phase {
    Running,
    Analysis,
}

impl Holdout {
    /// Returns the phase, or `None` while no user is held out. The schedule changes the phase of a
    /// running holdout but does not start a draft.
    #[inline]
    pub fn phase(&self, now: Instant) -> Option<Phase> {
        let is_past = |at: Option<i64>| at.is_some_and(|at| at <= now.millis());
        match self.status {
            HoldoutStatus::Draft | HoldoutStatus::Ended => None,
            _ if is_past(self.stop_at) => None,
            HoldoutStatus::Analysis => Some(Phase::Analysis),
            HoldoutStatus::Running if self.start_at.is_some() && !is_past(self.start_at) => None,
            HoldoutStatus::Running if is_past(self.analysis_at) => Some(Phase::Analysis),
            HoldoutStatus::Running => Some(Phase::Running),
        }
    }

    /// Returns the group of a unit. Users without the unit cannot be assigned.
    #[inline]
    pub fn group(&self, unit: Option<&str>) -> Group {
        let Some(unit) = unit else { return Group::General };
        let bucket = self.draw.bucket(unit);
        if bucket < self.buckets {
            Group::HeldOut
        } else if bucket < self.buckets * 2 {
            Group::Comparison
        } else {
            Group::General
        }
    }

    /// Returns the times at which it can still change, in milliseconds.
    pub fn steps(&self) -> impl Iterator<Item = i64> {
        let (start, analysis, stop) = match self.status {
            HoldoutStatus::Running => (self.start_at, self.analysis_at, self.stop_at),
            HoldoutStatus::Analysis => (None, None, self.stop_at),
            HoldoutStatus::Draft | HoldoutStatus::Ended => (None, None, None),
        };
        [start, analysis, stop].into_iter().flatten()
    }
}

/// Returns the milliseconds of an instant that was checked before.
pub(super) fn millis(text: Option<&String>) -> Option<i64> {
    Instant::parse(text?).ok().map(Instant::millis)
}

impl document::Holdout {
    pub(in crate::flags) fn instants(&self) -> [Option<i64>; 3] {
        let schedule = self.schedule.as_ref();
        [
            millis(schedule.and_then(|schedule| schedule.start_at.as_ref())),
            millis(schedule.and_then(|schedule| schedule.analysis_at.as_ref())),
            millis(schedule.and_then(|schedule| schedule.stop_at.as_ref())),
        ]
    }
}
