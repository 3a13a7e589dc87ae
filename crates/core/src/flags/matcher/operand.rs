//! Operands of tests, parsed according to the attribute's type.

use regex::RegexBuilder;

use super::{Matcher, Matching, Network, Order, TextSet, Version};
use crate::flags::document::{AttributeType, Operator, Test};
use crate::flags::json::Json;
use crate::instant::Instant;

pub(in crate::flags) const PATTERN_BYTES_MAX: usize = 1_000;
/// Maximum size of one compiled pattern, in bytes. A hundred nested repetitions exceed it.
pub(in crate::flags) const PATTERN_SIZE_MAX: usize = 256 << 10;

/// The error for an operand that cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::flags) struct OperandError {
    /// The member with the error: `attr`, `op`, `value` or `values`.
    pub member: &'static str,
    /// Index of the operand in `values`.
    pub index: Option<usize>,
    pub code: &'static str,
    pub detail: String,
}

impl OperandError {
    fn new(member: &'static str, code: &'static str, detail: impl Into<String>) -> Self {
        Self { member, index: None, code, detail: detail.into() }
    }
}

/// The number of operands of an operator.
enum Arity {
    None,
    One,
    Two,
    Several,
}

impl Operator {
    const fn arity(self) -> Arity {
        match self {
            Self::Exists => Arity::None,
            Self::In | Self::NotIn | Self::HasAny | Self::HasAll | Self::Cidr => Arity::Several,
            Self::Between => Arity::Two,
            _ => Arity::One,
        }
    }

    const fn is_negated(self) -> bool {
        matches!(self, Self::Ne | Self::NotIn | Self::NotContains)
    }

    /// Returns the operator as it is written in the document.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::In => "in",
            Self::NotIn => "not_in",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Between => "between",
            Self::Contains => "contains",
            Self::NotContains => "not_contains",
            Self::Starts => "starts",
            Self::Ends => "ends",
            Self::Matches => "matches",
            Self::Exists => "exists",
            Self::SemverEq => "semver_eq",
            Self::SemverLt => "semver_lt",
            Self::SemverLte => "semver_lte",
            Self::SemverGt => "semver_gt",
            Self::SemverGte => "semver_gte",
            Self::Before => "before",
            Self::After => "after",
            Self::Cidr => "cidr",
            Self::HasAny => "has_any",
            Self::HasAll => "has_all",
        }
    }
}

impl Matcher {
    pub fn new(test: &Test, kind: AttributeType) -> Result<Self, OperandError> {
        let operands = Operands::of(test)?;
        let matching = match kind {
            AttributeType::String => operands.of_text(),
            AttributeType::Semver => operands.of_version(),
            AttributeType::Date => operands.of_date(),
            AttributeType::Ip => operands.of_address(),
            AttributeType::Number => operands.of_number(),
            AttributeType::Boolean => operands.of_boolean(),
            AttributeType::Strings => operands.of_texts(),
            AttributeType::Numbers => operands.of_numbers(),
        };
        matching.map(|matching| Self { matching, negated: test.op.is_negated() })
    }
}

/// The operands as a list, even if there is only one.
struct Operands<'t> {
    op: Operator,
    member: &'static str,
    list: &'t [Json],
}

type Read = Result<Matching, OperandError>;
type Each<T> = Result<Vec<T>, OperandError>;

impl<'t> Operands<'t> {
    fn of(test: &'t Test) -> Result<Self, OperandError> {
        let word = test.op.word();
        let unexpected = |member, expected: &str| {
            OperandError::new(member, "bad_operand", format!("`{word}` requires {expected}."))
        };
        let missing = |member: &'static str| {
            OperandError::new(member, "required", format!("`{word}` requires `{member}`."))
        };
        let operands = |member, list| Self { op: test.op, member, list };
        match (test.op.arity(), &test.value, &test.values) {
            (Arity::None, None, None) => Ok(operands("op", &[])),
            (Arity::None, Some(_), _) => Err(unexpected("value", "no operand")),
            (Arity::None, None, Some(_)) => Err(unexpected("values", "no operand")),
            (Arity::One, Some(value), None) => Ok(operands("value", std::slice::from_ref(value))),
            (Arity::One, _, Some(_)) => Err(unexpected("values", "one operand, `value`")),
            (Arity::One, None, None) => Err(missing("value")),
            (_, Some(_), _) => Err(unexpected("value", "several operands, `values`")),
            (_, None, None) => Err(missing("values")),
            (Arity::Two, None, Some(values)) if values.len() != 2 => {
                Err(unexpected("values", "two operands, the lower and the upper end"))
            }
            (Arity::Two | Arity::Several, None, Some(values)) => Ok(operands("values", values)),
        }
    }

    fn error(&self, index: usize, code: &'static str, detail: impl Into<String>) -> OperandError {
        let index = (self.member == "values").then_some(index);
        OperandError { member: self.member, index, code, detail: detail.into() }
    }

    fn each<T>(&self, expected: &str, read: impl Fn(&'t Json) -> Option<T>) -> Each<T> {
        let items = self.list.iter().enumerate();
        let read = |(index, json): (usize, &'t Json)| {
            read(json).ok_or_else(|| {
                let detail = format!("This should be {expected}, but it is {}.", json.noun());
                self.error(index, "wrong_type", detail)
            })
        };
        items.map(read).collect()
    }

    fn texts(&self) -> Each<&'t str> {
        self.each("a text", |json| match json {
            Json::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    fn text(&self) -> Result<&'t str, OperandError> {
        Ok(self.texts()?.first().copied().unwrap_or_default())
    }

    fn numbers(&self) -> Each<f64> {
        self.each("a number", |json| match json {
            Json::Int(number) => Some(*number as f64),
            Json::Float(number) => Some(*number),
            _ => None,
        })
    }

    fn number(&self) -> Result<f64, OperandError> {
        Ok(self.numbers()?.first().copied().unwrap_or_default())
    }

    fn sorted(&self) -> Result<Box<[f64]>, OperandError> {
        let mut numbers = self.numbers()?;
        numbers.sort_by(f64::total_cmp);
        // -0 sorts before 0 but equals it. Adding 0 turns -0 into 0.
        Ok(numbers.into_iter().map(|number| number + 0.0).collect())
    }

    fn unsupported_operator(&self, kind: &str) -> OperandError {
        let detail =
            format!("`{}` cannot be used with an attribute of type {kind}.", self.op.word());
        OperandError::new("op", "operator_type", detail)
    }

    fn of_text(&self) -> Read {
        self.of_any_text("string")
    }

    /// Returns a test that all attributes with text values support.
    fn of_any_text(&self, kind: &str) -> Read {
        Ok(match self.op {
            Operator::Exists => Matching::Exists,
            Operator::Eq | Operator::Ne => Matching::Text(self.text()?.into()),
            Operator::In | Operator::NotIn => Matching::Texts(TextSet::new(&self.texts()?)),
            Operator::Contains | Operator::NotContains => Matching::Contains(self.text()?.into()),
            Operator::Starts => Matching::Starts(self.text()?.into()),
            Operator::Ends => Matching::Ends(self.text()?.into()),
            Operator::Matches => self.pattern()?,
            _ => return Err(self.unsupported_operator(kind)),
        })
    }

    fn pattern(&self) -> Read {
        let pattern = self.text()?;
        if pattern.len() > PATTERN_BYTES_MAX {
            let detail = format!("A pattern has at most {PATTERN_BYTES_MAX} bytes.");
            return Err(self.error(0, "bad_pattern", detail));
        }
        let built = RegexBuilder::new(pattern)
            .size_limit(PATTERN_SIZE_MAX)
            .dfa_size_limit(PATTERN_SIZE_MAX)
            .build();
        built.map(|pattern| Matching::Pattern(Box::new(pattern))).map_err(|error| {
            // The message of the library has several lines; the last one contains the reason.
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            self.error(0, "bad_pattern", format!("This is not a valid regular expression: {last}."))
        })
    }

    fn of_version(&self) -> Read {
        let order = match self.op {
            Operator::SemverEq => Order::Equal,
            Operator::SemverLt => Order::Less,
            Operator::SemverLte => Order::LessOrEqual,
            Operator::SemverGt => Order::Greater,
            Operator::SemverGte => Order::GreaterOrEqual,
            _ => return self.of_any_text("semver"),
        };
        let text = self.text()?;
        let version = Version::parse(text).ok_or_else(|| {
            self.error(0, "bad_version", format!("{text:?} is not a version such as 7.2.0."))
        })?;
        Ok(Matching::Version(order, text.into(), version))
    }

    fn of_date(&self) -> Read {
        let instant = || {
            let text = self.text()?;
            let detail = format!("{text:?} is not an RFC 3339 date and time with an offset.");
            Instant::parse(text).map_err(|_| self.error(0, "bad_instant", detail))
        };
        match self.op {
            Operator::Before => Ok(Matching::Before(instant()?.millis())),
            Operator::After => Ok(Matching::After(instant()?.millis())),
            _ => self.of_any_text("date"),
        }
    }

    fn of_address(&self) -> Read {
        if self.op != Operator::Cidr {
            return self.of_any_text("ip");
        }
        let networks = self.texts()?.into_iter().enumerate().map(|(index, text)| {
            Network::parse(text).ok_or_else(|| {
                let detail = format!("{text:?} is not a network such as 10.0.0.0/8.");
                self.error(index, "bad_network", detail)
            })
        });
        Ok(Matching::Networks(networks.collect::<Result<_, _>>()?))
    }

    fn of_number(&self) -> Read {
        let order = match self.op {
            Operator::Exists => return Ok(Matching::Exists),
            Operator::Eq | Operator::Ne => return Ok(Matching::Number(self.number()?)),
            Operator::In | Operator::NotIn => return Ok(Matching::Numbers(self.sorted()?)),
            Operator::Between => return self.between(),
            Operator::Lt => Order::Less,
            Operator::Lte => Order::LessOrEqual,
            Operator::Gt => Order::Greater,
            Operator::Gte => Order::GreaterOrEqual,
            _ => return Err(self.unsupported_operator("number")),
        };
        Ok(Matching::Compared(order, self.number()?))
    }

    fn between(&self) -> Read {
        match self.numbers()?[..] {
            [from, to] if from <= to => Ok(Matching::Between(from, to)),
            _ => Err(self.error(1, "out_of_order", "The lower end must come first.")),
        }
    }

    fn of_boolean(&self) -> Read {
        let fits = matches!(
            self.op,
            Operator::Exists | Operator::Eq | Operator::Ne | Operator::In | Operator::NotIn
        );
        if !fits {
            return Err(self.unsupported_operator("boolean"));
        }
        if self.op == Operator::Exists {
            return Ok(Matching::Exists);
        }
        let booleans = self.each("a boolean", |json| match json {
            Json::Bool(value) => Some(*value),
            _ => None,
        })?;
        Ok(Matching::Boolean { yes: booleans.contains(&true), no: booleans.contains(&false) })
    }

    fn of_texts(&self) -> Read {
        Ok(match self.op {
            Operator::Exists => Matching::Exists,
            Operator::Contains | Operator::NotContains => {
                Matching::ListHasText(self.text()?.into())
            }
            Operator::HasAny => Matching::ListHasAnyText(TextSet::new(&self.texts()?)),
            Operator::HasAll => {
                Matching::ListHasAllTexts(self.texts()?.into_iter().map(Into::into).collect())
            }
            _ => return Err(self.unsupported_operator("string[]")),
        })
    }

    fn of_numbers(&self) -> Read {
        Ok(match self.op {
            Operator::Exists => Matching::Exists,
            Operator::Contains | Operator::NotContains => Matching::ListHasNumber(self.number()?),
            Operator::HasAny => Matching::ListHasAnyNumber(self.sorted()?),
            Operator::HasAll => Matching::ListHasAllNumbers(self.sorted()?),
            _ => return Err(self.unsupported_operator("number[]")),
        })
    }
}
