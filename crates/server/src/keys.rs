//! The keys that sign access tokens, and tokens made with them.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{SigningKey, VerifyingKey};
use musette_core::instant::Instant;
use musette_core::session::{AUDIENCE, Claims, Lifetimes, RefreshToken, TokenFault};
use musette_store::{NewSession, SigningKeyRow, Store, StoreError, User};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::Digest as _;

use crate::random;

/// Every key whose tokens are still good, and the one that signs now.
pub struct Keys {
    signer: (String, SigningKey),
    verifiers: HashMap<String, VerifyingKey>,
}

/// What a sign-in and a refresh answer.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct Tokens {
    /// A signed JWT for `Authorization: Bearer`.
    #[serde(rename = "dhhToken")]
    pub dhh_token: String,
    #[serde(rename = "refreshToken")]
    pub refresh_token: String,
    /// Seconds until `dhhToken` expires.
    pub expires_in: i64,
}

/// How long the access token of a new session shall live instead of its role's time.
pub type AccessTtlSeconds = Option<i64>;

fn public_x(key: &VerifyingKey) -> String {
    URL_SAFE_NO_PAD.encode(key.as_bytes())
}

/// RFC 7638: the names in order, no space.
fn thumbprint(key: &VerifyingKey) -> String {
    let jwk = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, public_x(key));
    URL_SAFE_NO_PAD.encode(sha2::Sha256::digest(jwk))
}

fn new_row(now: Instant) -> SigningKeyRow {
    let seed = random::bytes::<32>();
    let kid = thumbprint(&SigningKey::from_bytes(&seed).verifying_key());
    SigningKeyRow { kid, seed: random::to_hex(&seed), signs_from: now.millis() }
}

impl Keys {
    /// Reads the keys; the first start makes one.
    pub async fn load(store: &Store, now: Instant) -> Result<Self, StoreError> {
        let rows = store.signing_keys(&new_row(now), now).await?;
        let mut signer = None;
        let mut verifiers = HashMap::new();
        for row in rows {
            let seed: Option<[u8; 32]> =
                random::from_hex(&row.seed).and_then(|seed| seed.try_into().ok());
            let seed = seed.ok_or_else(|| StoreError::Corrupt("a signing key".into()))?;
            let key = SigningKey::from_bytes(&seed);
            verifiers.insert(row.kid.clone(), key.verifying_key());
            // In order of age: the newest that may sign already is the one that does.
            if row.signs_from <= now.millis() || signer.is_none() {
                signer = Some((row.kid, key));
            }
        }
        let signer = signer.ok_or_else(|| StoreError::Corrupt("no signing key".into()))?;
        Ok(Self { signer, verifiers })
    }

    pub fn verify(&self, token: &str, issuer: &str, now: Instant) -> Result<Claims, TokenFault> {
        musette_core::session::verify(token, |kid| self.verifiers.get(kid), issuer, now)
    }

    /// Signs exactly what it is given; `kid` and the rest of the header are the caller's.
    pub fn sign_exactly(&self, header: &str, claims: &str) -> String {
        musette_core::session::sign_exactly(header, claims, &self.signer.1)
    }

    pub fn signer_kid(&self) -> &str {
        &self.signer.0
    }

    /// RFC 7517.
    pub fn jwks(&self) -> Value {
        let mut kids: Vec<_> = self.verifiers.iter().collect();
        kids.sort_by_key(|(kid, _)| kid.as_str());
        let keys: Vec<Value> = kids
            .into_iter()
            .map(|(kid, key)| {
                json!({
                    "kty": "OKP", "crv": "Ed25519", "x": public_x(key),
                    "kid": kid, "alg": "EdDSA", "use": "sig"
                })
            })
            .collect();
        json!({ "keys": keys })
    }

    /// Opens a session for the user and gives its first tokens.
    pub async fn open_session(
        &self,
        store: &Store,
        user: &User,
        issuer: &str,
        access_ttl: AccessTtlSeconds,
        now: Instant,
    ) -> Result<Tokens, StoreError> {
        let lifetimes = Lifetimes::of(&user.roles);
        let (sid, salt) = (random::bytes::<16>(), random::bytes::<16>());
        let session = NewSession {
            sid: random::to_hex(&sid),
            user_id: user.id.clone(),
            salt: random::to_hex(&salt),
            idle_until: now.plus(lifetimes.idle),
            absolute_until: now.plus(lifetimes.absolute),
        };
        store.open_session(&session, now).await?;
        let refresh_key = store.secret("refresh", &random::hex::<32>()).await?;
        let refresh_key = random::from_hex(&refresh_key)
            .ok_or_else(|| StoreError::Corrupt("the refresh key".into()))?;
        let [jitter] = random::bytes::<1>();
        let jittered = lifetimes.access_jittered(jitter).as_secs();
        let expires_in = access_ttl.unwrap_or(i64::try_from(jittered).unwrap_or(0));
        let claims = Claims {
            iss: issuer.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: user.id.clone(),
            iat: now.seconds(),
            exp: now.seconds().saturating_add(expires_in),
            jti: random::uuid(),
            sid: session.sid,
            rg: 0,
            roles: user.roles.iter().map(|role| role.as_str().to_owned()).collect(),
        };
        Ok(Tokens {
            dhh_token: musette_core::session::sign(&claims, &self.signer.0, &self.signer.1),
            refresh_token: RefreshToken::derive(&refresh_key, sid, 0, &salt).to_text(),
            expires_in,
        })
    }
}
