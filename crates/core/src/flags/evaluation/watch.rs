//! Observers of an evaluation: one that does nothing, and one that records a trace.

use super::TraceStep;
use crate::flags::context::{Context, SlotId};
use crate::flags::matcher::Matcher;
use crate::flags::snapshot::Snapshot;

pub(in crate::flags) trait Watch {
    /// Whether the observer needs every test evaluated, including those with a memoised result.
    const WANTS_EVERY_TEST: bool;

    fn tested(
        &mut self,
        snapshot: &Snapshot,
        slot: SlotId,
        matcher: &Matcher,
        context: &Context<'_>,
        is_met: bool,
        step: &dyn Fn() -> String,
    );

    /// Records a step that is not a test of an attribute: a draw, a prerequisite, or an assignment.
    fn drawn(&mut self, step: &dyn Fn() -> TraceStep);
}

/// An observer that does nothing and has no cost.
pub(in crate::flags) struct Untraced;

impl Watch for Untraced {
    const WANTS_EVERY_TEST: bool = false;

    #[inline]
    fn tested(
        &mut self,
        _: &Snapshot,
        _: SlotId,
        _: &Matcher,
        _: &Context<'_>,
        _: bool,
        _: &dyn Fn() -> String,
    ) {
    }

    #[inline]
    fn drawn(&mut self, _: &dyn Fn() -> TraceStep) {}
}

#[derive(Default)]
pub(in crate::flags) struct Traced {
    pub steps: Vec<TraceStep>,
}

impl Watch for Traced {
    const WANTS_EVERY_TEST: bool = true;

    fn tested(
        &mut self,
        snapshot: &Snapshot,
        slot: SlotId,
        matcher: &Matcher,
        context: &Context<'_>,
        is_met: bool,
        step: &dyn Fn() -> String,
    ) {
        let raw = context.raw(slot);
        self.steps.push(TraceStep {
            step: step(),
            cond: matcher.describe(snapshot.attribute(slot)),
            got: (!raw.is_empty()).then(|| raw.to_owned()),
            ok: is_met,
        });
    }

    fn drawn(&mut self, step: &dyn Fn() -> TraceStep) {
        self.steps.push(step());
    }
}
