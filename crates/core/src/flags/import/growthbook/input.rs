//! The parts of GrowthBook's payload that evaluation depends on. Unknown fields are ignored.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payload {
    pub(super) features: BTreeMap<String, Feature>,
    #[serde(default)]
    pub(super) saved_groups: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) experiments: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Feature {
    #[serde(default)]
    pub(super) default_value: Value,
    #[serde(default)]
    pub(super) rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) condition: Map<String, Value>,
    #[serde(default)]
    pub(super) parent_conditions: Vec<Parent>,
    /// A null is a forced value, which differs from an absent member.
    #[serde(default, deserialize_with = "present")]
    pub(super) force: Option<Value>,
    #[serde(default)]
    pub(super) coverage: Option<f64>,
    #[serde(default)]
    pub(super) hash_attribute: Option<String>,
    #[serde(default)]
    pub(super) hash_version: Option<u32>,
    #[serde(default)]
    pub(super) fallback_attribute: Option<String>,
    #[serde(default)]
    pub(super) range: Option<(f64, f64)>,
    #[serde(default)]
    pub(super) ranges: Option<Vec<(f64, f64)>>,
    #[serde(default)]
    pub(super) namespace: Option<(String, f64, f64)>,
    #[serde(default)]
    pub(super) filters: Vec<Filter>,
    #[serde(default)]
    pub(super) variations: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) weights: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) meta: Vec<Meta>,
    #[serde(default)]
    pub(super) key: Option<String>,
    #[serde(default)]
    pub(super) seed: Option<String>,
    #[serde(default)]
    pub(super) phase: Option<String>,
    #[serde(default)]
    pub(super) bucket_version: Option<u32>,
    #[serde(default)]
    pub(super) min_bucket_version: Option<u32>,
    #[serde(default)]
    pub(super) disable_sticky_bucketing: bool,
    #[serde(default)]
    pub(super) contextual_variations: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Parent {
    pub(super) id: String,
    #[serde(default)]
    pub(super) condition: Map<String, Value>,
    #[serde(default)]
    pub(super) gate: bool,
}

#[derive(Deserialize)]
pub(super) struct Filter {
    #[serde(default)]
    pub(super) seed: String,
    pub(super) ranges: Vec<(f64, f64)>,
    #[serde(default)]
    pub(super) attribute: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    pub(super) passthrough: bool,
}

impl Rule {
    pub(super) fn serves(&self) -> bool {
        self.force.is_some() || self.variations.is_some() || self.contextual_variations.is_some()
    }

    /// Whether GrowthBook draws users for the rule.
    pub(super) fn draws(&self) -> bool {
        self.force.is_none() || self.coverage.is_some() || self.range.is_some()
    }

    /// Whether every user of the rule gets `true`. Without such a rule, no user gets more than before.
    pub(super) fn only_switches_on(&self) -> bool {
        let mut values = self.force.iter().chain(self.variations.iter().flatten());
        self.serves() && self.contextual_variations.is_none() && values.all(|value| *value == true)
    }

    pub(super) fn unit(&self) -> &str {
        self.hash_attribute.as_deref().filter(|name| !name.is_empty()).unwrap_or("id")
    }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
