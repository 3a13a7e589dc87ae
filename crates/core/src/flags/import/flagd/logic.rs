//! JsonLogic that is true or false, as a condition.

use std::collections::BTreeMap;

use serde_json::Value;

use super::variable::read;
use crate::flags::document::{AttributeType, Condition, Operator};
use crate::flags::import::attributes::Attributes;
use crate::flags::import::draft::{self, exists, not, test, test_list};
use crate::flags::import::finish::accepted;

/// Evaluators may name each other; flagd does not say how deep.
const DEPTH_MAX: usize = 32;

pub(super) struct Logic<'a> {
    pub(super) attributes: &'a mut Attributes,
    pub(super) evaluators: &'a BTreeMap<String, Value>,
}

type Translated = Result<Condition, String>;

impl Logic<'_> {
    pub(super) fn condition(&mut self, logic: &Value, depth: usize) -> Translated {
        if depth > DEPTH_MAX {
            return Err("too deep".to_owned());
        }
        if let Value::Bool(value) = logic {
            return Ok(if *value { Condition::always() } else { Condition::Any(Vec::new()) });
        }
        let Some((operator, operands)) = single(logic) else {
            return Err(format!("{logic} is not true or false"));
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
            ("==" | "===", [a, b]) => self.equal(a, b),
            ("!=" | "!==", [a, b]) => Ok(not(self.equal(a, b)?)),
            ("in", [a, b]) => self.is_in(a, b),
            ("starts_with", [a, b]) => self.text(a, Operator::Starts, b),
            ("ends_with", [a, b]) => self.text(a, Operator::Ends, b),
            ("sem_ver", [a, Value::String(operator), b]) => self.version(a, operator, b),
            ("<" | "<=" | ">" | ">=", [a, b]) => self.ordered(operator, a, b),
            ("<" | "<=", [a, b, c]) => {
                let both = vec![self.ordered(operator, a, b)?, self.ordered(operator, b, c)?];
                Ok(Condition::All(both))
            }
            _ => Err(format!("no counterpart of {operator} as it is used")),
        }
    }

    fn each(&mut self, parts: &[Value], depth: usize) -> Result<Vec<Condition>, String> {
        parts.iter().map(|part| self.condition(part, depth + 1)).collect()
    }

    fn equal(&mut self, a: &Value, b: &Value) -> Translated {
        let (name, value) = variable_and_value(a, b)?.0;
        if value.is_null() {
            self.attributes.mention(name);
            return Ok(not(exists(name)));
        }
        let r#type = scalar(value)?;
        self.taken(name, r#type, test(name, Operator::Eq, draft::json(value)))
    }

    /// Membership in a list, or in a text.
    fn is_in(&mut self, a: &Value, b: &Value) -> Translated {
        if let (Some(name), Value::Array(values)) = (read(a), b) {
            let name = name?;
            let Some(first) = values.first() else { return Ok(Condition::Any(Vec::new())) };
            let r#type = scalar(first)?;
            let values = values.iter().map(draft::json).collect();
            return self.taken(name, r#type, test_list(name, Operator::In, values));
        }
        match (a, read(b)) {
            (Value::String(part), Some(name)) => {
                let name = name?;
                let condition = test(name, Operator::Contains, part.as_str());
                self.taken(name, AttributeType::String, condition)
            }
            _ => Err("`in` looks for an attribute in a list, or for a text in an attribute".into()),
        }
    }

    fn text(&mut self, a: &Value, operator: Operator, b: &Value) -> Translated {
        let (Some(name), Value::String(text)) = (read(a), b) else {
            return Err("an attribute is compared with a text".to_owned());
        };
        let name = name?;
        self.taken(name, AttributeType::String, test(name, operator, text.as_str()))
    }

    fn version(&mut self, a: &Value, operator: &str, b: &Value) -> Translated {
        let (Some(name), Value::String(version)) = (read(a), b) else {
            return Err("an attribute is compared with a version".to_owned());
        };
        let name = name?;
        let (ours, inverted) = match operator {
            "=" => (Operator::SemverEq, false),
            "!=" => (Operator::SemverEq, true),
            "<" => (Operator::SemverLt, false),
            "<=" => (Operator::SemverLte, false),
            ">" => (Operator::SemverGt, false),
            ">=" => (Operator::SemverGte, false),
            _ => return Err(format!("no counterpart of {operator} between versions")),
        };
        let condition = test(name, ours, version.as_str());
        let condition = self.taken(name, AttributeType::Semver, condition)?;
        Ok(if inverted { not(condition) } else { condition })
    }

    fn ordered(&mut self, operator: &str, a: &Value, b: &Value) -> Translated {
        let ((name, value), swapped) = variable_and_value(a, b)?;
        let ours = match (operator, swapped) {
            ("<", false) | (">", true) => Operator::Lt,
            ("<=", false) | (">=", true) => Operator::Lte,
            (">", false) | ("<", true) => Operator::Gt,
            _ => Operator::Gte,
        };
        if !value.is_number() {
            return Err("only numbers and versions have an order here".to_owned());
        }
        self.taken(name, AttributeType::Number, test(name, ours, draft::json(value)))
    }

    fn taken(&mut self, name: &str, r#type: AttributeType, condition: Condition) -> Translated {
        if !accepted(name, r#type, &condition) {
            return Err(format!("{name} is no name here, or its operand nothing to compare with"));
        }
        self.attributes.need(name, r#type)?;
        Ok(condition)
    }
}

pub(super) fn single(logic: &Value) -> Option<(&str, &Value)> {
    let mut entries = logic.as_object()?.iter();
    let (operator, operands) = entries.next()?;
    entries.next().is_none().then_some((operator.as_str(), operands))
}

type Compared<'a> = ((&'a str, &'a Value), bool);

/// The one and the other, and whether they stood the other way round.
fn variable_and_value<'a>(a: &'a Value, b: &'a Value) -> Result<Compared<'a>, String> {
    match (read(a), read(b)) {
        (Some(name), None) => Ok(((name?, b), false)),
        (None, Some(name)) => Ok(((name?, a), true)),
        _ => Err("an attribute is compared with a value here, and with nothing else".to_owned()),
    }
}

fn scalar(value: &Value) -> Result<AttributeType, String> {
    match value {
        Value::Bool(_) => Ok(AttributeType::Boolean),
        Value::Number(_) => Ok(AttributeType::Number),
        Value::String(_) => Ok(AttributeType::String),
        _ => Err(format!("nothing is compared with {value}")),
    }
}
