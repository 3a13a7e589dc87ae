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
            Ok(prerequisite) => flag.prerequisites.push(prerequisite),
            Err(reason) => {
                let place = place.at("parentConditions").at(i);
                draft.leave_out(&place, format!("{reason}; the flag is switched off"));
                flag.on = false;
            }
        }
    }
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

/// Returns whether the value matches, or `None` for an unsupported operator.
fn holds(expected: &Value, value: &Value) -> Option<bool> {
    let Value::Object(operators) = expected else { return Some(expected == value) };
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
