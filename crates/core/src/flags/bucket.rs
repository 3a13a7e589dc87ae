//! Bucketing: a hash of salt and id assigns each unit to one of 100,000 buckets. It uses only
//! integers, so that 20 lines of JavaScript give the same result.

/// Number of buckets: 0 to 99,999.
pub(super) const BUCKETS: u32 = 100_000;

/// The hash state of a draw before the unit is added. The four prefixes give independent draws for
/// the same unit.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    /// Hash of the whole blocks of the prefix, computed when the snapshot is built.
    hash: u32,
    /// The bytes of the prefix that are not hashed yet.
    rest: u32,
    /// Number of bits in `rest`.
    rest_bits: u32,
    prefix_bytes: u32,
}

impl Draw {
    /// Returns the draw for a rollout, which is also used for the coverage of an experiment.
    pub fn rollout(flag_salt: &str, rule: &str) -> Self {
        Self::new(&format!("r:{flag_salt}:{rule}:"))
    }

    /// Returns the draw for a variation of an experiment.
    pub fn split(seed: &str) -> Self {
        Self::new(&format!("v:{seed}:"))
    }

    /// Returns the draw for a slot of a layer.
    pub fn layer(salt: &str) -> Self {
        Self::new(&format!("l:{salt}:"))
    }

    pub fn holdout(salt: &str) -> Self {
        Self::new(&format!("h:{salt}:"))
    }

    fn new(prefix: &str) -> Self {
        let (blocks, rest) = prefix.as_bytes().as_chunks::<4>();
        let hash = blocks.iter().fold(0, |hash, block| mix(hash, u32::from_le_bytes(*block)));
        let rest_bits = 8 * rest.len() as u32;
        Self { hash, rest: word(rest), rest_bits, prefix_bytes: prefix.len() as u32 }
    }

    /// Returns the bucket of a unit. Blocks of the whole text span the end of the prefix and the
    /// unit, so the unit's blocks are shifted by the remaining bits of the prefix.
    #[inline]
    pub fn bucket(&self, unit: &str) -> u32 {
        let (blocks, tail) = unit.as_bytes().as_chunks::<4>();
        let mut hash = self.hash;
        let mut rest = u64::from(self.rest);
        for block in blocks {
            rest |= u64::from(u32::from_le_bytes(*block)) << self.rest_bits;
            hash = mix(hash, rest as u32);
            rest >>= 32;
        }
        let tail_bits = 8 * tail.len() as u32;
        // Taken from the last whole word if there is one, because building it from bytes needs a
        // branch.
        let tail = match unit.as_bytes().last_chunk::<4>() {
            Some(last) => u64::from(u32::from_le_bytes(*last)) << tail_bits >> 32,
            None => u64::from(word(tail)),
        };
        rest |= tail << self.rest_bits;
        if self.rest_bits + tail_bits >= 32 {
            hash = mix(hash, rest as u32);
            rest >>= 32;
        }
        let length = self.prefix_bytes.wrapping_add(unit.len() as u32);
        scale(finish(hash, rest as u32, length))
    }
}

/// Returns up to three bytes as a number, the first byte lowest.
#[inline]
fn word(tail: &[u8]) -> u32 {
    match *tail {
        [] => 0,
        [one] => u32::from(one),
        [one, two] => u32::from_le_bytes([one, two, 0, 0]),
        [one, two, three, ..] => u32::from_le_bytes([one, two, three, 0]),
    }
}

/// `murmur3_x86_32` with seed 0.
#[cfg(test)]
pub(super) fn murmur3(bytes: &[u8]) -> u32 {
    let (blocks, tail) = bytes.as_chunks::<4>();
    let hash = blocks.iter().fold(0, |hash, block| mix(hash, u32::from_le_bytes(*block)));
    finish(hash, word(tail), bytes.len() as u32)
}

fn scramble(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

fn mix(hash: u32, block: u32) -> u32 {
    (hash ^ scramble(block)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish(mut hash: u32, tail: u32, length: u32) -> u32 {
    hash ^= scramble(tail);
    hash ^= length;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

fn scale(hash: u32) -> u32 {
    ((u64::from(hash) * u64::from(BUCKETS)) >> 32) as u32
}

#[cfg(test)]
mod tests;
