//! The names that the store knows, as far as this node remembers. Forgetting one costs a statement and
//! nothing else, so a live name never has to give way for good.

use std::collections::HashSet;

/// More than a large configuration has.
const GENERATION: usize = 20_000;

/// Those of late, and those of before; when there are too many of late, those of before are forgotten.
#[derive(Default)]
pub struct Known {
    late: HashSet<i64>,
    before: HashSet<i64>,
}

impl Known {
    pub fn has(&mut self, id: i64) -> bool {
        if self.late.contains(&id) {
            return true;
        }
        let was = self.before.remove(&id);
        if was {
            self.add(id);
        }
        was
    }

    pub fn add(&mut self, id: i64) {
        if self.late.len() >= GENERATION {
            self.before = std::mem::take(&mut self.late);
        }
        self.late.insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::{GENERATION, Known};

    #[test]
    fn what_is_used_stays_however_many_come() {
        let mut known = Known::default();
        known.add(-1);
        known.add(-2);
        for id in 0..10 * GENERATION as i64 {
            known.add(id);
            if id % 1_000 == 0 {
                assert!(known.has(-1), "{id}");
            }
        }
        assert!(!known.has(-2));
        assert!(known.late.len() + known.before.len() <= 2 * GENERATION);
    }
}
