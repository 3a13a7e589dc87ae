//! Converts a rule of GrowthBook.

use serde_json::Value;

use super::input::{Payload, Rule};
use super::layer;
use super::test::Reading;
use super::values::Values;
use crate::flags::document;
use crate::flags::document::{Condition, Experiment, Flag, Serve};
use crate::flags::import::draft::{self, Draft, experiment, percent};
use crate::flags::import::report::{OmittedItem, SourcePointer};
use crate::flags::import::weights::shares;

/// A rule was left out.
pub(super) struct LeftOut;

/// Converts a rule. Returns `None` if it reaches no user.
pub(super) fn translate(
    draft: &mut Draft,
    input: &Payload,
    flag: &Flag,
    rule: &Rule,
    values: &Values,
    place: &SourcePointer,
) -> Result<Option<document::Rule>, LeftOut> {
    match try_translate(draft, input, flag, rule, values, place) {
        Ok((when, serve)) => Ok(serve.map(|serve| document::Rule {
            id: id(flag, rule),
            name: rule.name.clone(),
            when,
            serve,
        })),
        Err(left_out) => {
            draft.left_out.push(left_out);
            Err(LeftOut)
        }
    }
}

fn id(flag: &Flag, rule: &Rule) -> String {
    let numbered = || format!("r{}", flag.rules.len() + 1);
    let original_id = rule.id.clone().filter(|id| !id.is_empty());
    let unused = original_id.filter(|id| !flag.rules.iter().any(|rule| rule.id == *id));
    unused.unwrap_or_else(numbered)
}

fn try_translate(
    draft: &mut Draft,
    input: &Payload,
    flag: &Flag,
    rule: &Rule,
    values: &Values,
    place: &SourcePointer,
) -> Result<(Condition, Option<Serve>), OmittedItem> {
    if rule.parent_conditions.iter().any(|parent| !parent.gate) {
        let place = place.at("parentConditions");
        return Err(place.left_out("a rule cannot have a prerequisite, only a flag can"));
    }
    let mut reading = Reading { attributes: &mut draft.attributes, groups: &input.saved_groups };
    let when = reading.condition(&rule.condition, &place.at("condition"))?;
    let values_of = rule.force.iter().chain(rule.variations.iter().flatten());
    if values_of.into_iter().any(Value::is_null) {
        return Err(place.left_out("null is not allowed as a value"));
    }
    if rule.draws() && rule.hash_version.is_some_and(|version| !matches!(version, 1 | 2)) {
        draft.leave_out(place, "GrowthBook has no such hash version and selects no user");
        return Ok((when, None));
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
        return Err("only experiments can have slots in layers".to_owned());
    }
    let share = rule.range.map(|(from, to)| to - from).or(rule.coverage);
    let Some(share) = share else { return Ok(Some(Serve::Variation(variation.to_owned()))) };
    let percent = percent(share * 100.0).ok_or_else(|| format!("{share} is not a valid share"))?;
    if percent.thousandths() == 0 {
        return Ok(None);
    }
    draft.attributes.drawn_by(rule.unit())?;
    Ok(Some(draft::rollout(rule.unit(), draft::always(percent), variation)))
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
            "a variation whose users continue with the next rule is not supported; use a holdout"
                .to_owned(),
        );
    }
    let widths = widths(rule, variations.len());
    let coverage: f64 = widths.iter().sum();
    let covered =
        percent(coverage * 100.0).ok_or_else(|| format!("{coverage} is not a valid share"))?;
    if covered.thousandths() == 0 {
        return Ok(None);
    }
    for unit in [Some(rule.unit()), rule.fallback_attribute.as_deref()].into_iter().flatten() {
        draft.attributes.drawn_by(unit)?;
    }
    if rule.min_bucket_version > rule.bucket_version {
        return Err("the minimum bucket version is greater than the bucket version, so no assignment is new enough".to_owned());
    }
    let keys: Vec<String> = variations.iter().map(|value| values.key(value)).collect();
    let weights: Vec<(String, f64)> = keys.iter().cloned().zip(widths).collect();
    let weights = shares(&weights).ok_or("the weights are not valid")?;
    if weights.len() < keys.len() {
        draft.leave_out(&place.at("variations"), "variations with the same value were merged");
    }
    let original_key = rule.key.clone().unwrap_or_else(|| flag.key.clone());
    let key = own_key(draft, flag, &original_key, place);
    let layer = layer::of(draft, rule, &key)?;
    Ok(Some(Serve::Experiment(Experiment {
        layer,
        fallback_unit: rule.fallback_attribute.clone(),
        seed: rule.seed.clone().unwrap_or(original_key),
        coverage: covered.thousandths(),
        weights,
        sticky: is_sticky(rule),
        bucket_version: rule.bucket_version.unwrap_or_default(),
        min_bucket_version: rule.min_bucket_version.unwrap_or_default(),
        phase: rule.phase.as_ref().and_then(|phase| phase.parse().ok()).unwrap_or_default(),
        ..experiment(&key, rule.unit())
    })))
}

/// Returns whether the experiment is sticky. GrowthBook writes these two members only if sticky
/// bucketing is enabled.
fn is_sticky(rule: &Rule) -> bool {
    let allowed = !rule.disable_sticky_bucketing;
    allowed && (rule.bucket_version.is_some() || rule.fallback_attribute.is_some())
}

/// Returns the share of all users that each variation gets.
fn widths(rule: &Rule, variations: usize) -> Vec<f64> {
    if let Some(ranges) = &rule.ranges {
        return ranges.iter().take(variations).map(|(from, to)| to - from).collect();
    }
    let equal = || vec![1.0 / variations as f64; variations];
    // GrowthBook ignores invalid weights.
    let fits = |weights: &&Vec<f64>| {
        weights.len() == variations && (weights.iter().sum::<f64>() - 1.0).abs() <= 0.01
    };
    let weights = rule.weights.as_ref().filter(fits).cloned().unwrap_or_else(equal);
    let coverage = rule.coverage.unwrap_or(1.0).clamp(0.0, 1.0);
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum * coverage).collect()
}

/// Returns a key for an experiment of this flag only, because experiments belong to one flag. If
/// GrowthBook uses one experiment in several flags, the seed is the same, so that a user gets the
/// same arm everywhere.
fn own_key(draft: &mut Draft, flag: &Flag, original_key: &str, place: &SourcePointer) -> String {
    let is_used = |key: &str| {
        let uses_key = |flag: &Flag| {
            flag.rules.iter().any(|rule| match &rule.serve {
                Serve::Experiment(experiment) => experiment.key == key,
                _ => false,
            })
        };
        uses_key(flag) || draft.flags.iter().any(uses_key)
    };
    if !is_used(original_key) {
        return original_key.to_owned();
    }
    let mut key = format!("{original_key}-{}", flag.key);
    while is_used(&key) {
        key.push('_');
    }
    draft
        .leave_out(&place.at("key"), format!("the experiment {original_key} was renamed to {key}"));
    key
}
