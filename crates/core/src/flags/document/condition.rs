//! Conditions: they select people for a rule, a segment or a holdout.

use serde::Serialize;

use crate::flags::json::Json;

/// `{"all":[…]}`, `{"any":[…]}`, `{"not":{…}}`, `{"segment":"…"}`, or a test of one attribute. An
/// empty `all` is true; an empty `any` is false.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Condition {
    /// True if every part is true.
    All(Vec<Condition>),
    /// True if at least one part is true.
    Any(Vec<Condition>),
    /// True if its part is false.
    Not(Box<Condition>),
    /// True for people in the segment with this key.
    Segment(String),
    /// A comparison of one attribute.
    #[serde(untagged)]
    Test(Test),
}

impl Condition {
    /// Returns a condition that is true for everyone.
    pub const fn always() -> Self {
        Self::All(Vec::new())
    }
}

/// A test of one attribute, such as `{"attr":"country","op":"in","values":["UY"]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// Name of the compared attribute.
    pub attr: String,
    /// The comparison.
    pub op: Operator,
    /// The operand, for operators with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    /// The operands, for operators with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Json>>,
}

/// The comparison of an attribute with the operands of a test. For a missing attribute, a positive
/// operator is false and a negated one (`ne`, `not_in`, `not_contains`) is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Equal to `value`.
    Eq,
    /// Not equal to `value`.
    Ne,
    /// Equal to one of `values`.
    In,
    /// Equal to none of `values`.
    NotIn,
    /// A number less than `value`.
    Lt,
    /// A number less than or equal to `value`.
    Lte,
    /// A number greater than `value`.
    Gt,
    /// A number greater than or equal to `value`.
    Gte,
    /// A number from the first of `values` to the second, both included.
    Between,
    /// A text that contains `value`.
    Contains,
    /// A text that does not contain `value`.
    NotContains,
    /// A text that starts with `value`.
    Starts,
    /// A text that ends with `value`.
    Ends,
    /// A text that matches the regular expression `value` (syntax of the `regex` crate).
    Matches,
    /// Present with any value; has no operand.
    Exists,
    /// A version of equal precedence (semver.org §11).
    SemverEq,
    /// A version of lower precedence.
    SemverLt,
    /// A version of lower or equal precedence.
    SemverLte,
    /// A version of higher precedence.
    SemverGt,
    /// A version of higher or equal precedence.
    SemverGte,
    /// An instant before `value` (RFC 3339).
    Before,
    /// An instant after `value` (RFC 3339).
    After,
    /// An address in one of these networks (CIDR notation, RFC 4632 and RFC 4291).
    Cidr,
    /// A list that has one of `values`.
    HasAny,
    /// A list that has all of `values`.
    HasAll,
}
