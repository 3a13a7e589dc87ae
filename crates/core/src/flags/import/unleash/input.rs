//! The parts of Unleash's document that evaluation depends on. Unknown fields are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Deserialize)]
pub(super) struct Features {
    pub(super) features: Vec<Feature>,
    #[serde(default)]
    pub(super) segments: Vec<Segment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Feature {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) project: Option<String>,
    #[serde(default)]
    pub(super) enabled: bool,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) strategies: Vec<Strategy>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) variants: Vec<Variant>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) dependencies: Vec<Dependency>,
    #[serde(default)]
    pub(super) impression_data: bool,
}

#[derive(Deserialize)]
pub(super) struct Strategy {
    pub(super) name: String,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) parameters: BTreeMap<String, Value>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) constraints: Vec<Constraint>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) segments: Vec<i64>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) variants: Vec<Variant>,
    #[serde(default)]
    pub(super) disabled: bool,
}

impl Strategy {
    /// Returns a parameter, which is a text according to the documentation but a number in some
    /// documents.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        match self.parameters.get(name)? {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Constraint {
    pub(super) context_name: String,
    pub(super) operator: String,
    #[serde(default, deserialize_with = "trimmed")]
    pub(super) values: Vec<String>,
    #[serde(default)]
    pub(super) value: Option<String>,
    #[serde(default)]
    pub(super) inverted: bool,
    #[serde(default)]
    pub(super) case_insensitive: bool,
}

#[derive(Deserialize)]
pub(super) struct Variant {
    pub(super) name: String,
    #[serde(default)]
    pub(super) weight: f64,
    #[serde(default)]
    pub(super) stickiness: Option<String>,
    #[serde(default)]
    pub(super) payload: Option<Payload>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) overrides: Vec<Override>,
}

#[derive(Deserialize, PartialEq)]
pub(super) struct Payload {
    pub(super) r#type: String,
    pub(super) value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Override {
    pub(super) context_name: String,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) values: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Dependency {
    pub(super) feature: String,
    #[serde(default)]
    pub(super) enabled: Option<bool>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) variants: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Segment {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "or_empty")]
    pub(super) constraints: Vec<Constraint>,
}

/// Reads the values of a constraint. Unleash's SDKs trim them and skip empty ones.
fn trimmed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut values: Vec<String> = or_empty(deserializer)?;
    for value in &mut values {
        value.trim().to_owned().clone_into(value);
    }
    values.retain(|value| !value.is_empty());
    Ok(values)
}

/// Reads a list. Older servers write null for an empty list.
fn or_empty<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
