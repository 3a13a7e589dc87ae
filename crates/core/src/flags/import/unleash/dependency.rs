//! Converts dependencies of Unleash into prerequisites.

use super::input::{Dependency, Features};
use crate::flags::document::Prerequisite;
use crate::flags::import::draft::Draft;
use crate::flags::import::report::SourcePointer;

/// Converts all dependencies. It runs after all flags are converted, because a dependency names
/// variations of another flag.
///
/// If a dependency cannot be converted, the flag is switched off. Without its dependency, it would
/// reach users that it did not reach before.
pub(super) fn translate(draft: &mut Draft, input: &Features) {
    for (i, feature) in input.features.iter().enumerate() {
        let place = SourcePointer::default().at("features").at(i).at("dependencies");
        for (j, dependency) in feature.dependencies.iter().enumerate() {
            match prerequisite(draft, input, dependency) {
                Ok(prerequisite) => draft.flags[i].prerequisites.push(prerequisite),
                Err(reason) => {
                    draft.leave_out(&place.at(j), format!("{reason}; the flag is switched off"));
                    draft.flags[i].on = false;
                }
            }
        }
    }
}

fn prerequisite(
    draft: &Draft,
    input: &Features,
    dependency: &Dependency,
) -> Result<Prerequisite, String> {
    let name = dependency.feature.as_str();
    let position = input.features.iter().position(|feature| feature.name == name);
    let Some(position) = position else {
        return Err(format!("there is no feature {name}"));
    };
    let (parent, flag) = (&input.features[position], &draft.flags[position]);
    if !parent.dependencies.is_empty() {
        return Err(format!(
            "{name} itself has dependencies, and Unleash never meets such a dependency"
        ));
    }
    // Without the left-out rule more people get its off variation, and others another variant.
    let is_by_variation = dependency.enabled == Some(false) || !dependency.variants.is_empty();
    if is_by_variation && draft.incomplete.contains(name) {
        return Err(format!("a part of {name} was left out"));
    }
    let off = &flag.default_variation;
    if dependency.enabled == Some(false) {
        if !parent.enabled {
            return Err(format!("{name} is switched off, so it cannot meet a prerequisite"));
        }
        return Ok(Prerequisite { flag: name.to_owned(), r#in: vec![off.clone()] });
    }
    let keys = flag.variations.iter().map(|variation| &variation.key).filter(|key| *key != off);
    // Unleash uses the name `disabled` if an enabled feature serves no variant.
    let variants =
        || parent.strategies.iter().flat_map(|strategy| &strategy.variants).chain(&parent.variants);
    let is_accepted = |key: &&String| {
        let is_listed = |name: &str| dependency.variants.iter().any(|variant| variant == name);
        let is_variant = variants().any(|variant| variant.name == **key);
        dependency.variants.is_empty() || is_listed(if is_variant { key } else { "disabled" })
    };
    let r#in: Vec<String> = keys.filter(is_accepted).cloned().collect();
    if r#in.is_empty() {
        return Err(format!("{name} has none of the required variants"));
    }
    Ok(Prerequisite { flag: name.to_owned(), r#in })
}
