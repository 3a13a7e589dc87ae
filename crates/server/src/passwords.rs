//! Passwords (argon2id) and the six digits of an authenticator (RFC 6238).

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

use crate::random;

pub use guessable::is_guessable;

/// NIST SP 800-63B §3.1.1.2 for a password that is not the only factor is 8; ours may be.
pub const CHARS_MIN: usize = 12;
pub const BYTES_MAX: usize = 1024;
/// An admin who signs in by password has so long to set up an authenticator.
pub const SECOND_FACTOR_WITHIN: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A sign-in that waits longer than this for a processor is refused.
const WAIT_MAX: Duration = Duration::from_secs(5);
const STEP_S: u64 = 30;

/// Hashing on purpose costs 13 ms and 19 MiB: no more at once than there are processors.
pub struct Passwords {
    processors: Arc<Semaphore>,
    /// The hash of no password: checked where a person has none, so that time tells nothing.
    dummy: String,
}

/// All processors are busy with other people's passwords.
#[derive(Debug, thiserror::Error)]
#[error("too many passwords at once")]
pub struct Busy;

/// The defaults of the crate: argon2id, 19 MiB, 2 passes, 1 lane.
pub fn hash(password: &str) -> String {
    Argon2::default()
        .hash_password(password.as_bytes())
        .expect("a password of bounded length, a salt of the right one")
        .to_string()
}

/// A hash that no password has, to be compared with where there is no user. It is as much work as any, and
/// is made without that work: a start would take as long as a sign-in.
fn dummy() -> String {
    let params = argon2::Params::DEFAULT;
    let (m, t, p) = (params.m_cost(), params.t_cost(), params.p_cost());
    let (salt, hash) = (random::bytes::<16>(), random::bytes::<32>());
    let text = |bytes: &[u8]| STANDARD_NO_PAD.encode(bytes);
    format!("$argon2id$v=19$m={m},t={t},p={p}${}${}", text(&salt), text(&hash))
}

fn matches(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

impl Passwords {
    pub fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { processors: Arc::new(Semaphore::new(processors)), dummy: dummy() }
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let permit = Arc::clone(&self.processors).acquire_owned();
        let permit =
            tokio::time::timeout(WAIT_MAX, permit).await.map_err(|_| Busy)?.map_err(|_| Busy)?;
        metrics::counter!("musette_password_hashes_total").increment(1);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| Busy)
    }

    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.work(move || hash(&password)).await
    }

    /// Costs the same without a hash to compare with.
    pub async fn verify(&self, password: String, kept: Option<String>) -> Result<bool, Busy> {
        let (kept, is_somebodys) = match kept {
            Some(kept) => (kept, true),
            None => (self.dummy.clone(), false),
        };
        Ok(self.work(move || matches(&password, &kept)).await? && is_somebodys)
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}

/// A secret for an authenticator: 160 bits in base 32 (RFC 4226 §4, R6).
pub fn totp_secret(random: [u8; 20]) -> String {
    Secret::from(random).to_base32()
}

pub fn new_totp_secret() -> String {
    totp_secret(random::bytes::<20>())
}

/// The key URI that an authenticator reads; `account` tells several of them apart.
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

/// The step of time of this clock.
pub fn current_totp_step(now: Instant) -> i64 {
    now.seconds() / STEP_S.cast_signed()
}

/// The step of time whose code this is; the one before and the one after are taken too.
pub fn totp_step(secret: &str, otp: &str, now: Instant) -> Option<i64> {
    let seconds = u64::try_from(now.seconds()).ok()?;
    let step = authenticator(secret)?.check(otp, seconds)?;
    i64::try_from(step).ok()
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::phc::PasswordHash;

    use super::{dummy, hash, matches};

    #[test]
    fn a_user_who_is_not_there_costs_as_much_as_one_who_is() {
        let (dummy, real) = (dummy(), hash("the colour of magic"));
        let cost = |text: &str| {
            let hash = PasswordHash::new(text).expect("a hash");
            (hash.algorithm, hash.version, hash.params.to_string(), hash.hash.map(|it| it.len()))
        };
        assert_eq!(cost(&dummy), cost(&real));
        assert_eq!(dummy.len(), real.len());
        assert!(!matches("the colour of magic", &dummy));
    }
}
