//! Assignment to an experiment. The order is: slot of the layer, stored assignment, coverage,
//! split.

use super::Decision;
use crate::flags::context::{Context, SlotId};
use crate::flags::evaluation::{Part, Remember, TraceStep, Watch};
use crate::flags::moment::{Assigned, EvaluationInputs};
use crate::flags::snapshot::{Experiment, Flag, Snapshot};

/// The effect of a stored assignment.
enum Memory {
    Serves {
        variation: u16,
        remember: Remember,
    },
    /// It is too old, so the user does not take part.
    Excludes,
    /// There is none, so the user is drawn; the assignment is then stored or not.
    Silent(Remember),
}

pub(super) fn decide<'a, W: Watch>(
    experiment: &'a Experiment,
    whole: u32,
    snapshot: &Snapshot,
    flag: &Flag,
    context: &'a Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> Option<Decision<'a>> {
    let own = context.unit(experiment.unit).map(|unit| (experiment.unit, unit));
    let fallback = experiment.fallback_unit.and_then(|kind| Some((kind, context.unit(kind)?)));
    let (unit_kind, unit) = own.or(fallback)?;
    let step = |cond: &str, ok: bool| TraceStep {
        step: format!("experiment:{}", experiment.key),
        cond: format!("{} {cond}", snapshot.attribute(unit_kind)),
        got: Some(context.raw(unit_kind).to_owned()),
        ok,
    };
    if let Some(layer) = &experiment.layer {
        let is_in = layer.takes(unit);
        watch.drawn(&|| step("is in the layer's slot", is_in));
        if !is_in {
            return None;
        }
    }
    let memory = if experiment.sticky {
        // Without its own unit, the fallback unit is the only one.
        let fallback_assignment = fallback.filter(|_| own.is_some());
        look_up_assignment(
            experiment,
            snapshot,
            flag,
            (unit_kind, unit),
            fallback_assignment,
            moment,
        )
    } else {
        Memory::Silent(Remember::Nothing)
    };
    let (variation, remember, whole) = match memory {
        Memory::Serves { variation, remember } => {
            watch.drawn(&|| step("has an assignment", true));
            (variation, remember, None)
        }
        Memory::Excludes => {
            watch.drawn(&|| step("has no assignment that is too old", false));
            return None;
        }
        Memory::Silent(remember) => {
            let is_in = experiment.covers(unit);
            watch.drawn(&|| step("is covered", is_in));
            let arm = experiment.arm(unit).filter(|_| is_in)?;
            (experiment.cuts[arm].1, remember, Some(whole + arm as u32))
        }
    };
    let is_sticky = whole.is_none();
    Some(Decision {
        variation: Some(variation),
        whole: whole.filter(|_| unit_kind == experiment.unit),
        part: Some(Part { experiment, unit_kind, unit, remember, is_sticky }),
    })
}

fn look_up_assignment(
    experiment: &Experiment,
    snapshot: &Snapshot,
    flag: &Flag,
    own: (SlotId, &str),
    fallback: Option<(SlotId, &str)>,
    moment: &EvaluationInputs<'_>,
) -> Memory {
    let look_up = |(kind, unit): (SlotId, &str)| {
        moment.sticky.assigned(&experiment.key, snapshot.attribute(kind), unit)
    };
    let (assigned, remember) = match look_up(own) {
        Some(assigned) => (assigned, Remember::Nothing),
        None => match fallback.and_then(look_up) {
            Some(assigned) => (assigned, Remember::Copied),
            None => return Memory::Silent(Remember::Drawn),
        },
    };
    if assigned.bucket_version < experiment.min_bucket_version {
        return Memory::Excludes;
    }
    match current(experiment, flag, &assigned) {
        Some(variation) => Memory::Serves { variation, remember },
        // The user is drawn again if the bucket version was increased or the variation was removed.
        // An assignment of a later version than the configuration's is kept, because the
        // configuration was reverted.
        None if assigned.bucket_version > experiment.bucket_version => {
            Memory::Silent(Remember::Nothing)
        }
        None => Memory::Silent(Remember::Drawn),
    }
}

/// Returns the variation, if the assignment has this bucket version and the flag still has the
/// variation.
fn current(experiment: &Experiment, flag: &Flag, assigned: &Assigned) -> Option<u16> {
    if assigned.bucket_version != experiment.bucket_version {
        return None;
    }
    let variations = flag.variations.iter().zip(0..);
    variations
        .filter(|(variation, _)| *variation.key == *assigned.variation)
        .map(|(_, number)| number)
        .next()
}
