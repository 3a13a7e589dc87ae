//! Passwords (argon2id) and the codes of authenticator apps (RFC 6238).

mod guessable;

use std::sync::Arc;
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use musette_core::instant::Instant;
use tokio::sync::Semaphore;
use totp_rs::{Builder, Secret, Totp};
use unicode_normalization::UnicodeNormalization as _;

use crate::platform::random;

pub use guessable::is_guessable;

/// NIST SP 800-63B §3.1.1.2 demands 8 for a password that is not the only factor; here it may be
/// the only one.
pub const CHARS_MIN: usize = 12;
const BYTES_MAX: usize = 1024;
/// The time in which a person who needs a second factor must set up an authenticator app after
/// signing in with a password.
pub const SECOND_FACTOR_WITHIN: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A sign-in that waits longer than this for a processor is rejected.
const WAIT_MAX: Duration = Duration::from_secs(5);
const STEP_S: u64 = 30;

/// Hashes passwords. A hash costs 13 ms and 19 MiB by design, so at most one per processor runs at
/// a time.
pub struct Passwords {
    processors: Arc<Semaphore>,
    /// A hash that no password matches. It is verified for users without a password, so that timing
    /// reveals nothing.
    dummy: String,
}

/// All processors are busy with other passwords.
#[derive(Debug, thiserror::Error)]
#[error("too many passwords at once")]
pub struct AllBusy;

/// Normalizes a password with NFKC (NIST SP 800-63B §3.1.1.2), so that it does not matter whether a
/// keyboard writes `é` as one character or as two.
fn normalized(password: &str) -> String {
    password.nfkc().collect()
}

/// Returns whether a new password has a permitted length. Spaces at either end do not count. A
/// character that NFKC replaces by several ones (`㈱`) counts once.
pub fn has_permitted_length(password: &str) -> bool {
    let normalized = normalized(password);
    let chars = |text: &str| text.trim().chars().count();
    chars(password).min(chars(&normalized)) >= CHARS_MIN
        && password.len().max(normalized.len()) <= BYTES_MAX
}

/// Hashes a password with the defaults of the crate: argon2id, 19 MiB, 2 passes, 1 lane.
pub fn hash(password: &str) -> String {
    Argon2::default()
        .hash_password(normalized(password).as_bytes())
        .expect("a password of bounded length, a salt of the right one")
        .to_string()
}

/// Returns a hash that no password matches, for users that do not exist. Its verification is as
/// much work as any other. It is created without hashing, which would delay each start.
fn dummy() -> String {
    let params = argon2::Params::DEFAULT;
    let (m, t, p) = (params.m_cost(), params.t_cost(), params.p_cost());
    let (salt, hash) = (random::bytes::<16>(), random::bytes::<32>());
    let text = |bytes: &[u8]| STANDARD_NO_PAD.encode(bytes);
    format!("$argon2id$v=19$m={m},t={t},p={p}${}${}", text(&salt), text(&hash))
}

/// Returns whether a password matches a hash. Earlier versions of the program did not normalize
/// passwords, so if the normalized form differs, both are compared.
fn matches(password: &str, hash: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return false };
    let verifies = |text: &str| Argon2::default().verify_password(text.as_bytes(), &hash).is_ok();
    let normalized = normalized(password);
    verifies(&normalized) || (normalized != password && verifies(password))
}

impl Passwords {
    pub fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { processors: Arc::new(Semaphore::new(processors)), dummy: dummy() }
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, AllBusy> {
        let permit = Arc::clone(&self.processors).acquire_owned();
        let permit = tokio::time::timeout(WAIT_MAX, permit)
            .await
            .map_err(|_| AllBusy)?
            .map_err(|_| AllBusy)?;
        metrics::counter!("musette_password_hashes_total").increment(1);
        let result = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        result.await.map_err(|_| AllBusy)
    }

    pub async fn hash(&self, password: String) -> Result<String, AllBusy> {
        self.work(move || hash(&password)).await
    }

    /// Verifies a password. Without a hash, does the same work and returns false.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, AllBusy> {
        let (hash, exists) = match hash {
            Some(hash) => (hash, true),
            None => (self.dummy.clone(), false),
        };
        Ok(self.work(move || matches(&password, &hash)).await? && exists)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns a secret for an authenticator app: 160 bits in base 32 (RFC 4226 §4, R6).
pub fn totp_secret(random: [u8; 20]) -> String {
    Secret::from(random).to_base32()
}

pub fn new_totp_secret() -> String {
    totp_secret(random::bytes::<20>())
}

/// Returns the key URI that authenticator apps read. `account` distinguishes several accounts.
pub fn totp_address(secret: &str, account: &str) -> String {
    let mut label = String::from("Musette");
    if !account.is_empty() {
        label.push(':');
        for byte in account.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    label.push(char::from(byte));
                }
                _ => label.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    format!("otpauth://totp/{label}?secret={secret}&issuer=Musette")
}

fn authenticator(secret: &str) -> Option<Totp> {
    let secret = Secret::try_from_base32(secret).ok()?;
    Builder::new().with_secret(secret).with_step_duration(STEP_S).with_skew(1).build().ok()
}

/// Returns the current time step.
pub fn current_totp_step(now: Instant) -> i64 {
    now.seconds() / STEP_S.cast_signed()
}

/// Returns the time step of a code. The previous and the next step are accepted too.
pub fn totp_step(secret: &str, otp: &str, now: Instant) -> Option<i64> {
    let seconds = u64::try_from(now.seconds()).ok()?;
    let step = authenticator(secret)?.check(otp, seconds)?;
    i64::try_from(step).ok()
}

#[cfg(test)]
mod tests {
    use argon2::Argon2;
    use argon2::password_hash::PasswordHasher as _;
    use argon2::password_hash::phc::PasswordHash;

    use super::{BYTES_MAX, dummy, has_permitted_length, hash, matches};

    #[test]
    fn the_same_password_in_another_unicode_form_matches() {
        let (composed, decomposed) = ("caf\u{e9} au lait \u{212b}", "cafe\u{301} au lait A\u{30a}");
        assert!(matches(decomposed, &hash(composed)));
        assert!(matches(composed, &hash(decomposed)));
        assert!(matches("ｃｏｒｒｅｃｔ horse battery", &hash("correct horse battery")));
        assert!(!matches("cafe au lait A", &hash(composed)));
    }

    #[test]
    fn a_password_that_was_hashed_as_typed_still_matches() {
        let typed = "cafe\u{301} au lait";
        let hashed = Argon2::default().hash_password(typed.as_bytes()).expect("hashes").to_string();
        assert!(matches(typed, &hashed));
        // It was a different password then, and may not be the same person's now.
        assert!(!matches("caf\u{e9} au lait", &hashed));
    }

    #[test]
    fn counts_the_length_without_spaces_at_either_end() {
        for short in ["", "12345678901", "12345678901 ", "   short   \u{3000}\u{a0}", "㈱㈱㈱㈱㈱"]
        {
            assert!(!has_permitted_length(short), "{short:?}");
        }
        for fine in ["123456789012", " 123456789012 ", "two words ok", "عشرون دراجة خضراء"]
        {
            assert!(has_permitted_length(fine), "{fine:?}");
        }
        assert!(has_permitted_length(&"a".repeat(BYTES_MAX)));
        assert!(!has_permitted_length(&"a".repeat(BYTES_MAX + 1)));
        // Eighteen characters each, when normalized.
        assert!(!has_permitted_length(&"\u{fdfa}".repeat(60)));
    }

    #[test]
    fn the_dummy_hash_costs_as_much_as_a_real_one() {
        let (dummy, real) = (dummy(), hash("the colour of magic"));
        let cost = |text: &str| {
            let hash = PasswordHash::new(text).expect("a hash");
            let length = hash.hash.map(|hash| hash.len());
            (hash.algorithm, hash.version, hash.params.to_string(), length)
        };
        assert_eq!(cost(&dummy), cost(&real));
        assert_eq!(dummy.len(), real.len());
        assert!(!matches("the colour of magic", &dummy));
    }
}
