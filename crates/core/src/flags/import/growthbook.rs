//! Imports GrowthBook's SDK payload (`/api/features/:key`), not encrypted.

mod condition;
mod input;
mod layer;
mod prerequisite;
mod rule;
mod test;
mod values;

use self::rule::LeftOut;
use self::values::Values;
use super::draft::{self, Draft};
use super::report::SourcePointer;
use super::{Imported, malformed};
use crate::flags::diagnostic::Diagnostic;
use crate::flags::document::Flag;

/// Imports features with their rules. The document is rejected only if it is not a GrowthBook
/// payload.
///
/// # Errors
/// Returns errors if the text is not a GrowthBook payload, or the result would break a rule.
pub fn growthbook(text: &str) -> Result<Imported, Vec<Diagnostic>> {
    let input: input::Payload = serde_json::from_str(text).map_err(|error| malformed(&error))?;
    Draft::make(|draft| {
        for (name, feature) in &input.features {
            let place = SourcePointer::default().at("features").at(name);
            translate(draft, &input, name, feature, &place);
        }
        prerequisite::switch_off_dependents(draft);
        if !input.experiments.is_empty() {
            let place = SourcePointer::default().at("experiments");
            draft.leave_out(&place, "changes of pages and redirects have no counterpart");
        }
    })
}

fn translate(
    draft: &mut Draft,
    input: &input::Payload,
    name: &str,
    feature: &input::Feature,
    place: &SourcePointer,
) {
    if feature.default_value.is_null() {
        let reason = "the feature has no default value, which Musette requires; it is left out";
        return draft.leave_out(&place.at("defaultValue"), reason);
    }
    let values = Values::of(feature);
    let default = values.key(&feature.default_value);
    let mut flag = draft::flag(name, values.r#type(), values.variations(), &default);
    // If a prerequisite is not met, nothing is served.
    flag.off_variation = None;
    let mut only_gates = true;
    for (i, rule) in feature.rules.iter().enumerate() {
        let place = place.at("rules").at(i);
        if only_gates {
            prerequisite::gates(draft, input, rule, &mut flag, &place);
        } else if rule.parent_conditions.iter().any(|parent| parent.gate) {
            draft.leave_out(
                &place,
                "a prerequisite after other rules is not supported; the flag is switched off",
            );
            flag.on = false;
            draft.incomplete.insert(name.to_owned());
        }
        only_gates &= !rule.serves();
        if !rule.serves() {
            continue;
        }
        match rule::translate(draft, input, &flag, rule, &values, &place) {
            Ok(rule) => flag.rules.extend(rule),
            Err(LeftOut) => {
                draft.incomplete.insert(name.to_owned());
                if !rule.only_switches_on() {
                    end_after(draft, feature, &mut flag, &place);
                    break;
                }
            }
        }
    }
    draft.flags.push(flag);
}

/// Ends the rules at one that was left out: the later ones would reach its users, who were off or had another value.
fn end_after(draft: &mut Draft, feature: &input::Feature, flag: &mut Flag, place: &SourcePointer) {
    if feature.default_value == true {
        flag.on = false;
        let reason = "its users would get the default, which is true; the flag is switched off";
        return draft.leave_out(place, reason);
    }
    draft.leave_out(place, "its users would reach the rules after it, so these are left out too");
}

#[cfg(test)]
mod tests;
