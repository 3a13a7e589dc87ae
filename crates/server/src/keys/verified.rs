//! Tokens whose signature was verified already. A client sends the same one for a quarter of an hour,
//! and verifying it costs more than all else that a small request does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use musette_core::instant::Instant;
use musette_core::session::Claims;

/// About a kilobyte each, in each of the two generations.
const TOKENS_MAX: usize = 8_192;

type Tokens = HashMap<Box<str>, Arc<Claims>>;

/// By all bytes of the token: another signature under the same claims is another token.
#[derive(Default)]
pub struct Verified {
    generations: Mutex<Generations>,
}

/// A two-generation cache: recently used entries are young; when there are too many they become the old ones, and what
/// nobody used in between is forgotten.
#[derive(Default)]
struct Generations {
    young: Tokens,
    old: Tokens,
}

impl Generations {
    fn keep(&mut self, token: Box<str>, claims: Arc<Claims>) {
        if self.young.len() >= TOKENS_MAX {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, claims);
    }
}

impl Verified {
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Never of a token that has expired.
    pub fn get(&self, token: &str, now: Instant) -> Option<Arc<Claims>> {
        let mut generations = self.lock();
        if let Some(claims) = generations.young.get(token) {
            return is_live(claims, now).then(|| Arc::clone(claims));
        }
        let (token, claims) = generations.old.remove_entry(token)?;
        if !is_live(&claims, now) {
            return None;
        }
        generations.keep(token, Arc::clone(&claims));
        Some(claims)
    }

    pub fn keep(&self, token: &str, claims: &Arc<Claims>) {
        self.lock().keep(token.into(), Arc::clone(claims));
    }
}

/// `exp` is without its fraction here: what is over within this second is verified again.
fn is_live(claims: &Claims, now: Instant) -> bool {
    now.millis() < claims.exp.saturating_mul(1000)
}

#[cfg(test)]
mod tests {
    use super::{Arc, Claims, Instant, TOKENS_MAX, Verified};

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
    fn a_token_is_known_by_all_its_bytes_until_it_expires() {
        let verified = Verified::default();
        verified.keep("a.b.c", &claims(10));
        let at = Instant::from_millis;
        assert!(verified.get("a.b.c", at(9_999)).is_some());
        assert!(verified.get("a.b.c", at(10_000)).is_none());
        for other in ["a.b.d", "a.b", "A.b.c", "a.b.c "] {
            assert!(verified.get(other, at(0)).is_none(), "{other}");
        }
    }

    #[test]
    fn there_is_a_bound_and_what_is_used_stays() {
        let verified = Verified::default();
        let now = Instant::from_millis(0);
        for i in 0..TOKENS_MAX * 4 {
            verified.keep(&format!("t{i}"), &claims(10));
            assert!(i == 0 || verified.get("t0", now).is_some(), "forgotten after {i} others");
        }
        let generations = verified.lock();
        assert!(generations.young.len() + generations.old.len() <= 2 * TOKENS_MAX);
        drop(generations);
        assert!(verified.get("t1", now).is_none());
    }
}
