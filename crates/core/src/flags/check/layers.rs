//! Layers: no bucket belongs to two experiments.

use super::Check;
use crate::flags::bucket::BUCKETS;
use crate::flags::document::Slot;
use crate::flags::pointer::Pointer;

const SLOTS_MAX: usize = 1_000;

impl Check<'_> {
    pub(super) fn layers(&mut self) {
        let list = Pointer::DOCUMENT.name("layers");
        let document = self.document;
        self.keys(document.layers.iter().map(|it| it.key.as_str()), &list, "key");
        for (index, layer) in document.layers.iter().enumerate() {
            let item = list.index(index);
            let slots = item.name("slots");
            self.at_most(layer.slots.len(), SLOTS_MAX, &slots);
            for (index, slot) in layer.slots.iter().take(SLOTS_MAX).enumerate() {
                let place = slots.index(index);
                if slot.from >= slot.to || slot.to > BUCKETS {
                    let detail = format!("A slot goes from a bucket to a later one, to {BUCKETS}.");
                    self.fault(&place, "out_of_range", detail);
                }
                let overlaps = |other: &&Slot| slot.from < other.to && other.from < slot.to;
                if let Some(other) = layer.slots[..index].iter().find(overlaps) {
                    let detail = format!("It overlaps the slot of {:?}.", other.experiment);
                    self.fault(&place, "overlapping_slots", detail);
                }
                let named = place.name("experiment");
                match self.experiments.get(slot.experiment.as_str()) {
                    None => {
                        let detail = format!("No experiment is called {:?}.", slot.experiment);
                        self.fault(&named, "unknown_experiment", detail);
                    }
                    Some(it) if it.layer.as_ref() != Some(&layer.key) => {
                        let detail = format!("{:?} is not in this layer.", slot.experiment);
                        self.fault(&named, "other_layer", detail);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
