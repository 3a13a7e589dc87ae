//! The server's key for push services, and the tokens that it signs (RFC 8292).

use std::time::Duration;

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use musette_core::instant::Instant;
use musette_store::{Store, StoreError};
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;

use crate::platform::random;

const SECRET: &str = "vapid";
/// A push service must refuse a token that is valid for more than 24 hours.
const VALID: Duration = Duration::from_secs(12 * 60 * 60);

/// The key that identifies this installation to push services.
pub struct VapidKey {
    key: SigningKey,
    /// The contact of the operator in tokens: a `mailto:` or `https:` URL.
    contact: Option<String>,
}

/// Returns a new private key in base64url.
fn new_key() -> String {
    // Nearly every 32 bytes are a valid key.
    loop {
        let bytes = random::bytes::<32>();
        if SigningKey::from_slice(&bytes).is_ok() {
            return URL_SAFE_NO_PAD.encode(bytes);
        }
    }
}

impl VapidKey {
    /// Loads the key. The first call makes it; later it never changes, because browsers subscribe
    /// with it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written, or its key is malformed.
    pub async fn load(store: &Store, contact: Option<&str>) -> Result<Self, StoreError> {
        let text = store.secret(SECRET, &new_key()).await?;
        let corrupt = || StoreError::Corrupt("the VAPID key".to_owned());
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| corrupt())?;
        let key = SigningKey::from_slice(&bytes).map_err(|_| corrupt())?;
        Ok(Self { key, contact: contact.map(str::to_owned) })
    }

    /// Returns the public key as browsers and push services take it: an uncompressed point in
    /// base64url.
    pub fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.key.verifying_key().to_sec1_point(false).as_bytes())
    }

    /// Returns the `Authorization` of a request to this endpoint; `None` if it is not a URL.
    pub fn authorization(&self, endpoint: &str, now: Instant) -> Option<String> {
        let uri: Uri = endpoint.parse().ok()?;
        let audience = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
        let header = json!({"typ": "JWT", "alg": "ES256"});
        let mut claims = json!({"aud": audience, "exp": now.plus(VALID).seconds()});
        if let Some(contact) = &self.contact {
            claims["sub"] = contact.as_str().into();
        }
        let [header, claims] =
            [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = format!("{header}.{claims}");
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        Some(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;
    use serde_json::Value;

    use super::*;

    #[test]
    fn signs_a_token_for_the_origin_of_the_endpoint() {
        let bytes = URL_SAFE_NO_PAD.decode(new_key()).expect("base64url");
        let key = SigningKey::from_slice(&bytes).expect("a key");
        let key = VapidKey { key, contact: Some("https://terms.example".to_owned()) };
        let now = Instant::from_millis(1_800_000_000_000);
        let header = key.authorization("https://push.example:8443/send/abc?x=1", now);
        let header = header.expect("a URL");
        let (token, public) = header
            .strip_prefix("vapid t=")
            .and_then(|rest| rest.split_once(", k="))
            .expect("a token and a key");
        assert_eq!(public, key.public());
        let (signed, signature) = token.rsplit_once('.').expect("three parts");
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("base64url");
        let verifier = VerifyingKey::from_sec1_bytes(&decode(public)).expect("a key");
        let signature = Signature::from_slice(&decode(signature)).expect("a signature");
        verifier.verify(signed.as_bytes(), &signature).expect("it is signed by this key");
        let claims = decode(signed.split_once('.').expect("two parts").1);
        let claims: Value = serde_json::from_slice(&claims).expect("JSON");
        assert_eq!(claims["sub"], "https://terms.example");
        assert_eq!(claims["aud"], "https://push.example:8443");
        let lifetime = claims["exp"].as_i64().expect("a number") - now.seconds();
        assert!((1..=86_400).contains(&lifetime), "{lifetime}");
        assert_eq!(key.authorization("not a URL", now), None);
    }
}
