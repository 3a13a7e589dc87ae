//! One-time codes: six digits, valid for ten minutes, at most five guesses.

use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::typed_text::normal_input;

/// How long a one-time code is valid.
pub const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Guesses allowed from the browser that requested the code. All other browsers together have the
/// same number, counted separately, so that a stranger cannot use up the person's guesses.
pub const CODE_TRIES_MAX: i64 = 5;
/// Length of a one-time code.
pub const CODE_DIGITS: usize = 6;
/// Enough for a code with a space or a direction mark at each digit.
const TYPED_CHARS_MAX: usize = 64;

/// Returns a code of six digits from random bytes, each code with the same probability.
pub fn code(random: [u8; 8]) -> String {
    // The 64 bits are reduced modulo a million. The bias of each code is below 1 in 10^13.
    format!("{:06}", u64::from_be_bytes(random) % 1_000_000)
}

/// Reads a typed code. Digits may be of any supported script, with the spaces that some mail
/// programs insert.
pub fn typed_code(text: &str) -> Option<String> {
    let text = normal_input(&text.chars().take(TYPED_CHARS_MAX).collect::<String>());
    let code: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    (code.len() == CODE_DIGITS && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}

/// Returns a keyed hash. Without a key, an attacker could try all of the million codes.
pub fn keyed_hash(key: &[u8], parts: &[&str]) -> String {
    let mut mac = <Hmac<Sha256>>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{code, keyed_hash, typed_code};

    #[test]
    fn codes_always_have_six_digits() {
        assert_eq!(code([0; 8]), "000000");
        assert_eq!(code(1_000_042_u64.to_be_bytes()), "000042");
        assert_eq!(code([255; 8]).len(), 6);
    }

    #[test]
    fn reads_codes_with_spaces_hyphens_and_digits_of_other_scripts() {
        for text in
            ["123456", " 123 456 ", "123-456", "١٢٣٤٥٦", "۱۲۳ ۴۵۶", "๑๒๓๔๕๖", "１２３４５６"]
        {
            assert_eq!(typed_code(text).as_deref(), Some("123456"), "{text}");
        }
        for text in ["", "12345", "1234567", "12345a"] {
            assert_eq!(typed_code(text), None, "{text}");
        }
        assert_eq!(typed_code(&"1".repeat(100_000)), None);
    }

    #[test]
    fn the_hash_depends_on_the_boundaries_of_the_parts() {
        assert_ne!(keyed_hash(b"k", &["ab", "c"]), keyed_hash(b"k", &["a", "bc"]));
        assert_ne!(keyed_hash(b"k", &["a"]), keyed_hash(b"l", &["a"]));
    }
}
