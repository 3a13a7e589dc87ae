//! Which people a rule, a segment or a holdout speaks of.

use serde::Serialize;

use crate::flags::json::Json;

/// `{"all":[…]}`, `{"any":[…]}`, `{"not":{…}}`, `{"segment":"…"}`, or a test of one attribute. An
/// empty `all` is true, an empty `any` false.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Segment(String),
    #[serde(untagged)]
    Test(Test),
}

impl Condition {
    /// True of everybody.
    pub const fn always() -> Self {
        Self::All(Vec::new())
    }
}

/// `{"attr":"country","op":"in","values":["UY"]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    pub attr: String,
    pub op: Operator,
    /// The operand of an operator that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    /// The operands of an operator that has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Json>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    Eq,
    Ne,
    In,
    NotIn,
    Lt,
    Lte,
    Gt,
    Gte,
    Between,
    Contains,
    NotContains,
    Starts,
    Ends,
    Matches,
    Exists,
    SemverEq,
    SemverLt,
    SemverLte,
    SemverGt,
    SemverGte,
    Before,
    After,
    Cidr,
    HasAny,
    HasAll,
}
