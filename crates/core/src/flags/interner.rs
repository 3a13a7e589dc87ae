//! A string interner: each distinct text gets a number, and a lookup returns the number. Every
//! evaluation looks up flags, attributes and lists of ids.
//!
//! It is built once and then only read. It is an open-addressing table with linear probing, at most
//! half full. Its slots contain the number and the upper half of the hash, so that different texts
//! are almost never compared. All texts are in one allocation. A lookup is O(length of the text): a
//! hash, one or two probes, and one comparison.
//!
//! The hash has no key and needs none: the texts come from operators, so an attacker cannot choose
//! them to collide. `HashMap<Box<str>, u32>` would use a keyed hash and distribute the texts over
//! the heap.

/// A set of texts, numbered in the order of insertion.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: String,
    /// End of each name in `text`.
    ends: Vec<u32>,
    /// The hash table. 0 is a free slot. Other slots contain the number + 1 and the upper half of
    /// the hash, so that different names are rarely compared.
    table: Vec<u64>,
}

impl Interner {
    /// Builds the set. Of equal names, the first one is found.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut interner = Self::default();
        for name in names {
            interner.text.push_str(name);
            interner.ends.push(interner.text.len() as u32);
        }
        interner.table = vec![0; (interner.ends.len() * 2).next_power_of_two().max(4)];
        for number in 0..interner.ends.len() as u32 {
            let hash = hash(interner.name(number).as_bytes());
            let mut at = interner.start(hash);
            while interner.table[at] != 0 {
                at = (at + 1) & (interner.table.len() - 1);
            }
            interner.table[at] = hash & HIGH | u64::from(number + 1);
        }
        interner
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

    /// Looks up a name whose hash the caller has already computed.
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

    /// Returns the bytes of a name, without the check of character boundaries in `name`.
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

/// Compares texts that are mostly short, for which a call of the library is slower.
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
        4..8 => same_ends::<4>(one, other),
        8..=16 => same_ends::<8>(one, other),
        _ => one == other,
    }
}

/// Compares texts of `N` to `2 * N` bytes: their first and last `N` bytes cover the whole text.
#[inline]
fn same_ends<const N: usize>(one: &[u8], other: &[u8]) -> bool {
    one.first_chunk::<N>() == other.first_chunk() && one.last_chunk::<N>() == other.last_chunk()
}

/// Hashes a text: both ends of a short text at once, and a long text eight bytes at a time. Texts
/// of up to sixteen bytes, which are nearly all names, need one multiplication.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    const OTHER: u64 = 0xd6e8_feb8_6659_fd93;
    let fold = |one: u64, other: u64| {
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
            let first = words.fold(0, |hash, word| fold(hash, u64::from_le_bytes(*word)));
            (first, last_eight(bytes))
        }
    };
    // The two ends may overlap. The length distinguishes texts with equal ends.
    fold(first ^ length.rotate_left(56), last)
}

/// Returns a text of at most seven bytes as a number, which is unique among such texts.
#[inline]
pub(super) fn pack(bytes: &[u8]) -> Option<u64> {
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

/// Returns up to three bytes as a number: the first, middle and last byte.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return 0 };
    let middle = bytes[bytes.len() / 2];
    u64::from(*first) | u64::from(middle) << 8 | u64::from(*last) << 16
}

#[inline]
fn first_four(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

#[inline]
fn last_four(bytes: &[u8]) -> u32 {
    bytes.last_chunk().map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

#[inline]
fn first_eight(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

#[inline]
fn last_eight(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Interner, hash, pack, same};

    #[test]
    fn finds_every_name_and_no_other() {
        for count in [0, 1, 2, 3, 7, 8, 1_000, 20_000] {
            let names: Vec<String> = (0..count).map(|i| format!("flag-{i}")).collect();
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
    fn texts_are_equal_only_if_every_byte_is_equal() {
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
    fn names_that_differ_only_by_zeros_are_different() {
        let set = Interner::new(["a", "a\0", "a\0\0", "\0a", "", "aaaaaaaa", "aaaaaaaa\0"]);
        for number in 0..7 {
            assert_eq!(set.find(set.name(number)), Some(number));
        }
    }
    #[test]
    fn texts_with_a_changed_byte_have_different_hashes_and_numbers() {
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
                assert_eq!(pack(&text).is_some(), length < 8);
                numbers.extend(pack(&text));
            }
        }
        assert_eq!(hashes.len(), texts);
        assert_eq!(numbers.len(), (0..8).map(|length| 4 * length + 1).sum::<usize>());
    }
}
