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

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// A new UUIDv7: in order of time, so that indexes grow at their end.
pub fn uuid() -> String {
    uuid::Uuid::now_v7().to_string()
}
