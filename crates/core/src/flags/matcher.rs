//! The matcher: one test of one attribute, compiled when the snapshot is built.
//!
//! Compiling turns the operator, the attribute's type and the operands into one variant of
//! `Matching`. Its operands are already parsed: a version, an instant, a network, a set of texts, a
//! regular expression. Matching is one `match` on that variant and a typed value; values of a wrong
//! type do not match.
//!
//! Costs: numbers and short texts need one comparison. `in` needs a scan of at most eight packed
//! words or one hash lookup. Sets of numbers need a binary search, lists O(list × operands).
//! Patterns are linear in the text, because `regex` never backtracks. The frequent variants are
//! inlined; the rest are separate functions, so that they do not slow down the hot function.

mod describe;
mod network;
mod operand;
mod text_set;

use std::cmp::Ordering;

pub(super) use network::Network;
pub(super) use operand::{PATTERN_BYTES_MAX, PATTERN_SIZE_MAX};
use regex::Regex;
pub(super) use text_set::TextSet;

use super::interner::same;
use super::value::{Owned, Value, Version};

#[derive(Debug)]
pub(super) struct Matcher {
    matching: Matching,
    /// True for `ne`, `not_in` and `not_contains`, which are met if the attribute is missing.
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
    /// Sorted in ascending order.
    Numbers(Box<[f64]>),
    Compared(Order, f64),
    /// Includes both ends.
    Between(f64, f64),
    Boolean {
        yes: bool,
        no: bool,
    },
    Version(Order, Box<str>, Version),
    /// Milliseconds since 1970.
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
    fn allows_number(self, number: f64, limit: f64) -> bool {
        match self {
            Self::Equal => number == limit,
            Self::Less => number < limit,
            Self::LessOrEqual => number <= limit,
            Self::Greater => number > limit,
            Self::GreaterOrEqual => number >= limit,
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
    /// Evaluates the most frequent tests, so that they are inlined without the rest.
    #[inline]
    fn is_met(&self, value: &Value<'_>) -> bool {
        match self {
            Self::Exists => !value.is_missing(),
            Self::Text(expected) => value.text().is_some_and(|text| same(text, expected)),
            Self::Texts(set) => value.text().is_some_and(|text| set.contains(text)),
            Self::Version(order, limit, version) => value
                .version()
                .is_some_and(|(text, actual)| order.allows(actual.cmp(text, version, limit))),
            Self::Compared(order, limit) => match value {
                Value::Number(number) => order.allows_number(*number, *limit),
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
            Self::Contains(operand) => value.text().is_some_and(|text| text.contains(&**operand)),
            Self::Starts(operand) => value.text().is_some_and(|text| text.starts_with(&**operand)),
            Self::Ends(operand) => value.text().is_some_and(|text| text.ends_with(&**operand)),
            Self::Pattern(operand) => value.text().is_some_and(|text| operand.is_match(text)),
            Self::Before(limit) => value.date().is_some_and(|date| date < *limit),
            Self::After(limit) => value.date().is_some_and(|date| date > *limit),
            Self::Networks(networks) => value
                .address()
                .is_some_and(|address| networks.iter().any(|network| network.contains(address))),
            Self::Number(expected) => matches!(value, Value::Number(number) if number == expected),
            Self::Numbers(set) => {
                matches!(value, Value::Number(number) if contains_number(set, *number))
            }
            Self::Between(from, to) => {
                matches!(value, Value::Number(number) if (from..=to).contains(&number))
            }
            _ => self.is_met_by_list(value),
        }
    }

    fn is_met_by_list(&self, value: &Value<'_>) -> bool {
        let Value::Owned(list_value) = value else { return false };
        match (self, &**list_value) {
            (Self::ListHasText(expected), Owned::Texts(list)) => {
                list.iter().any(|text| **text == **expected)
            }
            (Self::ListHasAnyText(set), Owned::Texts(list)) => {
                list.iter().any(|text| set.contains(text))
            }
            (Self::ListHasAllTexts(all), Owned::Texts(list)) => {
                all.iter().all(|wanted| list.iter().any(|text| **text == **wanted))
            }
            (Self::ListHasNumber(expected), Owned::Numbers(list)) => list.contains(expected),
            (Self::ListHasAnyNumber(set), Owned::Numbers(list)) => {
                list.iter().any(|item| contains_number(set, *item))
            }
            (Self::ListHasAllNumbers(all), Owned::Numbers(list)) => {
                all.iter().all(|wanted| list.contains(wanted))
            }
            _ => false,
        }
    }
}

/// Returns whether a sorted list contains the number.
fn contains_number(sorted: &[f64], number: f64) -> bool {
    sorted.binary_search_by(|item| item.partial_cmp(&number).unwrap_or(Ordering::Less)).is_ok()
}

#[cfg(test)]
mod tests;
