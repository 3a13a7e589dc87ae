//! Random bytes from the operating system, and ids made of them.

use std::fmt::Write as _;

/// A system that gives no randomness cannot make keys; going on would be worse than stopping.
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// `N` random bytes in lower-case hex.
pub fn hex<const N: usize>() -> String {
    to_hex(&bytes::<N>())
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    to_hex(&sha2::Sha256::digest(bytes))
}

/// A new UUIDv7: in order of time, so that indexes grow at their end.
pub fn uuid() -> String {
    uuid::Uuid::now_v7().to_string()
}
