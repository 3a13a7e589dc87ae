//! A string interner: each distinct text gets a number, and look-ups give the number. Flags, attributes and
//! lists of ids are looked up in it on every evaluation.
//!
//! It is built once and then only read: an open-addressing table with linear probing, at most half full, whose
//! slots hold the number and the upper half of the hash, so that a slot of another text is almost never
//! compared. All texts lie in one allocation. A look-up is O(length of the text): hash, one or two probes, one
//! comparison. The hash is not keyed, and need not be: the texts come from operators, so that nobody outside
//! can choose them to collide. `HashMap<Box<str>, u32>` would hash with a
//! keyed function and scatter the texts over the heap.

/// A set of texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: String,
    /// End of each name in `text`.
    ends: Vec<u32>,
    /// Open addressing, at most half full; 0 is free, else the number + 1 and, above it, part of
    /// the hash, so that another name is seldom compared.
    table: Vec<u64>,
}

impl Interner {
    /// The first of equal names counts.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut it = Self::default();
        for name in names {
            it.text.push_str(name);
            it.ends.push(it.text.len() as u32);
        }
        it.table = vec![0; (it.ends.len() * 2).next_power_of_two().max(4)];
        for number in 0..it.ends.len() as u32 {
            let hash = hash(it.name(number).as_bytes());
            let mut at = it.start(hash);
            while it.table[at] != 0 {
                at = (at + 1) & (it.table.len() - 1);
            }
            it.table[at] = hash & HIGH | u64::from(number + 1);
        }
        it
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub fn name(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[number] as usize]
    }

    #[inline]
    pub fn find(&self, name: &str) -> Option<u32> {
        self.find_hashed(name.as_bytes(), hash(name.as_bytes()))
    }

    #[inline(never)]
    pub fn holds(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Look-up for a caller that has computed the hash already.
    #[inline]
    pub fn find_hashed(&self, name: &[u8], hash: u64) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let mut at = self.start(hash);
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return None;
            }
            let number = (entry & !HIGH) as u32 - 1;
            if entry & HIGH == hash & HIGH && same_bytes(self.bytes(number), name) {
                return Some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    /// Without the look that a text takes at where its characters begin.
    #[inline]
    fn bytes(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text.as_bytes()[start as usize..self.ends[number] as usize]
    }

    #[inline]
    fn start(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }
}

const HIGH: u64 = 0xffff_ffff_0000_0000;

/// Equality of texts that are mostly short: calling the library costs more than a few bytes do.
#[inline]
pub(super) fn same(one: &str, other: &str) -> bool {
    same_bytes(one.as_bytes(), other.as_bytes())
}

#[inline]
pub(super) fn same_bytes(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        0..4 => one.iter().zip(other).all(|(one, other)| one == other),
        4..8 => ends_alike::<4>(one, other),
        8..=16 => ends_alike::<8>(one, other),
        _ => one == other,
    }
}

/// Compares texts of `N` to `2 * N` bytes: their first and last `N` bytes cover them.
#[inline]
fn ends_alike<const N: usize>(one: &[u8], other: &[u8]) -> bool {
    one.first_chunk::<N>() == other.first_chunk() && one.last_chunk::<N>() == other.last_chunk()
}

/// Both ends of a short text at once, of a long one eight bytes at a time, and one multiplication for
/// sixteen: nearly every name is that short.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    const OTHER: u64 = 0xd6e8_feb8_6659_fd93;
    let folded = |one: u64, other: u64| {
        let product = u128::from(one ^ ODD) * u128::from(other ^ OTHER);
        product as u64 ^ (product >> 64) as u64
    };
    let length = bytes.len() as u64;
    let (first, last) = match bytes.len() {
        0..4 => (short(bytes), 0),
        4..=8 => (u64::from(first_four(bytes)), u64::from(last_four(bytes))),
        9..=16 => (first_eight(bytes), last_eight(bytes)),
        _ => {
            let words = bytes.as_chunks::<8>().0.iter();
            let first = words.fold(0, |hash, word| folded(hash, u64::from_le_bytes(*word)));
            (first, last_eight(bytes))
        }
    };
    // Ends overlap; the length tells equal ones apart.
    folded(first ^ length.rotate_left(56), last)
}

/// A text of at most seven bytes as a number that no other such text has.
#[inline]
pub(super) fn packed(bytes: &[u8]) -> Option<u64> {
    let bits = 8 * bytes.len() as u32;
    let word = match bytes.len() {
        0..4 => short(bytes),
        4..=7 => {
            let beyond = u64::from(last_four(bytes)) >> (64 - bits);
            u64::from(first_four(bytes)) | beyond << 32
        }
        _ => return None,
    };
    Some(word | (bytes.len() as u64) << 56)
}

/// Up to three bytes: first, middle and last.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return 0 };
    let middle = bytes[bytes.len() / 2];
    u64::from(*first) | u64::from(middle) << 8 | u64::from(*last) << 16
}

#[inline]
fn first_four(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |it| u32::from_le_bytes(*it))
}

#[inline]
fn last_four(bytes: &[u8]) -> u32 {
    bytes.last_chunk().map_or(0, |it| u32::from_le_bytes(*it))
}

#[inline]
fn first_eight(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |it| u64::from_le_bytes(*it))
}

#[inline]
fn last_eight(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |it| u64::from_le_bytes(*it))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Interner, hash, packed, same};

    #[test]
    fn every_name_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 7, 8, 1_000, 20_000] {
            let names: Vec<String> = (0..count).map(|it| format!("flag-{it}")).collect();
            let set = Interner::new(names.iter().map(String::as_str));
            assert_eq!(set.len(), count);
            for (number, name) in names.iter().enumerate() {
                assert_eq!(set.find(name), Some(number as u32));
                assert_eq!(set.name(number as u32), name);
            }
            for other in ["", "flag", "flag--1", &format!("flag-{count}"), "😀"] {
                assert_eq!(set.find(other), None, "{other}");
            }
        }
    }

    #[test]
    fn texts_are_the_same_in_every_byte_or_not() {
        for length in 0..40 {
            let text = "abcdefghij".repeat(4)[..length].to_owned();
            assert!(same(&text, &text.clone()));
            assert!(!same(&text, &(text.clone() + "x")));
            for at in 0..length {
                let other = format!("{}X{}", &text[..at], &text[at + 1..]);
                assert!(!same(&text, &other), "{text} {other}");
            }
        }
    }

    #[test]
    fn names_that_differ_by_zeros_are_different() {
        let set = Interner::new(["a", "a\0", "a\0\0", "\0a", "", "aaaaaaaa", "aaaaaaaa\0"]);
        for number in 0..7 {
            assert_eq!(set.find(set.name(number)), Some(number));
        }
    }
    #[test]
    fn texts_that_differ_anywhere_have_other_hashes_and_other_numbers() {
        let (mut hashes, mut numbers, mut texts) = (HashSet::new(), HashSet::new(), 0);
        for length in 0..40_usize {
            let text = "abcdefghij".repeat(4).into_bytes()[..length].to_vec();
            let changed = (0..length).flat_map(|at| [0_u8, 1, 0x7f, 0xff].map(|byte| (at, byte)));
            let changed = changed.map(|(at, byte)| {
                let mut text = text.clone();
                text[at] = byte;
                text
            });
            for text in changed.chain([text.clone()]) {
                texts += 1;
                hashes.insert(hash(&text));
                assert_eq!(packed(&text).is_some(), length < 8);
                numbers.extend(packed(&text));
            }
        }
        assert_eq!(hashes.len(), texts);
        assert_eq!(numbers.len(), (0..8).map(|length| 4 * length + 1).sum::<usize>());
    }
}
