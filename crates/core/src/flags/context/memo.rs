//! Stored results of conditions that several flags share, for one person.

use std::sync::atomic::{AtomicU64, Ordering};

const WORDS: usize = 4;
/// Each result has two bits.
const PER_WORD: usize = 32;

/// Position of a condition that several rules share, in all contexts of its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::flags) struct MemoId(u8);

impl MemoId {
    /// Maximum number of results. They are stored next to the attributes, without an allocation.
    pub const MAX: usize = WORDS * PER_WORD;

    pub fn new(number: usize) -> Option<Self> {
        (number < Self::MAX).then_some(Self(number as u8))
    }

    #[inline]
    fn word_and_bit(self) -> (usize, u32) {
        let number = usize::from(self.0);
        (number / PER_WORD % WORDS, 2 * (number % PER_WORD) as u32)
    }
}

#[derive(Debug, Default)]
pub(super) struct Memo([AtomicU64; WORDS]);

impl Memo {
    pub const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; WORDS])
    }

    #[inline]
    pub fn get(&self, id: MemoId) -> Option<bool> {
        let (word, bit) = id.word_and_bit();
        match self.0[word].load(Ordering::Relaxed) >> bit & 3 {
            0 => None,
            bits => Some(bits == 3),
        }
    }

    /// Stores a result. If two threads store at the same time, one result may be lost and is
    /// evaluated again.
    #[inline]
    pub fn set(&self, id: MemoId, outcome: bool) {
        let (word, bit) = id.word_and_bit();
        let bits = 1 | u64::from(outcome) << 1;
        let previous = self.0[word].load(Ordering::Relaxed);
        self.0[word].store(previous | bits << bit, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Memo, MemoId};

    #[test]
    fn stores_each_result_separately() {
        let memo = Memo::new();
        let ids = || (0..MemoId::MAX).map(|number| MemoId::new(number).expect("room"));
        for id in ids() {
            assert_eq!(memo.get(id), None);
            memo.set(id, id.0 % 3 == 0);
            assert_eq!(memo.get(id), Some(id.0 % 3 == 0));
        }
        assert!(ids().all(|id| memo.get(id) == Some(id.0 % 3 == 0)));
        assert_eq!(MemoId::new(MemoId::MAX), None);
    }
}
