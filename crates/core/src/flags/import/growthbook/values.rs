use serde_json::Value;

use super::input::Feature;
use crate::flags::document::{FlagType, Variation};
use crate::flags::import::draft;

/// All different values of a feature, as variations.
pub(super) struct Values(Vec<(String, Value)>);

impl Values {
    pub(super) fn of(feature: &Feature) -> Self {
        let mut values = Self(Vec::new());
        values.add(&feature.default_value);
        for rule in &feature.rules {
            rule.force.iter().for_each(|value| values.add(value));
            rule.variations.iter().flatten().for_each(|value| values.add(value));
        }
        values
    }

    fn add(&mut self, value: &Value) {
        if value.is_null() || self.0.iter().any(|(_, known)| known == value) {
            return;
        }
        let base_key = match value {
            Value::Bool(true) => "on".to_owned(),
            Value::Bool(false) => "off".to_owned(),
            Value::String(text) if reads_as_key(text) => text.clone(),
            _ => format!("v{}", self.0.len()),
        };
        let is_used = self.0.iter().any(|(key, _)| *key == base_key);
        let key = if is_used { format!("{base_key}-{}", self.0.len()) } else { base_key };
        self.0.push((key, value.clone()));
    }

    /// Returns the key of the variation with this value, which must be one of the feature's values.
    pub(super) fn key(&self, value: &Value) -> String {
        let entry = self.0.iter().find(|(_, known)| known == value);
        entry.map_or_else(String::new, |(key, _)| key.clone())
    }

    pub(super) fn r#type(&self) -> FlagType {
        let all = |is: fn(&Value) -> bool| self.0.iter().all(|(_, value)| is(value));
        match () {
            () if all(Value::is_boolean) => FlagType::Boolean,
            () if all(Value::is_string) => FlagType::String,
            () if all(Value::is_number) => FlagType::Number,
            () => FlagType::Json,
        }
    }

    pub(super) fn variations(&self) -> Vec<Variation> {
        self.0
            .iter()
            .map(|(key, value)| draft::variation(key.as_str(), draft::json(value)))
            .collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}

fn reads_as_key(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= 40 && text.chars().all(plain)
}
