//! Random bytes from the operating system, and ids made of them.

/// A system that gives no randomness cannot make keys; going on would be worse than stopping.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// `N` random bytes in lower-case hex.
pub fn hex<const N: usize>() -> String {
    hex::encode(bytes::<N>())
}

/// At least 0 and below 1.
pub fn unit() -> f64 {
    // As many bits as the number keeps.
    const BITS: u32 = f64::MANTISSA_DIGITS;
    let bits = u64::from_le_bytes(bytes()) >> (u64::BITS - BITS);
    bits as f64 / (1_u64 << BITS) as f64
}

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// A new UUIDv7: in order of time, so that indexes grow at their end.
pub fn uuid() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// A UUIDv7 of that time.
pub fn uuid_of(at: musette_core::instant::Instant) -> String {
    let seconds = u64::try_from(at.seconds()).unwrap_or(0);
    let nanos = u32::try_from(at.millis().rem_euclid(1000)).unwrap_or(0) * 1_000_000;
    let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanos);
    uuid::Uuid::new_v7(time).to_string()
}
