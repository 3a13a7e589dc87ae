//! Dependencies of Unleash as prerequisites.

use super::input::{Dependency, Features};
use crate::flags::document::Prerequisite;
use crate::flags::import::draft::Draft;
use crate::flags::import::report::SourcePointer;

/// After all flags are made, since a dependency names variations of another.
///
/// Where a dependency cannot be carried over, the flag is switched off: on its own it would reach
/// people that it did not reach.
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
        return Err(format!("{name} depends on others itself, which Unleash never fulfils"));
    }
    // Without the left-out rule more people get its off variation, and others another variant.
    let is_by_variation = dependency.enabled == Some(false) || !dependency.variants.is_empty();
    if is_by_variation && draft.incomplete.contains(name) {
        return Err(format!("a part of {name} was left out"));
    }
    let off = &flag.default_variation;
    if dependency.enabled == Some(false) {
        if !parent.enabled {
            return Err(format!("{name} is switched off, which fulfils no prerequisite here"));
        }
        return Ok(Prerequisite { flag: name.to_owned(), r#in: vec![off.clone()] });
    }
    let keys = flag.variations.iter().map(|variation| &variation.key).filter(|key| *key != off);
    // Unleash calls it `disabled` when a feature that is enabled gives no variant.
    let variants =
        || parent.strategies.iter().flat_map(|strategy| &strategy.variants).chain(&parent.variants);
    let named = |key: &&String| {
        let asked = |name: &str| dependency.variants.iter().any(|variant| variant == name);
        let is_variant = variants().any(|variant| variant.name == **key);
        dependency.variants.is_empty() || asked(if is_variant { key } else { "disabled" })
    };
    let r#in: Vec<String> = keys.filter(named).cloned().collect();
    if r#in.is_empty() {
        return Err(format!("{name} has none of the variants"));
    }
    Ok(Prerequisite { flag: name.to_owned(), r#in })
}
