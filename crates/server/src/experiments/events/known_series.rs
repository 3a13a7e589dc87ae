//! A cache, with two generations, of the series that the store has. A series that is evicted costs
//! an additional statement.

use std::collections::HashSet;

/// More than a large configuration has.
const GENERATION_SIZE: usize = 20_000;

/// The cache. When the young generation is full, it replaces the old one.
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
        let is_old = self.old.remove(&id);
        if is_old {
            self.add(id);
        }
        is_old
    }

    pub fn add(&mut self, id: i64) {
        if self.young.len() >= GENERATION_SIZE {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::{GENERATION_SIZE, KnownSeries};

    #[test]
    fn keeps_what_is_used_however_many_are_added() {
        let mut series = KnownSeries::default();
        series.add(-1);
        series.add(-2);
        for id in 0..10 * GENERATION_SIZE as i64 {
            series.add(id);
            if id % 1_000 == 0 {
                assert!(series.has(-1), "{id}");
            }
        }
        assert!(!series.has(-2));
        assert!(series.young.len() + series.old.len() <= 2 * GENERATION_SIZE);
    }
}
