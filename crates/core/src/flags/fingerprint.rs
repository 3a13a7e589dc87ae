//! The fingerprint behind an `ETag`: a hash of all inputs that the answers depend on, and of
//! nothing else. It is computed without evaluating.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use super::context::{Context, SlotId};
use super::moment::Moment;
use super::snapshot::{FlagId, Serve, Snapshot};

/// Flags that are asked for together. What their fingerprint has to look at is worked out once for all
/// people.
#[derive(Debug)]
pub struct Selection {
    /// The configuration and the flags are hashed.
    state: Sha256,
    slots: Box<[SlotId]>,
    sticky: Box<[(u32, u32)]>,
}

impl Selection {
    pub(super) fn new(snapshot: &Snapshot, flags: impl IntoIterator<Item = FlagId>) -> Self {
        let mut state = Sha256::new();
        let mut slots = vec![false; snapshot.slots.types.len()];
        let mut sticky: BTreeSet<(u32, u32)> = BTreeSet::new();
        state.update(snapshot.digest);
        for flag in flags {
            state.update(flag.number().to_le_bytes());
            let compiled = snapshot.compiled(flag);
            for slot in &compiled.relevant {
                slots[usize::from(slot.0)] = true;
            }
            sticky.extend(&compiled.sticky);
        }
        // Ends the list of flags.
        state.update(u32::MAX.to_le_bytes());
        let read = (0..).zip(slots).filter(|(_, is_read)| *is_read);
        let slots = read.map(|(slot, _)| SlotId(slot)).collect();
        Self { state, slots, sticky: sticky.into_iter().collect() }
    }
}

pub(super) fn fingerprint(
    snapshot: &Snapshot,
    selection: &Selection,
    context: &Context<'_>,
    moment: &Moment<'_>,
) -> u128 {
    let mut state = selection.state.clone();
    state.update(snapshot.steps_until(moment.now).to_le_bytes());
    for slot in &selection.slots {
        let raw = context.raw(*slot);
        let mut head = [0; 10];
        head[..2].copy_from_slice(&slot.0.to_le_bytes());
        head[2..].copy_from_slice(&(raw.len() as u64).to_le_bytes());
        state.update(head);
        state.update(raw);
    }
    for sticky in &selection.sticky {
        assigned(snapshot, *sticky, context, moment, &mut state);
    }
    let hash: [u8; 32] = state.finalize().into();
    let (half, _) = hash.split_at(16);
    half.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

/// Records the question that evaluation would ask, and the answer.
fn assigned(
    snapshot: &Snapshot,
    (flag, rule): (u32, u32),
    context: &Context<'_>,
    moment: &Moment<'_>,
    state: &mut Sha256,
) {
    let flag = snapshot.compiled(FlagId::from_number(flag));
    let Some(Serve::Experiment(it)) = flag.rules.get(rule as usize).map(|rule| &rule.serve) else {
        return;
    };
    for slot in [Some(it.unit), it.fallback_unit].into_iter().flatten() {
        let Some(unit) = context.unit(slot) else { continue };
        let Some(assigned) = moment.sticky.assigned(&it.key, snapshot.attribute(slot), unit) else {
            continue;
        };
        state.update(slot.0.to_le_bytes());
        state.update(it.key.len().to_le_bytes());
        state.update(it.key.as_bytes());
        state.update(assigned.bucket_version.to_le_bytes());
        state.update(assigned.variation.len().to_le_bytes());
        state.update(assigned.variation);
        // The own assignment decides alone.
        break;
    }
}

#[cfg(test)]
mod tests;
