//! Converts GrowthBook's test of one attribute.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use crate::flags::document::{AttributeType, Condition, Operator};
use crate::flags::import::attributes::Attributes;
use crate::flags::import::draft::{self, exists, literal, not, or_missing, test_list};
use crate::flags::import::finish::is_accepted;

pub(super) struct Reading<'a> {
    pub(super) attributes: &'a mut Attributes,
    pub(super) groups: &'a BTreeMap<String, Value>,
}

type Translated = Result<Condition, String>;

/// Converts a test such as `{"country": "UY"}` or `{"age": {"$gt": 17, "$lt": 68}}`.
pub(super) fn tests(reading: &mut Reading<'_>, name: &str, value: &Value) -> Translated {
    if name.contains('.') {
        return Err(format!("{name} is nested in another attribute, but attributes must be flat"));
    }
    match value {
        Value::Object(operators) if operators.keys().any(|key| key.starts_with('$')) => {
            let mut all = Vec::new();
            for (operator, operand) in operators {
                all.push(one(reading, name, operator, operand)?);
            }
            Ok(Condition::All(all))
        }
        Value::Object(operators) if operators.is_empty() => Ok(Condition::always()),
        _ => {
            // GrowthBook converts the attribute to the type of this value, and a missing one to 0 or "null".
            let is_met = value.as_f64() == Some(0.0) || value == "null";
            Ok(or_missing(name, equals(reading, name, value)?, is_met))
        }
    }
}

fn one(reading: &mut Reading<'_>, name: &str, operator: &str, operand: &Value) -> Translated {
    match (operator, operand) {
        ("$eq", _) => equals(reading, name, operand),
        ("$ne", _) => Ok(not(equals(reading, name, operand)?)),
        ("$in", Value::Array(values)) => is_in(reading, name, values),
        ("$nin", Value::Array(values)) => Ok(not(is_in(reading, name, values)?)),
        ("$ini", Value::Array(values)) => is_in_any_case(reading, name, values),
        ("$nini", Value::Array(values)) => Ok(not(is_in_any_case(reading, name, values)?)),
        ("$inGroup", Value::String(group)) => in_group(reading, name, group),
        ("$notInGroup", Value::String(group)) => Ok(not(in_group(reading, name, group)?)),
        ("$all", Value::Array(values)) => listed(reading, name, Operator::HasAll, values),
        ("$elemMatch", Value::Object(conditions)) => element(reading, name, conditions),
        ("$exists", Value::Bool(is_expected)) => {
            reading.attributes.mention(name);
            Ok(if *is_expected { exists(name) } else { not(exists(name)) })
        }
        ("$not", _) => Ok(not(tests(reading, name, operand)?)),
        ("$regex", Value::String(expression)) => matches(reading, name, expression),
        ("$regexi", Value::String(expression)) => {
            matches(reading, name, &format!("(?i){expression}"))
        }
        ("$vne", Value::String(version)) => {
            let is_equal = compare_version(reading, name, Operator::SemverEq, version)?;
            Ok(not(is_equal))
        }
        _ => ordered(reading, name, operator, operand),
    }
}

fn ordered(reading: &mut Reading<'_>, name: &str, operator: &str, operand: &Value) -> Translated {
    let (by_number, by_version) = match operator {
        "$gt" => (Some(Operator::Gt), None),
        "$gte" => (Some(Operator::Gte), None),
        "$lt" => (Some(Operator::Lt), None),
        "$lte" => (Some(Operator::Lte), None),
        "$veq" => (None, Some(Operator::SemverEq)),
        "$vgt" => (None, Some(Operator::SemverGt)),
        "$vgte" => (None, Some(Operator::SemverGte)),
        "$vlt" => (None, Some(Operator::SemverLt)),
        "$vlte" => (None, Some(Operator::SemverLte)),
        _ => return Err(format!("{operator} has no counterpart")),
    };
    match (by_number, by_version, operand) {
        (Some(operator), _, Value::Number(_)) => {
            let condition = draft::test(name, operator, draft::json(operand));
            // A missing attribute counts as 0.
            let operand = operand.as_f64().unwrap_or_default();
            let is_met = match operator {
                Operator::Gt => 0.0 > operand,
                Operator::Gte => 0.0 >= operand,
                Operator::Lt => 0.0 < operand,
                _ => 0.0 <= operand,
            };
            let condition = checked(reading, name, AttributeType::Number, condition)?;
            Ok(or_missing(name, condition, is_met))
        }
        (_, Some(operator), Value::String(version)) => {
            compare_version(reading, name, operator, version)
        }
        (Some(_), _, Value::String(_)) => {
            Err(format!("{operator} is not supported for texts, only for numbers and versions"))
        }
        _ => Err(format!("{operator} is not supported with {operand}")),
    }
}

/// Converts a comparison of versions. GrowthBook accepts `v2.1` as a version that is lower than
/// every 2.1.0 and equal to no version with three parts. Musette's versions have three parts.
fn compare_version(
    reading: &mut Reading<'_>,
    name: &str,
    operator: Operator,
    version: &str,
) -> Translated {
    let version = version.strip_prefix('v').unwrap_or(version);
    // A missing attribute counts as the version `0`, which is lower than all that have more parts.
    let is_met = match operator {
        Operator::SemverLt => version != "0",
        Operator::SemverLte => true,
        Operator::SemverEq | Operator::SemverGte => version == "0",
        _ => false,
    };
    let plain = version.split('.').all(|part| !part.is_empty() && part.parse::<u64>().is_ok());
    let (operator, version) = match (plain, version.split('.').count()) {
        (true, parts @ 1..=2) => {
            let least = format!("{version}{}-0", ".0".repeat(3 - parts));
            match operator {
                Operator::SemverEq => {
                    let never = Condition::Any(Vec::new());
                    let never = checked(reading, name, AttributeType::Semver, never)?;
                    return Ok(or_missing(name, never, is_met));
                }
                Operator::SemverGt | Operator::SemverGte => (Operator::SemverGte, least),
                _ => (Operator::SemverLt, least),
            }
        }
        _ => (operator, version.to_owned()),
    };
    let condition = draft::test(name, operator, version);
    Ok(or_missing(name, checked(reading, name, AttributeType::Semver, condition)?, is_met))
}

fn matches(reading: &mut Reading<'_>, name: &str, expression: &str) -> Translated {
    let condition = draft::test(name, Operator::Matches, expression);
    let condition = checked(reading, name, AttributeType::String, condition)?;
    // JavaScript reads a missing attribute as the text `null`.
    let is_met = Regex::new(expression).is_ok_and(|expression| expression.is_match("null"));
    Ok(or_missing(name, condition, is_met))
}

fn equals(reading: &mut Reading<'_>, name: &str, value: &Value) -> Translated {
    let Some(r#type) = scalar(value) else {
        if value.is_null() {
            reading.attributes.mention(name);
            return Ok(not(exists(name)));
        }
        return Err("lists and objects cannot be compared as a whole".to_owned());
    };
    checked(reading, name, r#type, draft::test(name, Operator::Eq, draft::json(value)))
}

fn is_in(reading: &mut Reading<'_>, name: &str, values: &[Value]) -> Translated {
    let Some(r#type) = common_type(values)? else { return Ok(Condition::Any(Vec::new())) };
    let condition = test_list(name, Operator::In, values.iter().map(draft::json).collect());
    checked(reading, name, r#type, condition)
}

fn is_in_any_case(reading: &mut Reading<'_>, name: &str, values: &[Value]) -> Translated {
    let texts: Option<Vec<String>> =
        values.iter().map(|value| value.as_str().map(literal)).collect();
    let texts = texts.ok_or("only texts can be compared without regard to case")?;
    if texts.is_empty() {
        return Ok(Condition::Any(Vec::new()));
    }
    let expression = format!("(?is)^(?:{})$", texts.join("|"));
    let condition = draft::test(name, Operator::Matches, expression);
    checked(reading, name, AttributeType::String, condition)
}

fn in_group(reading: &mut Reading<'_>, name: &str, group: &str) -> Translated {
    let Some(Value::Array(values)) = reading.groups.get(group) else {
        return Err(format!("the payload does not list the group {group}"));
    };
    is_in(reading, name, values)
}

fn element(reading: &mut Reading<'_>, name: &str, conditions: &Map<String, Value>) -> Translated {
    let mut operators = conditions.iter();
    match (operators.next(), operators.next()) {
        (Some((operator, value)), None) if operator == "$eq" => {
            listed(reading, name, Operator::HasAny, std::slice::from_ref(value))
        }
        (Some((operator, Value::Array(values))), None) if operator == "$in" => {
            listed(reading, name, Operator::HasAny, values)
        }
        _ => Err("only `$eq` and `$in` are supported for elements of a list".to_owned()),
    }
}

fn listed(
    reading: &mut Reading<'_>,
    name: &str,
    operator: Operator,
    values: &[Value],
) -> Translated {
    let r#type = match common_type(values)? {
        Some(AttributeType::String) => AttributeType::Strings,
        Some(AttributeType::Number) => AttributeType::Numbers,
        _ => return Err("lists must contain only texts or only numbers".to_owned()),
    };
    let condition = test_list(name, operator, values.iter().map(draft::json).collect());
    checked(reading, name, r#type, condition)
}

/// Returns the common type of all values, or `None` for an empty list.
fn common_type(values: &[Value]) -> Result<Option<AttributeType>, String> {
    let Some(first) = values.first() else { return Ok(None) };
    let r#type = scalar(first);
    if r#type.is_none() || values.iter().any(|value| scalar(value) != r#type) {
        return Err("the values of a list must have one type".to_owned());
    }
    Ok(r#type)
}

fn scalar(value: &Value) -> Option<AttributeType> {
    match value {
        Value::Bool(_) => Some(AttributeType::Boolean),
        Value::Number(_) => Some(AttributeType::Number),
        Value::String(_) => Some(AttributeType::String),
        _ => None,
    }
}

fn checked(
    reading: &mut Reading<'_>,
    name: &str,
    r#type: AttributeType,
    condition: Condition,
) -> Translated {
    if !is_accepted(name, r#type, &condition) {
        return Err(format!("{name} is not a valid name, or its operand is not valid"));
    }
    reading.attributes.need(name, r#type)?;
    Ok(condition)
}
