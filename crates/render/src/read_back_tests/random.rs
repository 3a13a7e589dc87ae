//! Random numbers (xorshift64*), so that a seed gives the same documents everywhere.

use std::env;

pub(super) struct Random(u64);

impl Random {
    /// Returns the generator of one document.
    pub(super) fn of(seed: u64, index: u64) -> Self {
        Self((seed << 32 | index << 1 | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(super) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.below(1000) as f64 / 1000.0
    }

    pub(super) fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at as u64 + 1) as usize);
        }
    }
}

/// Returns a number of the environment.
pub(super) fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().filter(|text| !text.is_empty()).map_or(otherwise, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}"))
    })
}
