//! A rule of GrowthBook as one of ours.

use serde_json::Value;

use super::condition::Reading;
use super::input::{Payload, Rule};
use super::layer;
use super::values::Values;
use crate::flags::document;
use crate::flags::document::{Condition, Experiment, Flag, Serve};
use crate::flags::import::draft::{self, Draft, experiment, percent};
use crate::flags::import::report::{LeftOut, SourcePointer};
use crate::flags::import::weights::shares;

/// None where the rule reaches nobody, or could not be carried over.
pub(super) fn translate(
    draft: &mut Draft,
    input: &Payload,
    flag: &Flag,
    rule: &Rule,
    values: &Values,
    place: &SourcePointer,
) -> Option<document::Rule> {
    match try_translate(draft, input, flag, rule, values, place) {
        Ok((when, serve)) => Some(document::Rule {
            id: id(flag, rule),
            name: rule.name.clone(),
            when,
            serve: serve?,
        }),
        Err(left_out) => {
            draft.left_out.push(left_out);
            None
        }
    }
}

fn id(flag: &Flag, rule: &Rule) -> String {
    let numbered = || format!("r{}", flag.rules.len() + 1);
    let own = rule.id.clone().filter(|id| !id.is_empty());
    let free = own.filter(|id| !flag.rules.iter().any(|rule| rule.id == *id));
    free.unwrap_or_else(numbered)
}

fn try_translate(
    draft: &mut Draft,
    input: &Payload,
    flag: &Flag,
    rule: &Rule,
    values: &Values,
    place: &SourcePointer,
) -> Result<(Condition, Option<Serve>), LeftOut> {
    if rule.parent_conditions.iter().any(|parent| !parent.gate) {
        let place = place.at("parentConditions");
        return Err(place.left_out("a prerequisite belongs to a flag here, not to a rule"));
    }
    let mut reading = Reading { attributes: &mut draft.attributes, groups: &input.saved_groups };
    let when = reading.condition(&rule.condition, &place.at("condition"))?;
    let values_of = rule.force.iter().chain(rule.variations.iter().flatten());
    if values_of.into_iter().any(Value::is_null) {
        return Err(place.left_out("null is no value here"));
    }
    if rule.hash_version.is_some_and(|version| !matches!(version, 1 | 2)) {
        return Err(place.left_out("GrowthBook has no such hash, and draws nobody"));
    }
    let serve = match (&rule.force, &rule.variations) {
        (Some(value), _) => forced(draft, rule, &values.key(value)),
        (None, Some(variations)) => split(draft, flag, rule, variations, values, place),
        (None, None) => Err("contextual bandits have no counterpart".to_owned()),
    };
    Ok((when, serve.map_err(|reason| place.left_out(reason))?))
}

type Served = Result<Option<Serve>, String>;

fn forced(draft: &mut Draft, rule: &Rule, variation: &str) -> Served {
    if !rule.filters.is_empty() {
        return Err("only experiments have slots in layers here".to_owned());
    }
    let share = rule.range.map(|(from, to)| to - from).or(rule.coverage);
    let Some(share) = share else { return Ok(Some(Serve::Variation(variation.to_owned()))) };
    let percent = percent(share * 100.0).ok_or_else(|| format!("{share} is no share"))?;
    if percent.thousandths() == 0 {
        return Ok(None);
    }
    draft.attributes.drawn_by(rule.unit())?;
    Ok(Some(draft::rollout(rule.unit(), percent, variation)))
}

fn split(
    draft: &mut Draft,
    flag: &Flag,
    rule: &Rule,
    variations: &[Value],
    values: &Values,
    place: &SourcePointer,
) -> Served {
    if rule.meta.iter().any(|meta| meta.passthrough) {
        return Err(
            "people of a variation who go on to the next rule: make it a holdout".to_owned()
        );
    }
    let widths = widths(rule, variations.len());
    let coverage: f64 = widths.iter().sum();
    let covered = percent(coverage * 100.0).ok_or_else(|| format!("{coverage} is no share"))?;
    if covered.thousandths() == 0 {
        return Ok(None);
    }
    for unit in [Some(rule.unit()), rule.fallback_attribute.as_deref()].into_iter().flatten() {
        draft.attributes.drawn_by(unit)?;
    }
    if rule.min_bucket_version > rule.bucket_version {
        return Err("nobody has an assignment that is new enough".to_owned());
    }
    let keys: Vec<String> = variations.iter().map(|value| values.key(value)).collect();
    let weights: Vec<(String, f64)> = keys.iter().cloned().zip(widths).collect();
    let weights = shares(&weights).ok_or("the weights are no weights")?;
    if weights.len() < keys.len() {
        draft.leave_out(&place.at("variations"), "variations of one value are one variation");
    }
    let named = rule.key.clone().unwrap_or_else(|| flag.key.clone());
    let key = own_key(draft, flag, &named, place);
    let layer = layer::of(draft, rule, &key)?;
    Ok(Some(Serve::Experiment(Experiment {
        layer,
        fallback_unit: rule.fallback_attribute.clone(),
        seed: rule.seed.clone().unwrap_or(named),
        coverage: covered.thousandths(),
        weights,
        sticky: remembers(rule),
        bucket_version: rule.bucket_version.unwrap_or_default(),
        min_bucket_version: rule.min_bucket_version.unwrap_or_default(),
        phase: rule.phase.as_ref().and_then(|phase| phase.parse().ok()).unwrap_or_default(),
        ..experiment(&key, rule.unit())
    })))
}

/// GrowthBook writes the one or the other only for those who let it remember assignments.
fn remembers(rule: &Rule) -> bool {
    let allowed = !rule.disable_sticky_bucketing;
    allowed && (rule.bucket_version.is_some() || rule.fallback_attribute.is_some())
}

/// The share of all people that each variation gets.
fn widths(rule: &Rule, variations: usize) -> Vec<f64> {
    if let Some(ranges) = &rule.ranges {
        return ranges.iter().take(variations).map(|(from, to)| to - from).collect();
    }
    let equal = || vec![1.0 / variations as f64; variations];
    // GrowthBook ignores weights that do not fit.
    let fits = |weights: &&Vec<f64>| {
        weights.len() == variations && (weights.iter().sum::<f64>() - 1.0).abs() <= 0.01
    };
    let weights = rule.weights.as_ref().filter(fits).cloned().unwrap_or_else(equal);
    let coverage = rule.coverage.unwrap_or(1.0).clamp(0.0, 1.0);
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum * coverage).collect()
}

/// An experiment belongs to one flag here. One that GrowthBook runs over several is drawn by the
/// same seed, so that a person still gets the same arm everywhere.
fn own_key(draft: &mut Draft, flag: &Flag, named: &str, place: &SourcePointer) -> String {
    let taken = |key: &str| {
        let of = |flag: &Flag| {
            flag.rules.iter().any(|rule| match &rule.serve {
                Serve::Experiment(experiment) => experiment.key == key,
                _ => false,
            })
        };
        of(flag) || draft.flags.iter().any(of)
    };
    if !taken(named) {
        return named.to_owned();
    }
    let mut key = format!("{named}-{}", flag.key);
    while taken(&key) {
        key.push('_');
    }
    draft.leave_out(&place.at("key"), format!("the experiment {named} is counted as {key} here"));
    key
}
