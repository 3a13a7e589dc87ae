//! flagd's flag definitions (`flagd.dev/schema/v0/flags.json`), whose targeting is JsonLogic.

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

/// Flags and evaluators; the document is refused only when it is none of flagd's.
///
/// # Errors
/// When the text is not a document of flagd, or the result would break a rule.
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
    let named = definition.default_variant.as_ref();
    let default = named.filter(|name| definition.variants.contains_key(*name));
    let Some(first) = definition.variants.keys().next() else {
        return draft.leave_out(place, "a flag without variants");
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
    // A flag that is disabled leaves the caller with its own fallback.
    flag.off_variation = None;
    flag.on = definition.state == State::Enabled;
    if default.is_none() {
        draft.leave_out(
            &place.at("defaultVariant"),
            "a flag always has a default here; the flag is switched off",
        );
        flag.on = false;
    }
    if let Some(targeting) = definition.targeting.as_ref().filter(|logic| !is_empty(logic)) {
        let place = place.at("targeting");
        flag.rules = targeting::rules(draft, &input.evaluators, &flag, targeting, &place);
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
