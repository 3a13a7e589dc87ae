//! Converts boolean JsonLogic into conditions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::variable::read;
use crate::flags::document::{AttributeType, Condition, Operator};
use crate::flags::import::attributes::Attributes;
use crate::flags::import::draft::{self, exists, not, or_missing, test, test_list};
use crate::flags::import::finish::is_accepted;

/// Maximum depth of evaluators that name each other. flagd defines no limit.
const DEPTH_MAX: usize = 32;

pub(super) struct Logic<'a> {
    pub(super) attributes: &'a mut Attributes,
    pub(super) evaluators: &'a BTreeMap<String, Value>,
}

type Translated = Result<Condition, String>;

impl Logic<'_> {
    pub(super) fn condition(&mut self, logic: &Value, depth: usize) -> Translated {
        if depth > DEPTH_MAX {
            return Err("the rules are nested too deep".to_owned());
        }
        if let Value::Bool(value) = logic {
            return Ok(if *value { Condition::always() } else { Condition::Any(Vec::new()) });
        }
        let Some((operator, operands)) = single(logic) else {
            return Err(format!("{logic} is not a boolean expression"));
        };
        let list = operands.as_array().map_or(std::slice::from_ref(operands), Vec::as_slice);
        match (operator, list) {
            ("$ref", [Value::String(name)]) => {
                let evaluator = self.evaluators.get(name);
                let evaluator = evaluator.ok_or_else(|| format!("there is no evaluator {name}"))?;
                self.condition(evaluator, depth + 1)
            }
            ("and", parts) => Ok(Condition::All(self.each(parts, depth)?)),
            ("or", parts) => Ok(Condition::Any(self.each(parts, depth)?)),
            ("!", [part]) => Ok(not(self.condition(part, depth + 1)?)),
            ("!!", [part]) => self.condition(part, depth + 1),
            ("==" | "===", [a, b]) => self.equal(operator, a, b),
            ("!=" | "!==", [a, b]) => Ok(not(self.equal(operator, a, b)?)),
            ("in", [a, b]) => self.is_in(a, b),
            ("starts_with", [a, b]) => self.text(a, Operator::Starts, b),
            ("ends_with", [a, b]) => self.text(a, Operator::Ends, b),
            ("sem_ver", [a, Value::String(operator), b]) => self.version(a, operator, b),
            ("<" | "<=" | ">" | ">=", [a, b]) => self.ordered(operator, a, b),
            ("<" | "<=", [a, b, c]) => {
                let both = vec![self.ordered(operator, a, b)?, self.ordered(operator, b, c)?];
                Ok(Condition::All(both))
            }
            _ => Err(format!("the operator {operator} has no counterpart for these operands")),
        }
    }

    fn each(&mut self, parts: &[Value], depth: usize) -> Result<Vec<Condition>, String> {
        parts.iter().map(|part| self.condition(part, depth + 1)).collect()
    }

    fn equal(&mut self, operator: &str, a: &Value, b: &Value) -> Translated {
        let (name, value) = variable_and_value(a, b)?.0;
        if value.is_null() {
            self.attributes.mention(name);
            return Ok(not(exists(name)));
        }
        let r#type = scalar(value)?;
        let condition = self.checked(name, r#type, test(name, Operator::Eq, draft::json(value)))?;
        // A missing attribute equals 0 and false, unless the types are compared too.
        let is_loose = matches!(operator, "==" | "!=");
        let is_met = is_loose && (*value == false || value.as_f64() == Some(0.0));
        Ok(or_missing(name, condition, is_met))
    }

    /// Converts membership in a list or in a text.
    fn is_in(&mut self, a: &Value, b: &Value) -> Translated {
        if let (Some(name), Value::Array(values)) = (read(a), b) {
            let name = name?;
            let Some(first) = values.first() else { return Ok(Condition::Any(Vec::new())) };
            let r#type = scalar(first)?;
            let values = values.iter().map(draft::json).collect();
            return self.checked(name, r#type, test_list(name, Operator::In, values));
        }
        match (a, read(b)) {
            (Value::String(part), Some(name)) => {
                let name = name?;
                let condition = test(name, Operator::Contains, part.as_str());
                self.checked(name, AttributeType::String, condition)
            }
            _ => Err("`in` needs an attribute and a list, or a text and an attribute".into()),
        }
    }

    fn text(&mut self, a: &Value, operator: Operator, b: &Value) -> Translated {
        let (Some(name), Value::String(text)) = (read(a), b) else {
            return Err("a text operator needs an attribute and a text".to_owned());
        };
        let name = name?;
        self.checked(name, AttributeType::String, test(name, operator, text.as_str()))
    }

    fn version(&mut self, a: &Value, operator: &str, b: &Value) -> Translated {
        let (Some(name), Value::String(version)) = (read(a), b) else {
            return Err("a version operator needs an attribute and a version".to_owned());
        };
        let name = name?;
        let (converted, inverted) = match operator {
            "=" => (Operator::SemverEq, false),
            "!=" => (Operator::SemverEq, true),
            "<" => (Operator::SemverLt, false),
            "<=" => (Operator::SemverLte, false),
            ">" => (Operator::SemverGt, false),
            ">=" => (Operator::SemverGte, false),
            _ => return Err(format!("the version operator {operator} has no counterpart")),
        };
        let condition = test(name, converted, version.as_str());
        let condition = self.checked(name, AttributeType::Semver, condition)?;
        // flagd's result is null, and so not true, for a text that is not a version.
        Ok(if inverted {
            Condition::All(vec![not(condition), is_version(name)])
        } else {
            condition
        })
    }

    fn ordered(&mut self, operator: &str, a: &Value, b: &Value) -> Translated {
        let ((name, value), swapped) = variable_and_value(a, b)?;
        let converted = match (operator, swapped) {
            ("<", false) | (">", true) => Operator::Lt,
            ("<=", false) | (">=", true) => Operator::Lte,
            (">", false) | ("<", true) => Operator::Gt,
            _ => Operator::Gte,
        };
        let Some(number) = value.as_f64() else {
            return Err("only numbers and versions can be ordered".to_owned());
        };
        // A missing attribute counts as 0.
        let is_met = match converted {
            Operator::Lt => 0.0 < number,
            Operator::Lte => 0.0 <= number,
            Operator::Gt => 0.0 > number,
            _ => 0.0 >= number,
        };
        let condition = test(name, converted, draft::json(value));
        Ok(or_missing(name, self.checked(name, AttributeType::Number, condition)?, is_met))
    }

    fn checked(&mut self, name: &str, r#type: AttributeType, condition: Condition) -> Translated {
        if !is_accepted(name, r#type, &condition) {
            return Err(format!("{name} is not a valid name, or its operand is not valid"));
        }
        self.attributes.need(name, r#type)?;
        Ok(condition)
    }
}

/// Returns a condition that holds for every version: `0.0.0-0` is the lowest.
fn is_version(name: &str) -> Condition {
    test(name, Operator::SemverGte, "0.0.0-0")
}

/// Returns when the result of the logic is neither true nor false, or `None` if that cannot be told. flagd's own
/// operators have no result for attributes of another type.
pub(super) fn without_result(logic: &Value) -> Option<Condition> {
    let (operator, operands) = single(logic)?;
    let name = || read(operands.get(0)?)?.ok();
    match operator {
        "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in" | "!" | "!!" => {
            Some(Condition::Any(Vec::new()))
        }
        "starts_with" | "ends_with" => Some(not(exists(name()?))),
        "sem_ver" => Some(not(is_version(name()?))),
        _ => None,
    }
}

pub(super) fn single(logic: &Value) -> Option<(&str, &Value)> {
    let mut entries = logic.as_object()?.iter();
    let (operator, operands) = entries.next()?;
    entries.next().is_none().then_some((operator.as_str(), operands))
}

type Compared<'a> = ((&'a str, &'a Value), bool);

/// Returns the variable and the value, and whether they were swapped.
fn variable_and_value<'a>(a: &'a Value, b: &'a Value) -> Result<Compared<'a>, String> {
    match (read(a), read(b)) {
        (Some(name), None) => Ok(((name?, b), false)),
        (None, Some(name)) => Ok(((name?, a), true)),
        _ => Err("only comparisons of an attribute with a value are supported".to_owned()),
    }
}

fn scalar(value: &Value) -> Result<AttributeType, String> {
    match value {
        Value::Bool(_) => Ok(AttributeType::Boolean),
        Value::Number(_) => Ok(AttributeType::Number),
        Value::String(_) => Ok(AttributeType::String),
        _ => Err(format!("comparisons with {value} are not supported")),
    }
}
