//! JSON in a document: the order of members is kept, and whole numbers stay integers.

mod parse;

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

pub(super) use parse::{INTEGER_MAX, parse};

/// A JSON value (RFC 8259) whose members keep their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number of at most 2^53 - 1 in size.
    Int(i64),
    /// Any other finite number.
    Float(f64),
    /// A text, with its escapes resolved.
    Text(String),
    /// A list.
    Array(Vec<Json>),
    /// An object: its members, in the order of the text.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns JSON on one line, without whitespace.
    pub(super) fn to_text(&self) -> String {
        // Serialisation cannot fail: names are texts, and no number is NaN.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the name of the type for messages.
    pub(super) const fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Array(values) => {
                let mut seq = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    seq.serialize_element(value)?;
                }
                seq.end()
            }
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// Returns a text as JSON.
pub(in crate::flags) fn json_text(text: &str) -> String {
    // Serialising a text cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}
