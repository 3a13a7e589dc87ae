//! Imports flagd's flag definitions (`flagd.dev/schema/v0/flags.json`), whose targeting is
//! JsonLogic.

mod logic;
mod targeting;
mod variable;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::draft::{self, Draft};
use super::report::SourcePointer;
use super::{Imported, malformed};
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::FlagType;

#[derive(Deserialize)]
struct Definitions {
    flags: BTreeMap<String, Definition>,
    #[serde(rename = "$evaluators", default)]
    evaluators: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Definition {
    state: State,
    variants: BTreeMap<String, Value>,
    #[serde(default)]
    default_variant: Option<String>,
    #[serde(default)]
    targeting: Option<Value>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum State {
    Enabled,
    Disabled,
}

/// Imports flags and evaluators. The document is rejected only if it is not a flagd document.
///
/// # Errors
/// Returns errors if the text is not a flagd document, or the result would break a rule.
pub fn flagd(text: &str) -> Result<Imported, Vec<Diagnostic>> {
    let input: Definitions = serde_json::from_str(text).map_err(|error| malformed(&error))?;
    Draft::make(|draft| {
        for (key, definition) in &input.flags {
            let place = SourcePointer::default().at("flags").at(key);
            translate(draft, &input, key, definition, &place);
        }
    })
}

fn translate(
    draft: &mut Draft,
    input: &Definitions,
    key: &str,
    definition: &Definition,
    place: &SourcePointer,
) {
    let default_name = definition.default_variant.as_ref();
    let default = default_name.filter(|name| definition.variants.contains_key(*name));
    let Some(first) = definition.variants.keys().next() else {
        return draft.leave_out(place, "the flag has no variants");
    };
    let variations = definition.variants.iter();
    let mut flag = draft::flag(
        key,
        r#type(definition.variants.values()),
        variations
            .map(|(name, value)| draft::variation(name.as_str(), draft::json(value)))
            .collect(),
        default.unwrap_or(first),
    );
    // If a flag is disabled, the caller uses its own fallback.
    flag.off_variation = None;
    flag.on = definition.state == State::Enabled;
    if default.is_none() {
        draft.leave_out(
            &place.at("defaultVariant"),
            "the flag has no default variant, which Musette requires; the flag is switched off",
        );
        flag.on = false;
    }
    if let Some(targeting) = definition.targeting.as_ref().filter(|logic| !is_empty(logic)) {
        let place = place.at("targeting");
        targeting::translate(draft, &input.evaluators, &mut flag, targeting, &place);
    }
    draft.flags.push(flag);
}

fn is_empty(logic: &Value) -> bool {
    logic.is_null() || logic.as_object().is_some_and(serde_json::Map::is_empty)
}

fn r#type<'a>(values: impl Iterator<Item = &'a Value> + Clone) -> FlagType {
    let all = |is: fn(&Value) -> bool| values.clone().all(is);
    match () {
        () if all(Value::is_boolean) => FlagType::Boolean,
        () if all(Value::is_string) => FlagType::String,
        () if all(Value::is_number) => FlagType::Number,
        () => FlagType::Json,
    }
}

#[cfg(test)]
mod tests;
