//! Converts constraints on the time, Unleash's `currentTime`, into the steps of a rollout.

use super::input::Constraint;
use crate::flags::document::{Percent, Step};
use crate::instant::Instant;

pub(super) const CURRENT_TIME: &str = "currentTime";

/// The time in which a strategy applies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Window {
    /// The first instant, if there is one.
    from: Option<Instant>,
    /// The first instant after it, if there is one.
    until: Option<Instant>,
}

impl Window {
    /// Converts one constraint. Both services compare whole milliseconds, and Unleash excludes the instant itself.
    pub(super) fn of(constraint: &Constraint) -> Result<Self, String> {
        let value = constraint.value.as_deref().unwrap_or_default().trim();
        let at =
            Instant::parse(value).map_err(|_| format!("{value:?} is not a time of RFC 3339"))?;
        let next = Instant::from_millis(at.millis().saturating_add(1));
        let since = |at| Self { from: Some(at), until: None };
        let before = |at| Self { from: None, until: Some(at) };
        match (constraint.operator.as_str(), constraint.inverted) {
            ("DATE_AFTER", false) => Ok(since(next)),
            ("DATE_AFTER", true) => Ok(before(next)),
            ("DATE_BEFORE", false) => Ok(before(at)),
            ("DATE_BEFORE", true) => Ok(since(at)),
            (operator, _) => Err(format!("the time is not compared by {operator}")),
        }
    }

    /// Returns the time that is in both.
    pub(super) fn and(self, other: Self) -> Self {
        let until = [self.until, other.until].into_iter().flatten().min();
        Self { from: self.from.max(other.from), until }
    }

    pub(super) fn is_always(self) -> bool {
        self == Self::default()
    }

    pub(super) fn is_never(self) -> bool {
        matches!((self.from, self.until), (Some(from), Some(until)) if from >= until)
    }

    /// Returns steps that serve this share of users in the window, and no user outside of it.
    pub(super) fn steps(self, percent: Percent) -> Vec<Step> {
        let from = self.from.map(|from| from.to_string());
        let first = Step { at: from, percent };
        let last =
            self.until.map(|until| Step { at: Some(until.to_string()), percent: Percent::ZERO });
        std::iter::once(first).chain(last).collect()
    }
}
