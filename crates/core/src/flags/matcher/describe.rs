//! A test in words, for a trace.

use super::{Matcher, Matching, Order, TextSet};
use crate::flags::snapshot::json_text;
use crate::instant::Instant;

/// A description lists this many operands of a long list.
const TOLD: usize = 8;

impl Matcher {
    /// `country in ["UY"]`.
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
            Self::Text(it) => ("eq", json_text(it)),
            Self::Texts(them) => ("in", texts(them)),
            Self::Contains(it) | Self::ListHasText(it) => ("contains", json_text(it)),
            Self::Starts(it) => ("starts", json_text(it)),
            Self::Ends(it) => ("ends", json_text(it)),
            Self::Pattern(it) => ("matches", json_text(it.as_str())),
            Self::Number(it) => ("eq", it.to_string()),
            Self::Numbers(them) => ("in", numbers(them)),
            Self::Compared(order, than) => (order.word(), than.to_string()),
            Self::Between(from, to) => ("between", numbers(&[*from, *to])),
            Self::Boolean { yes: true, no: false } => ("eq", "true".to_owned()),
            Self::Boolean { yes: false, no: true } => ("eq", "false".to_owned()),
            Self::Boolean { yes: true, no: true } => ("in", "[true,false]".to_owned()),
            Self::Boolean { yes: false, no: false } => ("in", "[]".to_owned()),
            Self::Version(order, than, _) => (order.semver_word(), json_text(than)),
            Self::Before(at) => ("before", Instant::from_millis(*at).to_string()),
            Self::After(at) => ("after", Instant::from_millis(*at).to_string()),
            Self::Networks(them) => ("cidr", format!("[{} ranges]", them.len())),
            Self::ListHasNumber(it) => ("contains", it.to_string()),
            Self::ListHasAnyText(them) => ("has_any", texts(them)),
            Self::ListHasAllTexts(them) => ("has_all", listed(them.iter().map(|it| &**it))),
            Self::ListHasAnyNumber(them) => ("has_any", numbers(them)),
            Self::ListHasAllNumbers(them) => ("has_all", numbers(them)),
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
    shortened(texts.iter().map(|text| json_text(&text)))
}

fn listed<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    shortened(texts.map(json_text))
}

fn numbers(numbers: &[f64]) -> String {
    shortened(numbers.iter().map(f64::to_string))
}

fn shortened(items: impl Iterator<Item = String>) -> String {
    let mut told: Vec<String> = items.take(TOLD + 1).collect();
    if told.len() > TOLD {
        told[TOLD] = "…".to_owned();
    }
    format!("[{}]", told.join(","))
}
