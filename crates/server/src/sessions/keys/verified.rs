//! A cache of tokens whose signature was already verified. A client sends the same token for a
//! quarter of an hour, and its verification costs more than all other work of a small request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_core::session::Claims;

/// The maximum number of tokens in each of the two generations, of about a kilobyte each.
const TOKENS_MAX: usize = 8_192;

type Tokens = HashMap<Box<str>, Arc<Claims>>;

/// The cache. Its key is the whole token, because another signature of the same claims is another
/// token.
#[derive(Default)]
pub struct VerifiedTokens {
    generations: Mutex<Generations>,
}

/// A cache with two generations. When the young generation is full, it replaces the old one, whose
/// entries that were not used in the meantime are dropped.
#[derive(Default)]
struct Generations {
    young: Tokens,
    old: Tokens,
}

impl Generations {
    fn insert(&mut self, token: Box<str>, claims: Arc<Claims>) {
        if self.young.len() >= TOKENS_MAX {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, claims);
    }
}

impl VerifiedTokens {
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the claims of a verified token. None if the token has expired.
    pub fn get(&self, token: &str, now: Instant) -> Option<Arc<Claims>> {
        let mut generations = self.lock();
        if let Some(claims) = generations.young.get(token) {
            return is_live(claims, now).then(|| Arc::clone(claims));
        }
        let (token, claims) = generations.old.remove_entry(token)?;
        if !is_live(&claims, now) {
            return None;
        }
        generations.insert(token, Arc::clone(&claims));
        Some(claims)
    }

    pub fn insert(&self, token: &str, claims: &Arc<Claims>) {
        self.lock().insert(token.into(), Arc::clone(claims));
    }
}

/// Returns whether the token is valid. `exp` is in whole seconds, so a token is verified again in
/// its last second.
fn is_live(claims: &Claims, now: Instant) -> bool {
    now.millis() < claims.exp.saturating_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::{Arc, Claims, Instant, TOKENS_MAX, VerifiedTokens};

    fn claims(exp: i64) -> Arc<Claims> {
        Arc::new(Claims {
            iss: String::new(),
            aud: String::new(),
            sub: String::new(),
            iat: 0,
            exp,
            jti: String::new(),
            sid: String::new(),
            rg: 0,
            roles: Vec::new(),
        })
    }

    #[test]
    fn finds_only_identical_tokens_until_they_expire() {
        let verified = VerifiedTokens::default();
        verified.insert("a.b.c", &claims(10));
        let at = Instant::from_millis;
        assert!(verified.get("a.b.c", at(9_999)).is_some());
        assert!(verified.get("a.b.c", at(10_000)).is_none());
        for other in ["a.b.d", "a.b", "A.b.c", "a.b.c "] {
            assert!(verified.get(other, at(0)).is_none(), "{other}");
        }
    }

    #[test]
    fn limits_the_number_of_tokens_and_keeps_used_ones() {
        let verified = VerifiedTokens::default();
        let now = Instant::from_millis(0);
        for i in 0..TOKENS_MAX * 4 {
            verified.insert(&format!("t{i}"), &claims(10));
            assert!(i == 0 || verified.get("t0", now).is_some(), "dropped after {i} others");
        }
        let generations = verified.lock();
        assert!(generations.young.len() + generations.old.len() <= 2 * TOKENS_MAX);
        drop(generations);
        assert!(verified.get("t1", now).is_none());
    }
}
