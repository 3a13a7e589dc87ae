//! Converts a constraint of Unleash into a condition.

use std::net::IpAddr;

use super::input::Constraint;
use super::window::{CURRENT_TIME, Window};
use crate::flags::document::{AttributeType, Condition, Operator};
use crate::flags::import::attributes::Attributes;
use crate::flags::import::draft::{self, Draft, literal, not, test, test_list};
use crate::flags::import::finish::is_accepted;
use crate::flags::import::report::{OmittedItem, SourcePointer};
use crate::flags::json::Json;

/// Converted constraints.
#[derive(Default)]
pub(super) struct Translated {
    pub(super) conditions: Vec<Condition>,
    pub(super) window: Window,
    /// Parts that were converted with a difference.
    pub(super) notes: Vec<OmittedItem>,
}

/// Context fields that Unleash's SDKs fill in by themselves. Clients of ours send only attributes that the application
/// sets, and an absent attribute would fulfil every negated condition.
const SDK_FIELDS: [(&str, &str); 2] = [
    ("appName", "clients send no appName"),
    (CURRENT_TIME, "clients send no currentTime: schedule a change"),
];

/// Translates all constraints.
///
/// # Errors
/// The first constraint that cannot be carried over.
pub(super) fn all(
    draft: &mut Draft,
    constraints: &[Constraint],
    place: &SourcePointer,
) -> Result<Translated, OmittedItem> {
    let mut translated = Translated::default();
    for (i, constraint) in constraints.iter().enumerate() {
        let place = place.at("constraints").at(i);
        if constraint.context_name == CURRENT_TIME {
            let window = Window::of(constraint).map_err(|reason| place.left_out(reason))?;
            translated.window = translated.window.and(window);
            continue;
        }
        let notes = &mut translated.notes;
        let condition = if constraint.context_name == "environment" {
            let environment = &draft.environment;
            notes.push(place.left_out(format!("the environment is taken to be {environment:?}")));
            in_environment(constraint, environment)
        } else {
            condition(&mut draft.attributes, constraint, &place, notes)
        };
        let condition = condition.map_err(|reason| place.left_out(reason))?;
        translated.conditions.push(if constraint.inverted { not(condition) } else { condition });
    }
    Ok(translated)
}

pub(super) fn depends_on_time(constraints: &[Constraint]) -> bool {
    constraints.iter().any(|constraint| constraint.context_name == CURRENT_TIME)
}

/// Why nothing may depend on this context field, if nothing may.
pub(super) fn only_in_sdks(name: &str) -> Option<&'static str> {
    SDK_FIELDS.iter().find(|(field, _)| *field == name).map(|(_, reason)| *reason)
}

/// A constraint on the environment, which is known: always or never.
pub(super) fn in_environment(
    constraint: &Constraint,
    environment: &str,
) -> Result<Condition, String> {
    let fold = |text: &str| {
        if constraint.case_insensitive { text.to_lowercase() } else { text.to_owned() }
    };
    let folded = fold(environment);
    let mut values = constraint.values.iter().map(|value| fold(value));
    // IN and NOT_IN always regard case.
    let is_listed = constraint.values.iter().any(|value| value == environment);
    let holds = match constraint.operator.as_str() {
        "IN" => is_listed,
        "NOT_IN" => !is_listed,
        "STR_CONTAINS" => values.any(|value| folded.contains(&value)),
        "STR_STARTS_WITH" => values.any(|value| folded.starts_with(&value)),
        "STR_ENDS_WITH" => values.any(|value| folded.ends_with(&value)),
        operator => return Err(format!("the environment is not compared by {operator}")),
    };
    Ok(if holds { Condition::All(Vec::new()) } else { Condition::Any(Vec::new()) })
}

fn condition(
    attributes: &mut Attributes,
    constraint: &Constraint,
    place: &SourcePointer,
    notes: &mut Vec<OmittedItem>,
) -> Result<Condition, String> {
    let name = constraint.context_name.as_str();
    let operator = constraint.operator.as_str();
    if let Some(reason) = only_in_sdks(name) {
        return Err(reason.to_owned());
    }
    if operator.starts_with("DATE_") {
        return Err(format!(
            "some of Unleash's SDKs compare {name} here and others the current time"
        ));
    }
    let expected_type =
        attribute_type(operator).ok_or_else(|| format!("{operator} has no counterpart"))?;
    attributes.need(name, expected_type)?;
    let condition =
        match operator {
            "IN" => Ok(is_in(name, &constraint.values)),
            "NOT_IN" => Ok(not(is_in(name, &constraint.values))),
            "STR_CONTAINS" | "STR_STARTS_WITH" | "STR_ENDS_WITH" => Ok(any_text(constraint)),
            "REGEX" => Ok(regular_expression(constraint)),
            "IN_CIDR" => {
                let (good, bad): (Vec<_>, Vec<_>) =
                    constraint.values.iter().map(|value| value.trim()).partition(|v| is_network(v));
                notes.extend(bad.iter().map(|value| {
                    place.left_out(format!("{value:?} is not an IP address or network"))
                }));
                Ok(networks(name, &good))
            }
            _ => comparison(name, operator, constraint.value.as_deref().unwrap_or_default().trim()),
        }?;
    if !is_accepted(name, expected_type, &condition) {
        let operand = constraint.value.as_deref().unwrap_or_default();
        return Err(format!("{operand:?} is not a valid operand of {operator}"));
    }
    Ok(condition)
}

fn attribute_type(operator: &str) -> Option<AttributeType> {
    match operator {
        "IN" | "NOT_IN" | "STR_CONTAINS" | "STR_STARTS_WITH" | "STR_ENDS_WITH" | "REGEX" => {
            Some(AttributeType::String)
        }
        "IN_CIDR" => Some(AttributeType::Ip),
        _ if operator.starts_with("NUM_") => Some(AttributeType::Number),
        _ if operator.starts_with("SEMVER_") => Some(AttributeType::Semver),
        _ => None,
    }
}

/// Returns a condition for one of the values. For an empty list it is never true, because operators
/// need at least one value.
pub(super) fn is_in(name: &str, values: &[String]) -> Condition {
    if values.is_empty() {
        return Condition::Any(Vec::new());
    }
    test_list(name, Operator::In, values.iter().map(|value| Json::from(value.as_str())).collect())
}

pub(super) fn networks(name: &str, values: &[&str]) -> Condition {
    if values.is_empty() {
        return Condition::Any(Vec::new());
    }
    test_list(name, Operator::Cidr, values.iter().map(|value| Json::from(*value)).collect())
}

/// Returns whether the text is an address or a network in CIDR notation.
pub(super) fn is_network(text: &str) -> bool {
    let (address, length) = text.split_once('/').map_or((text, None), |(a, l)| (a, Some(l)));
    let Ok(address) = address.parse::<IpAddr>() else { return false };
    let longest = if address.is_ipv4() { 32 } else { 128 };
    length.is_none_or(|length| length.parse::<u8>().is_ok_and(|length| length <= longest))
}

/// Returns a condition for any of the texts. Without regard to case, it uses a regular expression.
fn any_text(constraint: &Constraint) -> Condition {
    let name = constraint.context_name.as_str();
    let one = |value: &String| {
        if constraint.case_insensitive {
            let value = literal(value);
            let expression = match constraint.operator.as_str() {
                "STR_STARTS_WITH" => format!("(?is)^{value}"),
                "STR_ENDS_WITH" => format!("(?is){value}$"),
                _ => format!("(?is){value}"),
            };
            return test(name, Operator::Matches, expression);
        }
        let operator = match constraint.operator.as_str() {
            "STR_STARTS_WITH" => Operator::Starts,
            "STR_ENDS_WITH" => Operator::Ends,
            _ => Operator::Contains,
        };
        test(name, operator, value.as_str())
    };
    Condition::Any(constraint.values.iter().map(one).collect())
}

fn regular_expression(constraint: &Constraint) -> Condition {
    let expression = constraint.value.as_deref().unwrap_or_default();
    let flags = if constraint.case_insensitive { "(?i)" } else { "" };
    test(&constraint.context_name, Operator::Matches, format!("{flags}{expression}"))
}

fn comparison(name: &str, operator: &str, value: &str) -> Result<Condition, String> {
    let numeric = match operator {
        "NUM_EQ" => Some(Operator::Eq),
        "NUM_GT" => Some(Operator::Gt),
        "NUM_GTE" => Some(Operator::Gte),
        "NUM_LT" => Some(Operator::Lt),
        "NUM_LTE" => Some(Operator::Lte),
        _ => None,
    };
    if let Some(operator) = numeric {
        let number = value.parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| format!("{value:?} is not a number"))?;
        return Ok(test(name, operator, draft::number(number)));
    }
    let operator = match operator {
        "SEMVER_EQ" => Operator::SemverEq,
        "SEMVER_GT" => Operator::SemverGt,
        "SEMVER_GTE" => Operator::SemverGte,
        "SEMVER_LT" => Operator::SemverLt,
        "SEMVER_LTE" => Operator::SemverLte,
        _ => return Err(format!("{operator} has no counterpart")),
    };
    Ok(test(name, operator, value))
}
