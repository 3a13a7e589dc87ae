//! One-time codes: six digits, ten minutes, five tries.

use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::typed_text::normal_input;

/// How long a one-time code can be used.
pub const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Guesses that the browser that asked for the code has; all others together have as many of their
/// own, so that a stranger's guesses do not use up the person's.
pub const CODE_TRIES_MAX: i64 = 5;
pub const CODE_DIGITS: usize = 6;
/// Enough for a code with a space or a direction mark at each digit.
const TYPED_CHARS_MAX: usize = 64;

/// Six digits out of random bytes, each code as likely as any other.
pub fn code(random: [u8; 8]) -> String {
    // 64 bits over a million: the lean towards any code is below 1 in 10^13.
    format!("{:06}", u64::from_be_bytes(random) % 1_000_000)
}

/// Reads a typed code: digits of any script, with the spaces that some mail programs insert.
pub fn typed_code(text: &str) -> Option<String> {
    let text = normal_input(&text.chars().take(TYPED_CHARS_MAX).collect::<String>());
    let code: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    (code.len() == CODE_DIGITS && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}

/// A keyed hash: of a million codes the plain one could be searched.
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
    fn codes_have_six_digits_always() {
        assert_eq!(code([0; 8]), "000000");
        assert_eq!(code(1_000_042_u64.to_be_bytes()), "000042");
        assert_eq!(code([255; 8]).len(), 6);
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
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
    fn parts_do_not_run_into_each_other() {
        assert_ne!(keyed_hash(b"k", &["ab", "c"]), keyed_hash(b"k", &["a", "bc"]));
        assert_ne!(keyed_hash(b"k", &["a"]), keyed_hash(b"l", &["a"]));
    }
}
