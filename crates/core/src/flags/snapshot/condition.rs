//! Conditions with everything resolved, and what they come to for one person.

use crate::flags::context::{Context, SlotId};
use crate::flags::evaluation::Watch;
use crate::flags::matcher::Matcher;

use super::Snapshot;

#[derive(Debug)]
pub(in crate::flags) enum Condition {
    /// An empty `all`, an empty `any`, and what follows from them.
    Always(bool),
    All(Box<[Condition]>),
    Any(Box<[Condition]>),
    Not(Box<Condition>),
    /// By its place in the document.
    Segment(u32),
    Test(SlotId, Matcher),
}

impl Condition {
    /// `step` says for a trace where the condition stands.
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
            Self::Always(it) => *it,
            // Nearly every condition is a list of tests: they are gone through right here.
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
            Self::Any(parts) => parts.iter().any(|it| it.is_met(snapshot, context, watch, step)),
            Self::Not(part) => !part.is_met(snapshot, context, watch, step),
            Self::Segment(segment) => {
                snapshot.segments[*segment as usize].is_met(snapshot, context, watch, step)
            }
            Self::Always(_) | Self::All(_) | Self::Test(..) => {
                self.is_met(snapshot, context, watch, step)
            }
        }
    }

    /// The outcome for everybody, where it depends on nobody.
    pub const fn always(&self) -> Option<bool> {
        match self {
            Self::Always(it) => Some(*it),
            _ => None,
        }
    }
}
