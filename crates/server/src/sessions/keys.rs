//! The keys that sign access tokens and derive refresh tokens, and the tokens created with them.

mod verified;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{SigningKey, VerifyingKey};
use musette_core::instant::Instant;
use musette_core::session::{
    AUDIENCE, Claims, Lifetimes, RefreshToken, RoleGrant, TokenError, keyed_hash,
};
use musette_store::{SigningKeyRow, Store, StoreError};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::Digest as _;

use crate::platform::random;
use verified::VerifiedTokens;

/// The time for which a new key is published before it signs, so that services that cache the keys
/// have it by then.
pub const PUBLISHED_AHEAD: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum lifetime of an access token, unless a longer one was requested, plus a tolerance for
/// nodes whose clocks differ.
const VERIFICATION_PERIOD: Duration = Duration::from_secs(20 * 60);

/// All keys whose tokens are still valid; empty by default.
#[derive(Default)]
pub struct TokenKeys {
    /// The signing keys, the oldest first.
    signers: Vec<Signer>,
    /// The public keys by `kid`, with the time until which their tokens may be valid.
    verifiers: HashMap<String, (VerifyingKey, Instant)>,
    refresh_key: Vec<u8>,
    verified: VerifiedTokens,
}

struct Signer {
    kid: String,
    key: SigningKey,
    signs_from: Instant,
}

/// The tokens of a session.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[schema(examples(json!({"dhhToken":"eyJhbGciOiJFZERTQSJ9.e30.c2ln","refreshToken":"r.0a1b.1.c2ln","expires_in":900})))]
pub struct Tokens {
    /// The access token: a signed JWT for `Authorization: Bearer`.
    #[serde(rename = "dhhToken")]
    pub dhh_token: String,
    /// The refresh token, which works once. Absent in the hardened profile, which returns it in an
    /// `HttpOnly` cookie.
    #[serde(rename = "refreshToken", skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// The time until the access token expires, in seconds.
    pub expires_in: i64,
}

/// The lifetime of the access token of a new session, instead of the default of its role.
pub type AccessTtlSeconds = Option<i64>;

/// The session and the generation that tokens are created for.
#[derive(Debug, Clone, Copy)]
pub struct Grant<'a> {
    /// `sub` of the access token.
    pub user_id: &'a str,
    /// `roles` of the access token.
    pub roles: &'a [RoleGrant],
    /// `sid` of the access token.
    pub sid: [u8; 16],
    /// The salt of the session, from which its refresh tokens are derived.
    pub salt: &'a [u8],
    /// The number of refreshes of this session so far.
    pub generation: u32,
    /// The time at which the session ends at the latest.
    pub absolute_until: Instant,
    /// The lifetime of the access token in seconds, instead of the default of its role.
    pub access_ttl: AccessTtlSeconds,
}

fn public_x(key: &VerifyingKey) -> String {
    URL_SAFE_NO_PAD.encode(key.as_bytes())
}

/// Returns the thumbprint by RFC 7638: the members in alphabetical order, without spaces.
fn thumbprint(key: &VerifyingKey) -> String {
    let jwk = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, public_x(key));
    URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(jwk))
}

fn new_row(signs_from: Instant) -> SigningKeyRow {
    let seed = random::bytes::<32>();
    let kid = thumbprint(&SigningKey::from_bytes(&seed).verifying_key());
    SigningKeyRow { kid, seed: hex::encode(seed), signs_from: signs_from.millis(), last_exp: 0 }
}

/// Adds the key that signs from tomorrow. Returns None if there is already a key that does not sign
/// yet.
pub async fn add_next(store: &Store, now: Instant) -> Result<Option<SigningKeyRow>, StoreError> {
    let next = new_row(now.plus(PUBLISHED_AHEAD));
    Ok(store.add_signing_key(&next, now).await?.then_some(next))
}

impl TokenKeys {
    /// Loads the keys; the first call creates them.
    pub async fn load(store: &Store, now: Instant) -> Result<Self, StoreError> {
        let rows = store.signing_keys(&new_row(now), now).await?;
        let refresh_key = store.secret("refresh", &random::hex::<32>()).await?;
        let refresh_key = hex::decode(&refresh_key)
            .ok()
            .ok_or_else(|| StoreError::Corrupt("the refresh key".into()))?;
        let mut signers: Vec<Signer> = Vec::new();
        let mut verifiers = HashMap::new();
        for (i, row) in rows.iter().enumerate() {
            let seed: Option<[u8; 32]> =
                hex::decode(&row.seed).ok().and_then(|seed| seed.try_into().ok());
            let seed = seed.ok_or_else(|| StoreError::Corrupt("a signing key".into()))?;
            let key = SigningKey::from_bytes(&seed);
            let until = verifies_until(row, rows.get(i + 1));
            verifiers.insert(row.kid.clone(), (key.verifying_key(), until));
            let signs_from = Instant::from_millis(row.signs_from);
            signers.push(Signer { kid: row.kid.clone(), key, signs_from });
        }
        if signers.is_empty() {
            return Err(StoreError::Corrupt("no signing key".into()));
        }
        Ok(Self { signers, verifiers, refresh_key, verified: VerifiedTokens::default() })
    }

    /// Returns the newest key that may sign. If the clock was set back before all keys, returns the
    /// first one.
    fn signer(&self, now: Instant) -> &Signer {
        let may_sign = self.signers.iter().rev().find(|signer| signer.signs_from <= now);
        may_sign.unwrap_or(&self.signers[0])
    }

    /// Returns the ID of the key that signs now.
    pub fn signer_kid(&self, now: Instant) -> &str {
        &self.signer(now).kid
    }

    /// Returns the keys that are no longer needed.
    pub fn retired(&self, now: Instant) -> impl Iterator<Item = &str> {
        let retired = self.verifiers.iter().filter(move |(_, (_, until))| *until <= now);
        retired.map(|(kid, _)| kid.as_str())
    }

    /// Verifies an access token and returns its claims. Does not check whether its session is
    /// active.
    pub fn verify(
        &self,
        token: &str,
        issuer: &str,
        now: Instant,
    ) -> Result<Arc<Claims>, TokenError> {
        if let Some(claims) = self.verified.get(token, now).filter(|claims| claims.iss == issuer) {
            return Ok(claims);
        }
        let claims = Arc::new(self.verify_uncached(token, issuer, now)?);
        self.verified.insert(token, &claims);
        Ok(claims)
    }

    fn verify_uncached(
        &self,
        token: &str,
        issuer: &str,
        now: Instant,
    ) -> Result<Claims, TokenError> {
        let key = |kid: &str| {
            let (key, until) = self.verifiers.get(kid)?;
            (now < *until).then_some(key)
        };
        musette_core::session::verify(token, key, issuer, now)
    }

    /// Signs a header and claims as they are; the caller sets `kid`.
    pub fn sign_exactly(&self, header: &str, claims: &str, now: Instant) -> String {
        musette_core::session::sign_exactly(header, claims, &self.signer(now).key)
    }

    /// Returns the public keys as a JWK set (RFC 7517).
    pub fn jwks(&self, now: Instant) -> Value {
        let mut kids: Vec<_> =
            self.verifiers.iter().filter(|(_, (_, until))| now < *until).collect();
        kids.sort_by_key(|(kid, _)| kid.as_str());
        let keys: Vec<Value> = kids
            .into_iter()
            .map(|(kid, (key, _))| {
                json!({
                    "kty": "OKP", "crv": "Ed25519", "x": public_x(key),
                    "kid": kid, "alg": "EdDSA", "use": "sig"
                })
            })
            .collect();
        json!({ "keys": keys })
    }

    /// Returns whether the refresh token was derived from this salt.
    pub fn is_genuine(&self, token: &RefreshToken, salt: &[u8]) -> bool {
        token.is_genuine(&self.refresh_key, salt)
    }

    /// Returns a keyed hash of a value that must be comparable but not readable: a client's
    /// instance, an identifier, or a code.
    pub fn keyed_hash(&self, parts: &[&str]) -> String {
        keyed_hash(&self.refresh_key, parts)
    }

    /// Creates the tokens of a session. The access token is new each time; the refresh token is the
    /// same for the same generation.
    pub fn tokens(&self, grant: &Grant<'_>, issuer: &str, now: Instant) -> Tokens {
        let [jitter] = random::bytes::<1>();
        let default = Lifetimes::of(grant.roles).access_jittered(jitter);
        let default = i64::try_from(default.as_secs()).unwrap_or(0);
        let remaining = grant.absolute_until.seconds().saturating_sub(now.seconds());
        let expires_in = grant.access_ttl.unwrap_or(default.min(remaining));
        let claims = Claims {
            iss: issuer.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: grant.user_id.to_owned(),
            iat: now.seconds(),
            exp: now.seconds().saturating_add(expires_in),
            jti: random::uuid(),
            sid: hex::encode(grant.sid),
            rg: i64::from(grant.generation),
            roles: grant.roles.iter().map(ToString::to_string).collect(),
        };
        let Signer { kid, key, .. } = self.signer(now);
        let refresh =
            RefreshToken::derive(&self.refresh_key, grant.sid, grant.generation, grant.salt);
        Tokens {
            dhh_token: musette_core::session::sign(&claims, kid, key),
            refresh_token: Some(refresh.to_text()),
            expires_in,
        }
    }
}

/// Returns the time until which tokens of this key may be valid.
fn verifies_until(row: &SigningKeyRow, next: Option<&SigningKeyRow>) -> Instant {
    match next {
        None => Instant::from_millis(i64::MAX),
        Some(next) => Instant::from_millis(next.signs_from)
            .plus(VERIFICATION_PERIOD)
            .max(Instant::from_millis(row.last_exp)),
    }
}
