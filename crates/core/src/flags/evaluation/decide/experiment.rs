//! Assignment to an experiment: layer slot, then the remembered assignment, then coverage and
//! split.

use super::Decision;
use crate::flags::context::{Context, SlotId};
use crate::flags::evaluation::{Part, Remember, TraceStep, Watch};
use crate::flags::moment::{Assigned, Moment};
use crate::flags::snapshot::{Experiment, Flag, Snapshot};

/// Meaning of a remembered assignment.
enum Memory {
    Serves {
        variation: u16,
        remember: Remember,
    },
    /// Assigned so long ago that the person no longer counts.
    Excludes,
    /// Assigned by bucketing; the assignment is then remembered or not.
    Silent(Remember),
}

pub(super) fn decide<'a, W: Watch>(
    it: &'a Experiment,
    whole: u32,
    snapshot: &Snapshot,
    flag: &Flag,
    context: &'a Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) -> Option<Decision<'a>> {
    let own = context.unit(it.unit).map(|unit| (it.unit, unit));
    let fallback = it.fallback_unit.and_then(|kind| Some((kind, context.unit(kind)?)));
    let (unit_kind, unit) = own.or(fallback)?;
    let step = |cond: &str, ok: bool| TraceStep {
        step: format!("experiment:{}", it.key),
        cond: format!("{} {cond}", snapshot.attribute(unit_kind)),
        got: Some(context.raw(unit_kind).to_owned()),
        ok,
    };
    if let Some(layer) = &it.layer {
        let is_in = layer.takes(unit);
        watch.drawn(&|| step("is in the layer's slot", is_in));
        if !is_in {
            return None;
        }
    }
    let memory = if it.sticky {
        // Without the own unit, the fallback is the person.
        let former = fallback.filter(|_| own.is_some());
        remembered(it, snapshot, flag, (unit_kind, unit), former, moment)
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
            let is_in = it.covers(unit);
            watch.drawn(&|| step("is covered", is_in));
            let arm = it.arm(unit).filter(|_| is_in)?;
            (it.cuts[arm].1, remember, Some(whole + arm as u32))
        }
    };
    let is_sticky = whole.is_none();
    Some(Decision {
        variation: Some(variation),
        whole: whole.filter(|_| unit_kind == it.unit),
        part: Some(Part { experiment: it, unit_kind, unit, remember, is_sticky }),
    })
}

fn remembered(
    it: &Experiment,
    snapshot: &Snapshot,
    flag: &Flag,
    own: (SlotId, &str),
    fallback: Option<(SlotId, &str)>,
    moment: &Moment<'_>,
) -> Memory {
    let ask = |(kind, unit): (SlotId, &str)| {
        moment.sticky.assigned(&it.key, snapshot.attribute(kind), unit)
    };
    let (assigned, remember) = match ask(own) {
        Some(assigned) => (assigned, Remember::Nothing),
        None => match fallback.and_then(ask) {
            Some(assigned) => (assigned, Remember::Copied),
            None => return Memory::Silent(Remember::Drawn),
        },
    };
    if assigned.bucket_version < it.min_bucket_version {
        return Memory::Excludes;
    }
    match current(it, flag, &assigned) {
        Some(variation) => Memory::Serves { variation, remember },
        // Drawn anew in a later version, or the variation is gone. A later assignment than this
        // configuration knows of stays: the configuration was set back.
        None if assigned.bucket_version > it.bucket_version => Memory::Silent(Remember::Nothing),
        None => Memory::Silent(Remember::Drawn),
    }
}

/// The variation, if the assignment is of this bucket version and the flag still has it.
fn current(it: &Experiment, flag: &Flag, assigned: &Assigned) -> Option<u16> {
    if assigned.bucket_version != it.bucket_version {
        return None;
    }
    let variations = flag.variations.iter().zip(0..);
    variations.filter(|(it, _)| *it.key == *assigned.variation).map(|(_, number)| number).next()
}
