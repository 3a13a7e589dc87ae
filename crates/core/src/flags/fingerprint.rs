//! The fingerprint behind an `ETag`: a hash of all inputs that the answers depend on, and of
//! nothing else. It is computed without evaluating.
//!
//! The configuration and the flags are hashed once, by SHA-256. That is the key of the hash that is computed for
//! each request, SipHash-1-3 with 128 bits: two answers have one fingerprint by chance once in 2^128 pairs. A tag is
//! only compared with the one that the same caller got before, so whoever searched for two answers with one tag
//! would keep the newer from nobody but themselves. SHA-256 for each request costs several times as much, and far
//! more on a processor without instructions for it.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher as _};

use sha2::{Digest as _, Sha256};
use siphasher::sip128::{Hasher128 as _, SipHasher13};

use super::context::{Context, SlotId};
use super::moment::Moment;
use super::snapshot::{FlagId, Serve, Snapshot};

/// Flags that are asked for together. What their fingerprint has to look at is worked out once for all
/// people.
#[derive(Debug)]
pub struct Selection {
    /// Keyed by the configuration and the flags.
    hasher: SipHasher13,
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
        let hash: [u8; 32] = state.finalize().into();
        let key = hash.first_chunk().expect("half of it");
        let hasher = SipHasher13::new_with_key(key);
        let read = (0..).zip(slots).filter(|(_, is_read)| *is_read);
        let slots = read.map(|(slot, _)| SlotId(slot)).collect();
        Self { hasher, slots, sticky: sticky.into_iter().collect() }
    }
}

pub(super) fn fingerprint(
    snapshot: &Snapshot,
    selection: &Selection,
    context: &Context<'_>,
    moment: &Moment<'_>,
    form: impl Hash,
) -> u128 {
    let mut hasher = selection.hasher;
    hasher.write_usize(snapshot.steps_until(moment.now));
    for slot in &selection.slots {
        let raw = context.raw(*slot);
        // Which it is, and where it ends.
        hasher.write_u64(u64::from(slot.0) << 48 | raw.len() as u64);
        hasher.write(raw.as_bytes());
    }
    for sticky in &selection.sticky {
        assigned(snapshot, *sticky, context, moment, &mut hasher);
    }
    form.hash(&mut hasher);
    hasher.finish128().as_u128()
}

/// Records the question that evaluation would ask, and the answer.
fn assigned(
    snapshot: &Snapshot,
    (flag, rule): (u32, u32),
    context: &Context<'_>,
    moment: &Moment<'_>,
    hasher: &mut SipHasher13,
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
        (slot.0, &it.key, assigned.bucket_version, assigned.variation).hash(hasher);
        // The own assignment decides alone.
        break;
    }
}

#[cfg(test)]
mod tests;
