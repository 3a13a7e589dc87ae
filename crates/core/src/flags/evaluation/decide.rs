//! The order of evaluation. The first of these that decides wins: off, override, prerequisites,
//! holdouts by priority, rules in order, default.

mod experiment;

use super::{Evaluation, ExplanationKind, Groups, Part, TraceStep, Watch};
use crate::flags::context::Context;
use crate::flags::moment::EvaluationInputs;
use crate::flags::snapshot::{
    Explanation, Flag, FlagId, Phase, Prerequisite, Rule, Serve, Snapshot,
};

#[inline]
pub(in crate::flags) fn evaluate<'a, W: Watch>(
    snapshot: &'a Snapshot,
    id: FlagId,
    context: &'a Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> Evaluation<'a> {
    let flag = snapshot.compiled(id);
    let result = |groups, explanation, decision: Decision<'a>| Evaluation {
        snapshot,
        flag,
        id,
        variation: decision.variation,
        explanation,
        groups,
        part: decision.part,
        whole: decision.whole,
    };
    let ready = |variation| Decision { variation, whole: Some(flag.whole), part: None };
    if flag.is_off {
        let explanation = flag.off_explanation(&snapshot.explanations);
        return result(Groups::default(), explanation, ready(flag.off));
    }
    let mut groups = Groups::default();
    if !flag.has_only_rules {
        let early_decision = before_rules(snapshot, flag, &mut groups, context, moment, watch);
        if let Some((explanation, variation)) = early_decision {
            return result(groups, explanation, Decision { variation, whole: None, part: None });
        }
    }
    for rule in &flag.rules {
        if let Some(decision) = decide(rule, snapshot, flag, context, moment, watch) {
            return result(groups, &rule.explanation, decision);
        }
    }
    result(groups, &snapshot.explanations.default, ready(Some(flag.default)))
}

/// The parts of a result that the deciding rule determines.
struct Decision<'a> {
    variation: Option<u16>,
    /// See `Evaluation::whole`.
    whole: Option<u32>,
    part: Option<Part<'a>>,
}

#[inline(never)]
fn before_rules<'a, W: Watch>(
    snapshot: &'a Snapshot,
    flag: &'a Flag,
    groups: &mut Groups,
    context: &Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> Option<(&'a Explanation, Option<u16>)> {
    if let Some(variation) = overridden(snapshot, flag, context, watch) {
        return Some((&snapshot.explanations.overridden, Some(variation)));
    }
    for prerequisite in &flag.prerequisites {
        if !is_met(prerequisite, snapshot, context, moment, watch) {
            return Some((&prerequisite.explanation, flag.off));
        }
    }
    let explanation = hold_out(snapshot, flag, groups, context, moment, watch)?;
    Some((explanation, Some(flag.baseline)))
}

/// Returns whether a prerequisite is met. A flag that is off meets no prerequisite, even if it
/// serves a required variation.
fn is_met<W: Watch>(
    prerequisite: &Prerequisite,
    snapshot: &Snapshot,
    context: &Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> bool {
    let result = evaluate(snapshot, FlagId::from_number(prerequisite.flag), context, moment, watch);
    let is_met = result.kind() != ExplanationKind::Off
        && result.variation.is_some_and(|variation| prerequisite.variations.contains(&variation));
    watch.drawn(&|| TraceStep {
        step: prerequisite.explanation.from.to_string(),
        cond: "serves what is asked".to_owned(),
        got: result.variation().map(|variation| variation.json.to_owned()),
        ok: is_met,
    });
    is_met
}

/// Returns the variation of the first override in the document that names the user.
fn overridden<W: Watch>(
    snapshot: &Snapshot,
    flag: &Flag,
    context: &Context<'_>,
    watch: &mut W,
) -> Option<u16> {
    let named = flag.overrides.iter().filter_map(|overrides| {
        let id = overrides.ids.find(context.unit(overrides.unit)?)?;
        let (position, variation) = overrides.serve[id as usize];
        Some((position, variation, overrides.unit))
    });
    let (_, variation, unit) = named.min_by_key(|(position, ..)| *position)?;
    watch.drawn(&|| TraceStep {
        step: "override".to_owned(),
        cond: format!("{} is named", snapshot.attribute(unit)),
        got: Some(context.raw(unit).to_owned()),
        ok: true,
    });
    Some(variation)
}

/// Adds all holdouts that apply to `groups`. Returns the explanation of the first one that holds
/// the user out.
fn hold_out<'a, W: Watch>(
    snapshot: &'a Snapshot,
    flag: &Flag,
    groups: &mut Groups,
    context: &Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> Option<&'a Explanation> {
    let mut decided = None;
    for (number, index) in flag.holdouts.iter().zip(0..) {
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
        groups.set(index, group, phase == Phase::Analysis);
        let is_held_out = group == super::Group::HeldOut;
        watch.drawn(&|| TraceStep {
            step: step(),
            cond: format!("{} is held out", snapshot.attribute(holdout.unit)),
            got: Some(format!("\"{}\"", group.as_str())),
            ok: is_held_out,
        });
        if is_held_out && decided.is_none() {
            groups.decided = Some(index);
            decided = Some(&holdout.explanation);
        }
    }
    decided
}

/// Returns the decision of the rule for this user, or `None` if it does not match or serves
/// nothing.
#[inline]
fn decide<'a, W: Watch>(
    rule: &'a Rule,
    snapshot: &'a Snapshot,
    flag: &'a Flag,
    context: &'a Context<'_>,
    moment: &EvaluationInputs<'_>,
    watch: &mut W,
) -> Option<Decision<'a>> {
    let mut is_met = || rule.when.is_met(snapshot, context, watch, &|| rule.step.to_string());
    let is_met = match rule.memo.filter(|_| !W::WANTS_EVERY_TEST) {
        Some(id) => context.memoised(id, is_met),
        None => is_met(),
    };
    if !is_met {
        return None;
    }
    let ready =
        |variation| Decision { variation: Some(variation), whole: Some(rule.whole), part: None };
    match &rule.serve {
        Serve::Variation(variation) => Some(ready(*variation)),
        Serve::Rollout(rollout) => {
            let reach = rollout.reach(moment.now);
            let is_in = context.unit(rollout.unit).is_some_and(|unit| rollout.takes(unit, reach));
            watch.drawn(&|| TraceStep {
                step: rule.step.to_string(),
                cond: format!("{} is in {reach} of 100000", snapshot.attribute(rollout.unit)),
                got: context
                    .unit(rollout.unit)
                    .map(|unit| format!("\"bucket {}\"", rollout.draw.bucket(unit))),
                ok: is_in,
            });
            is_in.then(|| ready(rollout.variation))
        }
        Serve::Experiment(experiment) => {
            experiment::decide(experiment, rule.whole, snapshot, flag, context, moment, watch)
        }
    }
}
