//! Compiled conditions and their evaluation for one user.

use crate::flags::context::{Context, SlotId};
use crate::flags::evaluation::Watch;
use crate::flags::matcher::Matcher;

use super::Snapshot;

#[derive(Debug)]
pub(in crate::flags) enum Condition {
    /// A constant, such as an empty `all` or an empty `any`.
    Always(bool),
    All(Box<[Condition]>),
    Any(Box<[Condition]>),
    Not(Box<Condition>),
    /// A segment, by its index in the document.
    Segment(u32),
    Test(SlotId, Matcher),
}

impl Condition {
    /// Evaluates the condition. `step` returns the name of the part with the condition, for a
    /// trace.
    #[inline]
    pub fn is_met<W: Watch>(
        &self,
        snapshot: &Snapshot,
        context: &Context<'_>,
        watch: &mut W,
        step: &dyn Fn() -> String,
    ) -> bool {
        let mut is_met = |condition: &Self| match condition {
            Self::Test(slot, matcher) => {
                let is_met = matcher.is_met(context.value(*slot));
                watch.tested(snapshot, *slot, matcher, context, is_met, step);
                is_met
            }
            _ => condition.is_met_within(snapshot, context, watch, step),
        };
        match self {
            Self::Always(value) => *value,
            // Nearly all conditions are lists of tests, which are evaluated without a further call.
            Self::All(parts) => parts.iter().all(is_met),
            _ => is_met(self),
        }
    }

    #[inline(never)]
    fn is_met_within<W: Watch>(
        &self,
        snapshot: &Snapshot,
        context: &Context<'_>,
        watch: &mut W,
        step: &dyn Fn() -> String,
    ) -> bool {
        match self {
            Self::Any(parts) => {
                parts.iter().any(|part| part.is_met(snapshot, context, watch, step))
            }
            Self::Not(part) => !part.is_met(snapshot, context, watch, step),
            Self::Segment(segment) => {
                snapshot.segments[*segment as usize].is_met(snapshot, context, watch, step)
            }
            Self::Always(_) | Self::All(_) | Self::Test(..) => {
                self.is_met(snapshot, context, watch, step)
            }
        }
    }

    /// Returns the result if it is the same for every user.
    pub const fn always(&self) -> Option<bool> {
        match self {
            Self::Always(value) => Some(*value),
            _ => None,
        }
    }
}
