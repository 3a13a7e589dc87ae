//! The matcher: one test of one attribute, compiled when the snapshot is built.
//!
//! Compiling turns operator, attribute type and operands into one variant of `Matching`, with the operands
//! already parsed: a version, an instant, a network, a set of texts, a regular expression. Matching is one
//! `match` on that variant against a typed value; wrong types do not match. Costs: numbers and short texts
//! one comparison, `in` a scan of at most eight packed words or one hash look-up, numbers a binary search,
//! lists O(list × operands), patterns linear in the text (`regex` never backtracks). The frequent variants are
//! matched inline and the rest in functions of their own, so that the code
//! of rare tests does not weigh on the hot function.

mod describe;
mod network;
mod operand;
mod text_set;
mod version;

use std::cmp::Ordering;

pub(super) use network::Network;
pub(super) use operand::{PATTERN_BYTES_MAX, PATTERN_SIZE_MAX};
use regex::Regex;
pub(super) use text_set::TextSet;
pub(super) use version::Version;

use super::interner::same;
use super::value::{Kept, Value};

#[derive(Debug)]
pub(super) struct Matcher {
    matching: Matching,
    /// `ne`, `not_in`, `not_contains`: true where the attribute is missing.
    negated: bool,
}

#[derive(Debug)]
enum Matching {
    Exists,
    Text(Box<str>),
    Texts(TextSet),
    Contains(Box<str>),
    Starts(Box<str>),
    Ends(Box<str>),
    Pattern(Box<Regex>),
    Number(f64),
    /// Sorted.
    Numbers(Box<[f64]>),
    Compared(Order, f64),
    /// Inclusive at both ends.
    Between(f64, f64),
    Boolean {
        yes: bool,
        no: bool,
    },
    Version(Order, Box<str>, Version),
    /// Milliseconds.
    Before(i64),
    After(i64),
    Networks(Box<[Network]>),
    ListHasText(Box<str>),
    ListHasNumber(f64),
    ListHasAnyText(TextSet),
    ListHasAllTexts(Box<[Box<str>]>),
    ListHasAnyNumber(Box<[f64]>),
    ListHasAllNumbers(Box<[f64]>),
}

#[derive(Debug, Clone, Copy)]
enum Order {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    const fn allows(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering.is_eq(),
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

impl Order {
    #[inline]
    fn allows_number(self, it: f64, than: f64) -> bool {
        match self {
            Self::Equal => it == than,
            Self::Less => it < than,
            Self::LessOrEqual => it <= than,
            Self::Greater => it > than,
            Self::GreaterOrEqual => it >= than,
        }
    }
}

impl Matcher {
    #[inline]
    pub fn is_met(&self, value: &Value<'_>) -> bool {
        self.matching.is_met(value) != self.negated
    }
}

impl Matching {
    /// The most frequent tests stand here, so that they are inlined without the rest.
    #[inline]
    fn is_met(&self, value: &Value<'_>) -> bool {
        match self {
            Self::Exists => !value.is_missing(),
            Self::Text(it) => value.text().is_some_and(|text| same(text, it)),
            Self::Texts(them) => value.text().is_some_and(|text| them.contains(text)),
            Self::Version(order, than, version) => {
                value.version().is_some_and(|(text, it)| order.allows(it.cmp(text, version, than)))
            }
            Self::Compared(order, than) => match value {
                Value::Number(it) => order.allows_number(*it, *than),
                _ => false,
            },
            Self::Boolean { yes, no } => match value {
                Value::Boolean(true) => *yes,
                Value::Boolean(false) => *no,
                _ => false,
            },
            _ => self.is_met_by_other(value),
        }
    }

    #[inline(never)]
    fn is_met_by_other(&self, value: &Value<'_>) -> bool {
        match self {
            Self::Contains(it) => value.text().is_some_and(|text| text.contains(&**it)),
            Self::Starts(it) => value.text().is_some_and(|text| text.starts_with(&**it)),
            Self::Ends(it) => value.text().is_some_and(|text| text.ends_with(&**it)),
            Self::Pattern(it) => value.text().is_some_and(|text| it.is_match(text)),
            Self::Before(limit) => value.date().is_some_and(|it| it < *limit),
            Self::After(limit) => value.date().is_some_and(|it| it > *limit),
            Self::Networks(them) => {
                value.address().is_some_and(|address| them.iter().any(|it| it.contains(address)))
            }
            Self::Number(it) => matches!(value, Value::Number(number) if number == it),
            Self::Numbers(them) => matches!(value, Value::Number(it) if holds(them, *it)),
            Self::Between(from, to) => {
                matches!(value, Value::Number(it) if (from..=to).contains(&it))
            }
            _ => self.is_met_by_list(value),
        }
    }

    fn is_met_by_list(&self, value: &Value<'_>) -> bool {
        let Value::Kept(kept) = value else { return false };
        match (self, &**kept) {
            (Self::ListHasText(it), Kept::Texts(list)) => list.iter().any(|text| **text == **it),
            (Self::ListHasAnyText(them), Kept::Texts(list)) => {
                list.iter().any(|text| them.contains(text))
            }
            (Self::ListHasAllTexts(them), Kept::Texts(list)) => {
                them.iter().all(|it| list.iter().any(|text| **text == **it))
            }
            (Self::ListHasNumber(it), Kept::Numbers(list)) => list.contains(it),
            (Self::ListHasAnyNumber(them), Kept::Numbers(list)) => {
                list.iter().any(|it| holds(them, *it))
            }
            (Self::ListHasAllNumbers(them), Kept::Numbers(list)) => {
                them.iter().all(|it| list.contains(it))
            }
            _ => false,
        }
    }
}

/// Whether a sorted list has the number.
fn holds(sorted: &[f64], number: f64) -> bool {
    sorted.binary_search_by(|it| it.partial_cmp(&number).unwrap_or(Ordering::Less)).is_ok()
}

#[cfg(test)]
mod tests;
