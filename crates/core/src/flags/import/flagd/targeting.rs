//! Converts a tree of `if` into rules, of which the first that matches decides.

use std::collections::BTreeMap;

use serde_json::Value;

use super::logic::{Logic, single};
use super::variable::read;
use crate::flags::document::{Condition, Experiment, Flag, Rule, Serve};
use crate::flags::import::draft::{self, Draft, not};
use crate::flags::import::report::SourcePointer;
use crate::flags::import::weights::shares;

/// Returns the rules. If a part of the tree cannot be converted, it returns none and everyone gets
/// the default, because each rule depends on those before it.
pub(super) fn rules(
    draft: &mut Draft,
    evaluators: &BTreeMap<String, Value>,
    flag: &Flag,
    targeting: &Value,
    place: &SourcePointer,
) -> Vec<Rule> {
    let mut tree = Tree { draft, evaluators, flag, rules: Vec::new() };
    match tree.branch(targeting, &[], 0) {
        Ok(()) => tree.rules,
        Err(reason) => {
            draft.leave_out(place, format!("{reason}; everyone gets the default"));
            Vec::new()
        }
    }
}

struct Tree<'a> {
    draft: &'a mut Draft,
    evaluators: &'a BTreeMap<String, Value>,
    flag: &'a Flag,
    rules: Vec<Rule>,
}

impl Tree<'_> {
    fn branch(&mut self, logic: &Value, when: &[Condition], depth: usize) -> Result<(), String> {
        match (logic, single(logic)) {
            (Value::Null, _) => self.serve(when, &self.flag.default_variation.clone()),
            (Value::String(name), _) => self.serve(when, name),
            (Value::Bool(value), _) => self.serve(when, if *value { "true" } else { "false" }),
            (_, Some(("if", Value::Array(parts)))) => self.choice(parts, when, depth),
            (_, Some(("fractional", Value::Array(parts)))) => self.split(parts, when),
            (_, Some(("$ref", Value::String(name)))) if depth < 32 => {
                let evaluators = self.evaluators;
                let evaluator = evaluators.get(name);
                let evaluator = evaluator.ok_or_else(|| format!("there is no evaluator {name}"))?;
                self.branch(evaluator, when, depth + 1)
            }
            (_, Some(_)) => {
                // A condition in place of a variant picks the variant named after its truth.
                let mut when_true = when.to_vec();
                when_true.push(self.condition(logic, depth)?);
                self.serve(&when_true, "true")?;
                self.serve(when, "false")
            }
            _ => Err(format!("{logic} is not a targeting rule")),
        }
    }

    fn choice(&mut self, parts: &[Value], when: &[Condition], depth: usize) -> Result<(), String> {
        if depth > 32 {
            return Err("the rules are nested too deep".to_owned());
        }
        let mut when = when.to_vec();
        let mut rest = parts;
        while let [condition_logic, served, following @ ..] = rest {
            let condition = self.condition(condition_logic, depth)?;
            let inner: Vec<Condition> = when.iter().cloned().chain([condition.clone()]).collect();
            self.branch(served, &inner, depth + 1)?;
            // A plain variant ends the evaluation, so these users do not reach the next rule.
            if !served.is_string() && !served.is_null() {
                when.push(not(condition));
            }
            rest = following;
        }
        self.branch(rest.first().unwrap_or(&Value::Null), &when, depth + 1)
    }

    fn condition(&mut self, logic: &Value, depth: usize) -> Result<Condition, String> {
        let attributes = &mut self.draft.attributes;
        Logic { attributes, evaluators: self.evaluators }.condition(logic, depth)
    }

    fn serve(&mut self, when: &[Condition], variant: &str) -> Result<(), String> {
        if !self.has(variant) {
            return Err(format!("there is no variant {variant}"));
        }
        self.rule(when, Serve::Variation(variant.to_owned()));
        Ok(())
    }

    fn split(&mut self, parts: &[Value], when: &[Condition]) -> Result<(), String> {
        let (unit, arms) = match parts {
            [first, arms @ ..] if !first.is_array() => (unit(first)?, arms),
            arms => ("key", arms),
        };
        let mut weights = Vec::new();
        for arm in arms {
            let (name, weight) = match arm.as_array().map(Vec::as_slice) {
                Some([Value::String(name)]) => (name, 1.0),
                Some([Value::String(name), Value::Number(weight)]) => {
                    (name, weight.as_f64().unwrap_or_default())
                }
                _ => {
                    return Err("each part of `fractional` needs a variant and a weight".to_owned());
                }
            };
            if !self.has(name) {
                return Err(format!("there is no variant {name}"));
            }
            weights.push((name.clone(), weight));
        }
        let weights = shares(&weights).ok_or("the weights are not valid")?;
        self.draft.attributes.drawn_by(unit)?;
        let key = format!("{}.{}", self.flag.key, self.rules.len() + 1);
        let experiment = Experiment { weights, ..draft::experiment(&key, unit) };
        self.rule(when, Serve::Experiment(experiment));
        // Users without the unit get the default, not the value of a later rule.
        self.serve(when, &self.flag.default_variation.clone())
    }

    fn has(&self, variant: &str) -> bool {
        self.flag.variations.iter().any(|variation| variation.key == variant)
    }

    fn rule(&mut self, when: &[Condition], serve: Serve) {
        let id = format!("r{}", self.rules.len() + 1);
        self.rules.push(Rule { id, name: None, when: Condition::All(when.to_vec()), serve });
    }
}

/// Returns the attribute to select users by: `{"var": "email"}`, or `{"cat": [{"var":
/// "$flagd.flagKey"}, {"var": "email"}]}`. The flag's key is part of the draw anyway.
fn unit(logic: &Value) -> Result<&str, String> {
    if let Some(name) = read(logic) {
        return name;
    }
    let parts = match single(logic) {
        Some(("cat", Value::Array(parts))) => parts.as_slice(),
        _ => return Err("users can be selected by only one attribute".to_owned()),
    };
    let mut names = parts.iter().filter(|part| !part.is_string()).filter(|part| {
        super::variable::operands(part, "var").is_none_or(|name| name != "$flagd.flagKey")
    });
    match (names.next().and_then(read), names.next()) {
        (Some(name), None) => name,
        _ => Err("users can be selected by only one attribute".to_owned()),
    }
}
