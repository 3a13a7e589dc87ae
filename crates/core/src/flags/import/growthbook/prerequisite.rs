use serde_json::Value;

use super::input::{Parent, Payload, Rule};
use super::values::Values;
use crate::flags::document::{Flag, Prerequisite};
use crate::flags::import::draft::Draft;
use crate::flags::import::report::SourcePointer;

/// Prerequisites of the whole flag: GrowthBook writes them as rules before all others. Where one
/// cannot be carried over, the flag is switched off.
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
    let mut of_value = parent.condition.iter();
    let (Some((name, asked)), None) = (of_value.next(), of_value.next()) else {
        return Err("a prerequisite asks for a value here, and for nothing else".to_owned());
    };
    if name != "value" {
        return Err(format!("a prerequisite asks for a value here, not for {name}"));
    }
    let values = Values::of(feature);
    let mut fulfilled = Vec::new();
    for (key, value) in values.iter() {
        if holds(asked, value).ok_or_else(|| format!("no counterpart of {asked}"))? {
            fulfilled.push(key.to_owned());
        }
    }
    if fulfilled.is_empty() {
        return Err(format!("{id} never has such a value"));
    }
    Ok(Prerequisite { flag: id.clone(), r#in: fulfilled })
}

/// None where we cannot tell.
fn holds(asked: &Value, value: &Value) -> Option<bool> {
    let Value::Object(operators) = asked else { return Some(asked == value) };
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
