//! Converts a tree of `if` into rules, of which the first that matches decides.

use std::collections::BTreeMap;

use serde_json::Value;

use super::logic::{Logic, single, without_result};
use super::variable::read;
use crate::flags::document::{Condition, Experiment, Flag, Rule, Serve};
use crate::flags::import::draft::{self, Draft, exists, not};
use crate::flags::import::report::SourcePointer;
use crate::flags::import::weights::shares;
use crate::flags::json::Json;

/// Adds the rules. If a part of the tree cannot be converted, everyone gets the default, because each rule depends
/// on those before it. If that is `true`, the flag is switched off.
pub(super) fn translate(
    draft: &mut Draft,
    evaluators: &BTreeMap<String, Value>,
    flag: &mut Flag,
    targeting: &Value,
    place: &SourcePointer,
) {
    let mut tree = Tree { draft, evaluators, flag, place, rules: Vec::new() };
    match tree.branch(targeting, &[], 0) {
        Ok(()) => flag.rules = tree.rules,
        Err(reason) if serves(flag, &flag.default_variation, true) => {
            draft.leave_out(place, format!("{reason}; the flag is switched off"));
            flag.on = false;
        }
        Err(reason) => {
            draft.leave_out(place, format!("{reason}; everyone gets the default"));
        }
    }
}

struct Tree<'a> {
    draft: &'a mut Draft,
    evaluators: &'a BTreeMap<String, Value>,
    flag: &'a Flag,
    place: &'a SourcePointer,
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
                let with =
                    |condition| when.iter().cloned().chain([condition]).collect::<Vec<Condition>>();
                let when_true = with(self.condition(logic, depth)?);
                self.serve(&when_true, "true")?;
                let without = without_result(logic)
                    .ok_or("the result in place of a variant may be neither true nor false")?;
                if without != Condition::Any(Vec::new()) {
                    self.serve(&with(without), &self.flag.default_variation.clone())?;
                }
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
        let (unit, is_joined, arms) = match parts {
            [first, arms @ ..] if !first.is_array() => (unit(first)?, read(first).is_none(), arms),
            arms => ("key", false, arms),
        };
        let mut weights = Vec::new();
        for arm in arms {
            let (name, weight) = match arm.as_array().map(Vec::as_slice) {
                Some([Value::String(name)]) => (name, 1.0),
                // flagd counts negative weights as 0.
                Some([Value::String(name), Value::Number(weight)]) if weight.is_i64() => {
                    (name, weight.as_f64().unwrap_or_default().max(0.0))
                }
                Some([Value::String(_), Value::Number(_)]) => {
                    return Err("a weight of `fractional` is not a whole number".to_owned());
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
        if is_joined {
            // flagd draws with the flag's key alone, so all of them get one of the variants.
            let off = weights.iter().find(|(name, weight)| *weight > 0.0 && self.is_false(name));
            let variant = off.map_or(&self.flag.default_variation, |(name, _)| name).clone();
            let missing = when.iter().cloned().chain([not(exists(unit))]).collect::<Vec<_>>();
            self.serve(&missing, &variant)?;
            let reason = format!(
                "users without {unit} get {variant}; flagd draws one variant for all of them"
            );
            self.draft.leave_out(self.place, reason);
        }
        let weights = shares(&weights).ok_or("the weights are not valid")?;
        self.draft.attributes.drawn_by(unit)?;
        let key = format!("{}.{}", self.flag.key, self.rules.len() + 1);
        let experiment = Experiment { weights, ..draft::experiment(&key, unit) };
        self.rule(when, Serve::Experiment(experiment));
        // Users without the unit get the default, not the value of a later rule.
        self.serve(when, &self.flag.default_variation.clone())
    }

    fn is_false(&self, variant: &str) -> bool {
        serves(self.flag, variant, false)
    }

    fn has(&self, variant: &str) -> bool {
        self.flag.variations.iter().any(|variation| variation.key == variant)
    }

    fn rule(&mut self, when: &[Condition], serve: Serve) {
        let id = format!("r{}", self.rules.len() + 1);
        self.rules.push(Rule { id, name: None, when: Condition::All(when.to_vec()), serve });
    }
}

fn serves(flag: &Flag, variant: &str, value: bool) -> bool {
    let mut variations = flag.variations.iter();
    variations.any(|variation| variation.key == variant && variation.value == Json::Bool(value))
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
