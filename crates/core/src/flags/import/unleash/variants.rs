//! Variants of Unleash as variations with values of one type.

use super::input::{Feature, Payload, Variant};
use crate::flags::document::{FlagType, Variation};
use crate::flags::import::draft::{self, Draft, variation};
use crate::flags::import::report::SourcePointer;
use crate::flags::json::Json;

/// The variations of a feature.
pub(super) struct Answers {
    pub(super) r#type: FlagType,
    pub(super) variations: Vec<Variation>,
    /// Keys of the variations for a feature that is not enabled, and for one that is and gives no
    /// variant.
    pub(super) disabled: String,
    pub(super) enabled: String,
}

/// Without variants true and false; with variants their payloads, where all have one of the same
/// type, or else their names.
pub(super) fn answers(draft: &mut Draft, feature: &Feature, place: &SourcePointer) -> Answers {
    let variants = each_once(draft, feature, place);
    if variants.is_empty() {
        let variations = vec![variation("on", true), variation("off", false)];
        let (disabled, enabled) = ("off".to_owned(), "on".to_owned());
        return Answers { r#type: FlagType::Boolean, variations, disabled, enabled };
    }
    let free = |wanted: &str| {
        let mut key = wanted.to_owned();
        while variants.iter().any(|variant| variant.name == key) {
            key.push('_');
        }
        key
    };
    let (disabled, enabled) = (free("disabled"), free("enabled"));
    let payloads: Vec<Option<(FlagType, Json)>> =
        variants.iter().map(|variant| variant.payload.as_ref().and_then(value)).collect();
    let of_first = payloads.first().and_then(Option::as_ref).map(|(r#type, _)| *r#type);
    let alike = of_first.filter(|first| {
        payloads.iter().all(|payload| payload.as_ref().is_some_and(|(r#type, _)| r#type == first))
    });
    let (mut variations, r#type) = if let Some(r#type) = alike {
        let values = payloads.into_iter().flatten().map(|(_, value)| value);
        let named = variants.iter().map(|variant| variant.name.as_str());
        (named.zip(values).map(|(key, value)| variation(key, value)).collect::<Vec<_>>(), r#type)
    } else {
        if payloads.iter().any(Option::is_some) {
            draft.leave_out(
                &place.at("variants"),
                "payloads of several types: variants give their names",
            );
        }
        let names = variants.iter().map(|variant| variant.name.as_str());
        (names.map(|name| variation(name, name)).collect(), FlagType::String)
    };
    for key in [&enabled, &disabled] {
        variations.push(variation(key.as_str(), nothing(r#type, key)));
    }
    Answers { r#type, variations, disabled, enabled }
}

fn each_once<'a>(
    draft: &mut Draft,
    feature: &'a Feature,
    place: &SourcePointer,
) -> Vec<&'a Variant> {
    let mut once: Vec<&Variant> = Vec::new();
    let strategies = feature.strategies.iter().flat_map(|strategy| &strategy.variants);
    for variant in strategies.chain(&feature.variants) {
        match once.iter().find(|known| known.name == variant.name) {
            None => once.push(variant),
            Some(known) if known.payload == variant.payload => {}
            Some(_) => {
                let reason = format!("{} has two payloads: the first counts", variant.name);
                draft.leave_out(&place.at("variants"), reason);
            }
        }
    }
    once
}

/// A value for those who get no variant, which Unleash answers without one.
fn nothing(r#type: FlagType, key: &str) -> Json {
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
