//! A document while it is built, and helper functions for its parts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::attributes::Attributes;
use super::finish::finish;
use super::report::{OmittedItem, SourcePointer};
use super::{HASHING, Imported};
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::{
    Condition, Document, Experiment, ExperimentStatus, Flag, FlagType, Layer, Operator, Percent,
    Rollout, Segment, Serve, Step, Test, Variation,
};
use crate::flags::json::Json;

#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) attributes: Attributes,
    pub(super) segments: Vec<Segment>,
    pub(super) layers: Vec<Layer>,
    pub(super) flags: Vec<Flag>,
    pub(super) left_out: Vec<OmittedItem>,
    /// The environment of the original that is imported, where the original names environments.
    pub(super) environment: String,
    /// Flags of which a rule was left out: they serve fewer people than the original.
    pub(super) incomplete: BTreeSet<String>,
}

impl Draft {
    /// Converts the original twice, because the types of attributes are known only after the first
    /// pass.
    pub(super) fn make(translate: impl Fn(&mut Self)) -> Result<Imported, Vec<Diagnostic>> {
        let mut first = Self::default();
        translate(&mut first);
        first.attributes.settle();
        let mut draft = Self { attributes: first.attributes, ..Self::default() };
        draft.left_out.push(SourcePointer::default().left_out(HASHING));
        translate(&mut draft);
        let mut document = Document::new("production");
        document.attributes = draft.attributes.declared();
        document.segments = draft.segments;
        document.layers = draft.layers;
        document.flags = draft.flags;
        finish(document, draft.left_out)
    }

    pub(super) fn leave_out(&mut self, place: &SourcePointer, reason: impl Into<String>) {
        self.left_out.push(place.left_out(reason));
    }
}

/// Returns a flag that serves `default` to everyone until it gets rules.
pub(super) fn flag(key: &str, r#type: FlagType, variations: Vec<Variation>, default: &str) -> Flag {
    Flag {
        key: key.to_owned(),
        r#type,
        description: None,
        on: true,
        // The salt is not random, so that importing twice gives the same document.
        salt: key.to_owned(),
        tags: Vec::new(),
        owner: None,
        client_visible: true,
        archived: false,
        variations,
        off_variation: Some(default.to_owned()),
        default_variation: default.to_owned(),
        baseline_variation: default.to_owned(),
        prerequisites: Vec::new(),
        requires_notice: None,
        overrides: Vec::new(),
        rules: Vec::new(),
    }
}

pub(super) fn variation(key: impl Into<String>, value: impl Into<Json>) -> Variation {
    Variation { key: key.into(), value: value.into() }
}

pub(super) fn test(attr: &str, op: Operator, value: impl Into<Json>) -> Condition {
    Condition::Test(Test { attr: attr.to_owned(), op, value: Some(value.into()), values: None })
}

pub(super) fn test_list(attr: &str, op: Operator, values: Vec<Json>) -> Condition {
    Condition::Test(Test { attr: attr.to_owned(), op, value: None, values: Some(values) })
}

pub(super) fn exists(attr: &str) -> Condition {
    let op = Operator::Exists;
    Condition::Test(Test { attr: attr.to_owned(), op, value: None, values: None })
}

/// Returns the condition, for users without the attribute as well if it is met for them.
pub(super) fn or_missing(attr: &str, condition: Condition, is_met: bool) -> Condition {
    if is_met { Condition::Any(vec![condition, not(exists(attr))]) } else { condition }
}

pub(super) fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

/// Returns steps that serve this share of users at all times.
pub(super) fn always(percent: Percent) -> Vec<Step> {
    vec![Step { at: None, percent }]
}

pub(super) fn rollout(unit: &str, steps: Vec<Step>, variation: &str) -> Serve {
    Serve::Rollout(Rollout { unit: unit.to_owned(), steps, variation: variation.to_owned() })
}

/// Returns a running experiment with default settings, in its first phase.
pub(super) fn experiment(key: &str, unit: &str) -> Experiment {
    Experiment {
        key: key.to_owned(),
        layer: None,
        unit: unit.to_owned(),
        fallback_unit: None,
        seed: key.to_owned(),
        coverage: 100_000,
        weights: BTreeMap::new(),
        sticky: false,
        bucket_version: 1,
        min_bucket_version: 0,
        phase: 1,
        status: ExperimentStatus::Running,
        winner: None,
        hypothesis: None,
        primary_metric: None,
        minimum_effect: None,
        metrics: Box::default(),
    }
}

/// Returns a number as JSON; whole numbers stay integers.
pub(super) fn number(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return Json::Int(number as i64);
    }
    Json::Float(number)
}

pub(super) fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(value) => value
            .as_i64()
            .map_or_else(|| Json::Float(value.as_f64().unwrap_or_default()), Json::Int),
        Value::String(value) => Json::from(value.as_str()),
        Value::Array(values) => Json::Array(values.iter().map(json).collect()),
        Value::Object(members) => {
            Json::Object(members.iter().map(|(name, value)| (name.clone(), json(value))).collect())
        }
    }
}

/// Returns a regular expression that matches exactly the text.
pub(super) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\.+*?()|[]{}^$#&-~/".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Converts a percentage of any precision; it is rounded to a thousandth.
pub(super) fn percent(percent: f64) -> Option<Percent> {
    if !(0.0..=100.0).contains(&percent) {
        return None;
    }
    Percent::from_thousandths((percent * 1000.0).round() as u32)
}
