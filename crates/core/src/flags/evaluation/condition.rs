//! Evaluation of a condition for one user.

use super::Watch;
use crate::flags::context::Context;
use crate::flags::snapshot::{Condition, Snapshot};

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
}
