//! Random bytes from the operating system, and IDs made of them.

/// Returns random bytes.
///
/// # Panics
///
/// If the operating system provides no random bytes: predictable keys would be worse than a crash.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// Returns `N` random bytes in lower-case hexadecimal.
pub fn hex<const N: usize>() -> String {
    hex::encode(bytes::<N>())
}

/// Returns a random number that is at least 0 and less than 1.
pub fn unit() -> f64 {
    // The number of bits that an `f64` can represent exactly.
    const BITS: u32 = f64::MANTISSA_DIGITS;
    let bits = u64::from_le_bytes(bytes()) >> (u64::BITS - BITS);
    bits as f64 / (1_u64 << BITS) as f64
}

/// Returns the SHA-256 in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// Returns a new UUIDv7. These are ordered by time, so that indexes grow at their end.
pub fn uuid() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// Returns a UUIDv7 with the given time.
pub fn uuid_of(at: musette_core::instant::Instant) -> String {
    let seconds = u64::try_from(at.seconds()).unwrap_or(0);
    let nanos = u32::try_from(at.millis().rem_euclid(1000)).unwrap_or(0) * 1_000_000;
    let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos);
    uuid::Uuid::new_v7(time).to_string()
}
