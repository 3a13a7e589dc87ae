//! Converts variants of Unleash into variations with values of one type.

use super::input::{Feature, Payload, Variant};
use crate::flags::document::{FlagType, Variation};
use crate::flags::import::draft::{self, Draft, variation};
use crate::flags::import::report::SourcePointer;
use crate::flags::json::Json;

/// The variations of a feature.
pub(super) struct FeatureVariations {
    pub(super) r#type: FlagType,
    pub(super) variations: Vec<Variation>,
    /// Key of the variation for a feature that is not enabled.
    pub(super) disabled: String,
    /// Key of the variation for an enabled feature without a variant.
    pub(super) enabled: String,
}

/// Returns the variations of a feature. Without variants, they are true and false. With variants,
/// they are the payloads if all of them have the same type, and otherwise the names.
pub(super) fn feature_variations(
    draft: &mut Draft,
    feature: &Feature,
    place: &SourcePointer,
) -> FeatureVariations {
    let variants = distinct_variants(draft, feature, place);
    if variants.is_empty() {
        let variations = vec![variation("on", true), variation("off", false)];
        let (disabled, enabled) = ("off".to_owned(), "on".to_owned());
        return FeatureVariations { r#type: FlagType::Boolean, variations, disabled, enabled };
    }
    let unused_key = |base_key: &str| {
        let mut key = base_key.to_owned();
        while variants.iter().any(|variant| variant.name == key) {
            key.push('_');
        }
        key
    };
    let (disabled, enabled) = (unused_key("disabled"), unused_key("enabled"));
    let payloads: Vec<Option<(FlagType, Json)>> =
        variants.iter().map(|variant| variant.payload.as_ref().and_then(value)).collect();
    let of_first = payloads.first().and_then(Option::as_ref).map(|(r#type, _)| *r#type);
    let common_type = of_first.filter(|first| {
        payloads.iter().all(|payload| payload.as_ref().is_some_and(|(r#type, _)| r#type == first))
    });
    let (mut variations, r#type) = if let Some(r#type) = common_type {
        let values = payloads.into_iter().flatten().map(|(_, value)| value);
        let names = variants.iter().map(|variant| variant.name.as_str());
        (names.zip(values).map(|(key, value)| variation(key, value)).collect::<Vec<_>>(), r#type)
    } else {
        if payloads.iter().any(Option::is_some) {
            draft.leave_out(
                &place.at("variants"),
                "the payloads have different types, so variants serve their names",
            );
        }
        let names = variants.iter().map(|variant| variant.name.as_str());
        (names.map(|name| variation(name, name)).collect(), FlagType::String)
    };
    for key in [&enabled, &disabled] {
        variations.push(variation(key.as_str(), empty_value(r#type, key)));
    }
    FeatureVariations { r#type, variations, disabled, enabled }
}

fn distinct_variants<'a>(
    draft: &mut Draft,
    feature: &'a Feature,
    place: &SourcePointer,
) -> Vec<&'a Variant> {
    let mut distinct: Vec<&Variant> = Vec::new();
    let strategies = feature.strategies.iter().flat_map(|strategy| &strategy.variants);
    for variant in strategies.chain(&feature.variants) {
        match distinct.iter().find(|other| other.name == variant.name) {
            None => distinct.push(variant),
            Some(other) if other.payload == variant.payload => {}
            Some(_) => {
                let reason =
                    format!("the variant {} has two payloads; the first one is used", variant.name);
                draft.leave_out(&place.at("variants"), reason);
            }
        }
    }
    distinct
}

/// Returns the value for users who get no variant. Unleash serves them no value.
fn empty_value(r#type: FlagType, key: &str) -> Json {
    match r#type {
        FlagType::Boolean => Json::Bool(false),
        FlagType::String => Json::from(key),
        FlagType::Number => Json::Int(0),
        FlagType::Json => Json::Object(Vec::new()),
    }
}

fn value(payload: &Payload) -> Option<(FlagType, Json)> {
    match payload.r#type.as_str() {
        "number" => {
            let number: f64 = payload.value.trim().parse().ok()?;
            number.is_finite().then(|| (FlagType::Number, draft::number(number)))
        }
        "json" => {
            let value = serde_json::from_str(&payload.value).ok()?;
            Some((FlagType::Json, draft::json(&value)))
        }
        "string" | "csv" => Some((FlagType::String, Json::from(payload.value.as_str()))),
        _ => None,
    }
}
