//! Detects duplicate names in an object.

use std::collections::HashSet;

/// Up to this number, names are compared one by one.
const FEW_NAMES: usize = 16;

/// The names of one object so far, as 64-bit hashes. An accidental collision is less likely than a
/// memory error. A caller who constructs a collision only causes an error for their own request.
pub(super) struct SeenNames {
    few: [u64; FEW_NAMES],
    count: usize,
    many: Option<HashSet<u64>>,
}

impl SeenNames {
    pub const fn new() -> Self {
        Self { few: [0; FEW_NAMES], count: 0, many: None }
    }

    /// Adds a name and returns whether the object did not have it yet.
    #[inline]
    pub fn insert(&mut self, hash: u64) -> bool {
        let few = &self.few[..self.count];
        if few.contains(&hash) {
            false
        } else if self.count < FEW_NAMES {
            self.few[self.count] = hash;
            self.count += 1;
            true
        } else {
            self.many.get_or_insert_default().insert(hash)
        }
    }
}
