//! The fingerprint for an `ETag`: a hash of exactly the inputs that the results depend on. It is
//! computed without an evaluation.
//!
//! The configuration and the flags are hashed once with SHA-256. The result is the key of
//! SipHash-1-3 with 128 bits, which is computed for each request. Two results have the same
//! fingerprint by chance with a probability of 1 in 2^128.
//!
//! A tag is compared only with the tag that the same caller got before. An attacker who found two
//! results with one tag would only keep the newer result from themselves. SHA-256 for each request
//! would cost several times as much, and far more on processors without instructions for it.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher as _};

use sha2::{Digest as _, Sha256};
use siphasher::sip128::{Hasher128 as _, SipHasher13};

use super::context::{Context, SlotId};
use super::moment::EvaluationInputs;
use super::snapshot::{FlagId, Serve, Snapshot};

/// A set of flags that are evaluated together. The inputs of their fingerprint are determined once
/// and used for all users.
#[derive(Debug)]
pub struct Selection {
    /// The hasher with a key from the configuration and the flags.
    hasher: SipHasher13,
    slots: Box<[SlotId]>,
    sticky: Box<[(u32, u32)]>,
}

impl Snapshot {
    /// Returns a hash of exactly the inputs that the results of these flags depend on.
    pub fn fingerprint(
        &self,
        flags: impl IntoIterator<Item = FlagId>,
        context: &Context<'_>,
        moment: &EvaluationInputs<'_>,
    ) -> u128 {
        self.fingerprint_of(&self.selection(flags), context, moment, ())
    }

    /// Prepares the fingerprint of the same flags for many users.
    pub fn selection(&self, flags: impl IntoIterator<Item = FlagId>) -> Selection {
        Selection::new(self, flags)
    }

    /// Computes [`Self::fingerprint`] for the selected flags and the given format of results.
    pub fn fingerprint_of(
        &self,
        selection: &Selection,
        context: &Context<'_>,
        moment: &EvaluationInputs<'_>,
        form: impl Hash,
    ) -> u128 {
        fingerprint(self, selection, context, moment, form)
    }
}

impl Selection {
    fn new(snapshot: &Snapshot, flags: impl IntoIterator<Item = FlagId>) -> Self {
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

fn fingerprint(
    snapshot: &Snapshot,
    selection: &Selection,
    context: &Context<'_>,
    moment: &EvaluationInputs<'_>,
    form: impl Hash,
) -> u128 {
    let mut hasher = selection.hasher;
    hasher.write_usize(snapshot.steps_until(moment.now));
    for slot in &selection.slots {
        let raw = context.raw(*slot);
        // The number of the slot and the length of the value.
        hasher.write_u64(u64::from(slot.0) << 48 | raw.len() as u64);
        hasher.write(raw.as_bytes());
    }
    for sticky in &selection.sticky {
        hash_assignment(snapshot, *sticky, context, moment, &mut hasher);
    }
    form.hash(&mut hasher);
    hasher.finish128().as_u128()
}

/// Hashes the lookup that evaluation would do, and its result.
fn hash_assignment(
    snapshot: &Snapshot,
    (flag, rule): (u32, u32),
    context: &Context<'_>,
    moment: &EvaluationInputs<'_>,
    hasher: &mut SipHasher13,
) {
    let flag = snapshot.compiled(FlagId::from_number(flag));
    let Some(Serve::Experiment(experiment)) = flag.rules.get(rule as usize).map(|rule| &rule.serve)
    else {
        return;
    };
    for slot in [Some(experiment.unit), experiment.fallback_unit].into_iter().flatten() {
        let Some(unit) = context.unit(slot) else { continue };
        let Some(assigned) =
            moment.sticky.assigned(&experiment.key, snapshot.attribute(slot), unit)
        else {
            continue;
        };
        (slot.0, &experiment.key, assigned.bucket_version, assigned.variation).hash(hasher);
        // If the own unit has an assignment, the fallback unit is not used.
        break;
    }
}

#[cfg(test)]
mod tests;
