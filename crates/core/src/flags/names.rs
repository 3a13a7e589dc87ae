//! Texts by number, for many look-ups: which flag, which attribute, is this id in the list. The names
//! are an operator's, so nobody can crowd them into one place of the table from outside.

/// A set of texts, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Names {
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<u32>,
    /// Open addressing, at most half full; 0 is free, else the number + 1 and, above it, part of
    /// the hash, so that another name is seldom compared.
    table: Vec<u64>,
}

impl Names {
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
        self.find_hashed(name, hash(name.as_bytes()))
    }

    #[inline(never)]
    pub fn holds(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// For whoever has the name's hash already.
    #[inline]
    pub fn find_hashed(&self, name: &str, hash: u64) -> Option<u32> {
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
            if entry & HIGH == hash & HIGH && same(self.name(number), name) {
                return Some(number);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
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

/// Of texts of `N` to twice as many bytes, first and last bytes are all there is.
#[inline]
fn ends_alike<const N: usize>(one: &[u8], other: &[u8]) -> bool {
    one.first_chunk::<N>() == other.first_chunk() && one.last_chunk::<N>() == other.last_chunk()
}

/// Multiplies and folds eight bytes at a time.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(ODD);
        product as u64 ^ (product >> 64) as u64
    };
    let length = bytes.len() as u64;
    let mut hash = length.wrapping_add(0x517c_c1b7_2722_0a95);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = fold(hash, u64::from_le_bytes(*word));
    }
    let rest = match (bytes.last_chunk::<8>(), rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        _ if rest.is_empty() => 0,
        // Overlaps what is hashed already; the length tells equal endings apart.
        (Some(word), _, _) => u64::from_le_bytes(*word),
        (_, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    fold(fold(hash, rest), ODD)
}

#[cfg(test)]
mod tests {
    use super::{Names, same};

    #[test]
    fn every_name_is_found_and_no_other() {
        for count in [0, 1, 2, 3, 7, 8, 1_000, 20_000] {
            let names: Vec<String> = (0..count).map(|it| format!("flag-{it}")).collect();
            let set = Names::new(names.iter().map(String::as_str));
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
        let set = Names::new(["a", "a\0", "a\0\0", "\0a", "", "aaaaaaaa", "aaaaaaaa\0"]);
        for number in 0..7 {
            assert_eq!(set.find(set.name(number)), Some(number));
        }
    }
}
