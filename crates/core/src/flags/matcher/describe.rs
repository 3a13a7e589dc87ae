//! Describes a test as text, for a trace.

use super::{Matcher, Matching, Order, TextSet};
use crate::flags::json::json_text;
use crate::instant::Instant;

/// Maximum number of operands that a description lists.
const LISTED_MAX: usize = 8;

impl Matcher {
    /// Returns a description such as `country in ["UY"]`.
    pub fn describe(&self, attribute: &str) -> String {
        let (word, operand) = self.matching.describe();
        let word = match (word, self.negated) {
            ("eq", true) => "ne",
            ("in", true) => "not_in",
            ("contains", true) => "not_contains",
            (word, _) => word,
        };
        if operand.is_empty() {
            format!("{attribute} {word}")
        } else {
            format!("{attribute} {word} {operand}")
        }
    }
}

impl Matching {
    fn describe(&self) -> (&'static str, String) {
        match self {
            Self::Exists => ("exists", String::new()),
            Self::Text(operand) => ("eq", json_text(operand)),
            Self::Texts(set) => ("in", texts(set)),
            Self::Contains(operand) | Self::ListHasText(operand) => {
                ("contains", json_text(operand))
            }
            Self::Starts(operand) => ("starts", json_text(operand)),
            Self::Ends(operand) => ("ends", json_text(operand)),
            Self::Pattern(operand) => ("matches", json_text(operand.as_str())),
            Self::Number(operand) => ("eq", operand.to_string()),
            Self::Numbers(set) => ("in", numbers(set)),
            Self::Compared(order, limit) => (order.word(), limit.to_string()),
            Self::Between(from, to) => ("between", numbers(&[*from, *to])),
            Self::Boolean { yes: true, no: false } => ("eq", "true".to_owned()),
            Self::Boolean { yes: false, no: true } => ("eq", "false".to_owned()),
            Self::Boolean { yes: true, no: true } => ("in", "[true,false]".to_owned()),
            Self::Boolean { yes: false, no: false } => ("in", "[]".to_owned()),
            Self::Version(order, limit, _) => (order.semver_word(), json_text(limit)),
            Self::Before(at) => ("before", Instant::from_millis(*at).to_string()),
            Self::After(at) => ("after", Instant::from_millis(*at).to_string()),
            Self::Networks(networks) => ("cidr", format!("[{} ranges]", networks.len())),
            Self::ListHasNumber(operand) => ("contains", operand.to_string()),
            Self::ListHasAnyText(operands) => ("has_any", texts(operands)),
            Self::ListHasAllTexts(operands) => {
                ("has_all", text_list(operands.iter().map(|text| &**text)))
            }
            Self::ListHasAnyNumber(operands) => ("has_any", numbers(operands)),
            Self::ListHasAllNumbers(operands) => ("has_all", numbers(operands)),
        }
    }
}

impl Order {
    const fn word(self) -> &'static str {
        match self {
            Self::Equal => "eq",
            Self::Less => "lt",
            Self::LessOrEqual => "lte",
            Self::Greater => "gt",
            Self::GreaterOrEqual => "gte",
        }
    }

    const fn semver_word(self) -> &'static str {
        match self {
            Self::Equal => "semver_eq",
            Self::Less => "semver_lt",
            Self::LessOrEqual => "semver_lte",
            Self::Greater => "semver_gt",
            Self::GreaterOrEqual => "semver_gte",
        }
    }
}

fn texts(texts: &TextSet) -> String {
    join_shortened(texts.iter().map(|text| json_text(&text)))
}

fn text_list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    join_shortened(texts.map(json_text))
}

fn numbers(numbers: &[f64]) -> String {
    join_shortened(numbers.iter().map(f64::to_string))
}

fn join_shortened(items: impl Iterator<Item = String>) -> String {
    let mut listed: Vec<String> = items.take(LISTED_MAX + 1).collect();
    if listed.len() > LISTED_MAX {
        listed[LISTED_MAX] = "…".to_owned();
    }
    format!("[{}]", listed.join(","))
}
