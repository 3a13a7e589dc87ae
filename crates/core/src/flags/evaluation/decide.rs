//! The one order in which an answer is found; the first that decides wins: off, override,
//! prerequisites, holdouts by priority, rules in order, default.

mod experiment;

use super::{Evaluation, Groups, Kind, TraceStep, Watch};
use crate::flags::context::Context;
use crate::flags::moment::Moment;
use crate::flags::snapshot::{Flag, FlagId, Phase, Prerequisite, Rule, Serve, Snapshot};

#[inline]
pub(in crate::flags) fn evaluate<'a, W: Watch>(
    snapshot: &'a Snapshot,
    id: FlagId,
    context: &'a Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) -> Evaluation<'a> {
    let flag = snapshot.compiled(id);
    let mut answer = Evaluation {
        snapshot,
        flag,
        id,
        variation: flag.off,
        explanation: &snapshot.explanations.off,
        groups: Groups::default(),
        part: None,
        whole: flag.is_off.then_some(flag.whole),
    };
    if flag.is_off {
        return answer;
    }
    if !flag.has_only_rules && is_decided_before_rules(&mut answer, context, moment, watch) {
        return answer;
    }
    for rule in &flag.rules {
        if apply(rule, &mut answer, context, moment, watch) {
            answer.explanation = &rule.explanation;
            return answer;
        }
    }
    answer.variation = Some(flag.default);
    answer.explanation = &snapshot.explanations.default;
    answer.whole = Some(flag.whole);
    answer
}

#[inline(never)]
fn is_decided_before_rules<W: Watch>(
    answer: &mut Evaluation<'_>,
    context: &Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) -> bool {
    let Evaluation { snapshot, flag, .. } = *answer;
    if let Some(variation) = overridden(snapshot, flag, context, watch) {
        answer.variation = Some(variation);
        answer.explanation = &snapshot.explanations.overridden;
        return true;
    }
    for prerequisite in &flag.prerequisites {
        if !is_fulfilled(prerequisite, snapshot, context, moment, watch) {
            answer.explanation = &prerequisite.explanation;
            return true;
        }
    }
    hold_out(answer, context, moment, watch);
    answer.groups.decided.is_some()
}

/// A flag that is off fulfils nothing, whatever it serves.
fn is_fulfilled<W: Watch>(
    prerequisite: &Prerequisite,
    snapshot: &Snapshot,
    context: &Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) -> bool {
    let got = evaluate(snapshot, FlagId::from_number(prerequisite.flag), context, moment, watch);
    let is_met = got.kind() != Kind::Off
        && got.variation.is_some_and(|it| prerequisite.variations.contains(&it));
    watch.drawn(&|| TraceStep {
        step: prerequisite.explanation.from.to_string(),
        cond: "serves what is asked".to_owned(),
        got: got.variation().map(|it| it.json.to_owned()),
        ok: is_met,
    });
    is_met
}

/// The first of the document, where several name the person.
fn overridden<W: Watch>(
    snapshot: &Snapshot,
    flag: &Flag,
    context: &Context<'_>,
    watch: &mut W,
) -> Option<u16> {
    let named = flag.overrides.iter().filter_map(|overrides| {
        let id = overrides.ids.find(context.unit(overrides.unit)?)?;
        let (place, variation) = overrides.serve[id as usize];
        Some((place, variation, overrides.unit))
    });
    let (_, variation, unit) = named.min_by_key(|(place, ..)| *place)?;
    watch.drawn(&|| TraceStep {
        step: "override".to_owned(),
        cond: format!("{} is named", snapshot.attribute(unit)),
        got: Some(context.raw(unit).to_owned()),
        ok: true,
    });
    Some(variation)
}

/// Every holdout that applies is told; the first that holds out decides.
fn hold_out<W: Watch>(
    answer: &mut Evaluation<'_>,
    context: &Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) {
    let snapshot = answer.snapshot;
    for (number, place) in answer.flag.holdouts.iter().zip(0..) {
        let holdout = &snapshot.holdouts[usize::from(*number)];
        let Some(phase) = holdout.phase(moment.now) else { continue };
        let step = || holdout.explanation.from.to_string();
        let applies = holdout
            .population
            .as_ref()
            .is_none_or(|population| population.is_met(snapshot, context, watch, &step));
        if !applies {
            continue;
        }
        let group = holdout.group(context.unit(holdout.unit));
        answer.groups.set(place, group, phase == Phase::Analysis);
        let is_held_out = group == super::Group::HeldOut;
        watch.drawn(&|| TraceStep {
            step: step(),
            cond: format!("{} is held out", snapshot.attribute(holdout.unit)),
            got: Some(format!("\"{}\"", group.as_str())),
            ok: is_held_out,
        });
        if is_held_out && answer.groups.decided.is_none() {
            answer.groups.decided = Some(place);
            answer.variation = Some(answer.flag.baseline);
            answer.explanation = &holdout.explanation;
        }
    }
}

/// Whether the rule serves this person; it then stands in the answer.
#[inline]
fn apply<'a, W: Watch>(
    rule: &'a Rule,
    answer: &mut Evaluation<'a>,
    context: &'a Context<'_>,
    moment: &Moment<'_>,
    watch: &mut W,
) -> bool {
    let snapshot = answer.snapshot;
    let mut is_met = || rule.when.is_met(snapshot, context, watch, &|| rule.step.to_string());
    let is_met = match rule.memo.filter(|_| !W::WANTS_EVERY_TEST) {
        Some(id) => context.remembered(id, is_met),
        None => is_met(),
    };
    if !is_met {
        return false;
    }
    match &rule.serve {
        Serve::Variation(variation) => {
            answer.variation = Some(*variation);
            answer.whole = Some(rule.whole);
            true
        }
        Serve::Rollout(rollout) => {
            let reach = rollout.reach(moment.now);
            let is_in = context.unit(rollout.unit).is_some_and(|it| rollout.takes(it, reach));
            watch.drawn(&|| TraceStep {
                step: rule.step.to_string(),
                cond: format!("{} is in {reach} of 100000", snapshot.attribute(rollout.unit)),
                got: context
                    .unit(rollout.unit)
                    .map(|unit| format!("\"bucket {}\"", rollout.draw.bucket(unit))),
                ok: is_in,
            });
            if is_in {
                answer.variation = Some(rollout.variation);
                answer.whole = Some(rule.whole);
            }
            is_in
        }
        Serve::Experiment(it) => experiment::apply(it, rule.whole, answer, context, moment, watch),
    }
}
