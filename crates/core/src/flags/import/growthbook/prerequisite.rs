use serde_json::Value;

use super::input::{Parent, Payload, Rule};
use super::values::Values;
use crate::flags::document::{Flag, Prerequisite};
use crate::flags::import::draft::Draft;
use crate::flags::import::report::SourcePointer;

/// Converts prerequisites of the whole flag, which GrowthBook writes as rules before all others. If
/// one cannot be converted, the flag is switched off.
pub(super) fn gates(
    draft: &mut Draft,
    input: &Payload,
    rule: &Rule,
    flag: &mut Flag,
    place: &SourcePointer,
) {
    for (i, parent) in rule.parent_conditions.iter().enumerate().filter(|(_, parent)| parent.gate) {
        match prerequisite(input, parent) {
            Ok(prerequisite) => {
                if accepts_none(input, parent) {
                    let reason = "GrowthBook accepts that the other flag is not served for a prerequisite of its own";
                    draft.leave_out(&place.at("parentConditions").at(i), reason);
                }
                flag.prerequisites.push(prerequisite);
            }
            Err(reason) => {
                let place = place.at("parentConditions").at(i);
                draft.leave_out(&place, format!("{reason}; the flag is switched off"));
                flag.on = false;
            }
        }
    }
}

/// Switches off the flags that depend on one of which a rule was left out: more users may have its other values now.
pub(super) fn switch_off_dependents(draft: &mut Draft) {
    let mut notes = Vec::new();
    for flag in &mut draft.flags {
        let depends = |prerequisite: &&Prerequisite| draft.incomplete.contains(&prerequisite.flag);
        let Some(prerequisite) = flag.prerequisites.iter().find(depends) else { continue };
        let parent = &prerequisite.flag;
        let place = SourcePointer::default().at("features").at(&flag.key);
        notes.push(
            place.left_out(format!("a part of {parent} was left out; the flag is switched off")),
        );
        flag.on = false;
    }
    draft.left_out.extend(notes);
}

fn prerequisite(input: &Payload, parent: &Parent) -> Result<Prerequisite, String> {
    let id = &parent.id;
    let feature = input.features.get(id).ok_or_else(|| format!("there is no feature {id}"))?;
    let mut conditions = parent.condition.iter();
    let (Some((name, expected)), None) = (conditions.next(), conditions.next()) else {
        return Err("a prerequisite can only have one condition on the value".to_owned());
    };
    if name != "value" {
        return Err(format!(
            "a prerequisite can only have a condition on the value, not on {name}"
        ));
    }
    let values = Values::of(feature);
    let mut accepted = Vec::new();
    for (key, value) in values.iter() {
        if holds(expected, value).ok_or_else(|| format!("{expected} has no counterpart"))? {
            accepted.push(key.to_owned());
        }
    }
    if accepted.is_empty() {
        return Err(format!("{id} never has a matching value"));
    }
    Ok(Prerequisite { flag: id.clone(), r#in: accepted })
}

/// Returns whether the prerequisite is met if the other flag is not served, which is possible for this one.
fn accepts_none(input: &Payload, parent: &Parent) -> bool {
    let gated = |rule: &Rule| rule.parent_conditions.iter().any(|parent| parent.gate);
    let is_possible =
        input.features.get(&parent.id).is_some_and(|feature| feature.rules.iter().any(gated));
    let accepts = |expected| holds(expected, &Value::Null).unwrap_or(true);
    is_possible && parent.condition.values().all(accepts)
}

/// Compares like GrowthBook, which converts the value to the type of the expected one.
fn equals(expected: &Value, value: &Value) -> bool {
    match (expected, value) {
        (Value::Bool(_), Value::Null) => false,
        (Value::Bool(expected), Value::String(text)) => *expected != text.is_empty(),
        (Value::Bool(expected), Value::Number(number)) => {
            *expected != (number.as_f64() == Some(0.0))
        }
        (Value::Bool(expected), Value::Array(_) | Value::Object(_)) => *expected,
        (Value::String(expected), Value::Number(_) | Value::Bool(_)) => {
            let text = value.to_string();
            text == *expected
        }
        _ => expected == value,
    }
}

/// Returns whether the value matches, or `None` for an unsupported operator.
fn holds(expected: &Value, value: &Value) -> Option<bool> {
    let Value::Object(operators) = expected else { return Some(equals(expected, value)) };
    let mut all = true;
    for (operator, operand) in operators {
        let numbers = || Some((value.as_f64()?, operand.as_f64()?));
        all &= match operator.as_str() {
            "$eq" => value == operand,
            "$ne" => value != operand,
            "$in" => operand.as_array()?.contains(value),
            "$nin" => !operand.as_array()?.contains(value),
            "$exists" => operand.as_bool()? != value.is_null(),
            "$gt" => numbers().is_some_and(|(value, than)| value > than),
            "$gte" => numbers().is_some_and(|(value, than)| value >= than),
            "$lt" => numbers().is_some_and(|(value, than)| value < than),
            "$lte" => numbers().is_some_and(|(value, than)| value <= than),
            _ => return None,
        };
    }
    Some(all)
}
