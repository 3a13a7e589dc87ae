use super::input::Rule;
use crate::flags::document::{Layer, Slot};
use crate::flags::import::draft::Draft;

/// The layer in which the rule's experiment has its slot, made where it is not there yet; none for
/// an experiment without a namespace.
pub(super) fn of(
    draft: &mut Draft,
    rule: &Rule,
    experiment: &str,
) -> Result<Option<String>, String> {
    let (key, from, to) = match (&rule.filters[..], &rule.namespace) {
        ([], None) => return Ok(None),
        // GrowthBook, too, goes by the filters where it has both.
        ([], Some((key, from, to))) => (key, *from, *to),
        ([filter], _) if filter.ranges.len() == 1 => {
            let attribute = filter.attribute.as_deref().unwrap_or("id");
            if attribute != rule.unit() {
                return Err(format!(
                    "{attribute} draws the filter, and one attribute draws all here"
                ));
            }
            (&filter.seed, filter.ranges[0].0, filter.ranges[0].1)
        }
        _ => return Err("an experiment has one slot in one layer here".to_owned()),
    };
    let bucket = |share: f64| (share.clamp(0.0, 1.0) * 100_000.0).round() as u32;
    let slot = Slot { experiment: experiment.to_owned(), from: bucket(from), to: bucket(to) };
    if slot.from >= slot.to {
        return Err("an empty part of a namespace".to_owned());
    }
    let known = draft.layers.iter().position(|layer| layer.key == *key);
    let index = known.unwrap_or_else(|| {
        let (description, slots) = (None, Vec::new());
        draft.layers.push(Layer { key: key.clone(), description, salt: key.clone(), slots });
        draft.layers.len() - 1
    });
    let slots = &mut draft.layers[index].slots;
    if slots.iter().any(|other| other.from < slot.to && slot.from < other.to) {
        return Err(format!(
            "another experiment shares its part of {key}: slots do not overlap here"
        ));
    }
    slots.push(slot);
    Ok(Some(key.clone()))
}
