//! Checks of layers: no bucket belongs to two experiments.

use super::Check;
use crate::flags::bucket::BUCKETS;
use crate::flags::document::Slot;
use crate::flags::pointer::Pointer;

const SLOTS_MAX: usize = 1_000;

impl Check<'_> {
    pub(super) fn layers(&mut self) {
        let list = Pointer::DOCUMENT.name("layers");
        let document = self.document;
        self.keys(document.layers.iter().map(|layer| layer.key.as_str()), &list, "key");
        for (index, layer) in document.layers.iter().enumerate() {
            let item = list.index(index);
            let slots = item.name("slots");
            self.at_most(layer.slots.len(), SLOTS_MAX, &slots);
            for (index, slot) in layer.slots.iter().take(SLOTS_MAX).enumerate() {
                let place = slots.index(index);
                if slot.from >= slot.to || slot.to > BUCKETS {
                    let detail =
                        format!("A slot must end after its start and at most at {BUCKETS}.");
                    self.report(&place, "out_of_range", detail);
                }
                let overlaps = |other: &&Slot| slot.from < other.to && other.from < slot.to;
                if let Some(other) = layer.slots[..index].iter().find(overlaps) {
                    let detail = format!("This slot overlaps the slot of {:?}.", other.experiment);
                    self.report(&place, "overlapping_slots", detail);
                }
                let named = place.name("experiment");
                match self.experiments.get(slot.experiment.as_str()) {
                    None => {
                        let detail = format!("There is no experiment named {:?}.", slot.experiment);
                        self.report(&named, "unknown_experiment", detail);
                    }
                    Some(experiment) if experiment.layer.as_ref() != Some(&layer.key) => {
                        let detail = format!("{:?} is not in this layer.", slot.experiment);
                        self.report(&named, "other_layer", detail);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
