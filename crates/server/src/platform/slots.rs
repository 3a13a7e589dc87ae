//! Limits the number of things that each holder has at once, such as connections of an address.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts the slots of each holder; holders without slots use no memory.
pub struct Slots<K>(Arc<Shared<K>>);

struct Shared<K> {
    each: usize,
    taken: Mutex<HashMap<K, usize>>,
}

/// A slot, which is released when this is dropped.
pub struct HeldSlot<K: Eq + Hash> {
    shared: Arc<Shared<K>>,
    holder: K,
}

impl<K: Copy + Eq + Hash> Slots<K> {
    /// Creates slots, of which each holder may take `each`.
    pub fn new(each: usize) -> Self {
        Self(Arc::new(Shared { each, taken: Mutex::default() }))
    }

    /// Takes a slot. None if the holder already has the maximum.
    pub fn take(&self, holder: K) -> Option<HeldSlot<K>> {
        let mut counts = self.0.lock();
        let count = counts.entry(holder).or_default();
        if *count >= self.0.each {
            return None;
        }
        *count += 1;
        drop(counts);
        Some(HeldSlot { shared: Arc::clone(&self.0), holder })
    }
}

impl<K> Shared<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for HeldSlot<K> {
    fn drop(&mut self) {
        let mut counts = self.shared.lock();
        if let Some(count) = counts.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn limits_each_holder_separately_and_reuses_released_slots() {
        let slots = Slots::new(2);
        let first = slots.take("a").expect("one");
        let second = slots.take("a").expect("two");
        assert!(slots.take("a").is_none());
        let other = slots.take("b").expect("another's");
        drop(first);
        let again = slots.take("a").expect("released");
        drop((second, other, again));
        assert!(slots.0.lock().is_empty(), "no holder is left in memory");
    }
}
