use super::input::Rule;
use crate::flags::document::{Layer, Slot};
use crate::flags::import::draft::Draft;

/// Returns the layer with the slot of the rule's experiment, and creates it if needed. Returns
/// `None` for an experiment without a namespace.
pub(super) fn of(
    draft: &mut Draft,
    rule: &Rule,
    experiment: &str,
) -> Result<Option<String>, String> {
    let (key, from, to) = match (&rule.filters[..], &rule.namespace) {
        ([], None) => return Ok(None),
        // GrowthBook also prefers filters if it has both.
        ([], Some((key, from, to))) => (key, *from, *to),
        ([filter], _) if filter.ranges.len() == 1 => {
            let attribute = filter.attribute.as_deref().unwrap_or("id");
            if attribute != rule.unit() {
                return Err(format!(
                    "the filter uses {attribute}, but an experiment must use one attribute for everything"
                ));
            }
            (&filter.seed, filter.ranges[0].0, filter.ranges[0].1)
        }
        _ => return Err("an experiment can have only one slot in one layer".to_owned()),
    };
    let bucket = |share: f64| (share.clamp(0.0, 1.0) * 100_000.0).round() as u32;
    let slot = Slot { experiment: experiment.to_owned(), from: bucket(from), to: bucket(to) };
    if slot.from >= slot.to {
        return Err("the range of the namespace is empty".to_owned());
    }
    let existing = draft.layers.iter().position(|layer| layer.key == *key);
    let index = existing.unwrap_or_else(|| {
        let (description, slots) = (None, Vec::new());
        draft.layers.push(Layer { key: key.clone(), description, salt: key.clone(), slots });
        draft.layers.len() - 1
    });
    let slots = &mut draft.layers[index].slots;
    if slots.iter().any(|other| other.from < slot.to && slot.from < other.to) {
        return Err(format!(
            "its range in {key} overlaps that of another experiment, but slots must not overlap"
        ));
    }
    slots.push(slot);
    Ok(Some(key.clone()))
}
