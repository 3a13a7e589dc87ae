//! The series that the store has, as far as this node remembers: a cache of two generations. A series
//! that was forgotten costs one statement more.

use std::collections::HashSet;

/// More than a large configuration has.
const GENERATION: usize = 20_000;

/// When the young generation is full it becomes the old one, and the old one is forgotten.
#[derive(Default)]
pub struct KnownSeries {
    young: HashSet<i64>,
    old: HashSet<i64>,
}

impl KnownSeries {
    pub fn has(&mut self, id: i64) -> bool {
        if self.young.contains(&id) {
            return true;
        }
        let was = self.old.remove(&id);
        if was {
            self.add(id);
        }
        was
    }

    pub fn add(&mut self, id: i64) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::{GENERATION, KnownSeries};

    #[test]
    fn what_is_used_stays_however_many_come() {
        let mut known = KnownSeries::default();
        known.add(-1);
        known.add(-2);
        for id in 0..10 * GENERATION as i64 {
            known.add(id);
            if id % 1_000 == 0 {
                assert!(known.has(-1), "{id}");
            }
        }
        assert!(!known.has(-2));
        assert!(known.young.len() + known.old.len() <= 2 * GENERATION);
    }
}
