//! Access tokens: JWS compact serialisation (RFC 7515) with EdDSA over Ed25519 (RFC 8037) and the
//! `at+jwt` profile (RFC 9068).
//!
//! There is one algorithm and no negotiation. The header is compared with the one that the server
//! signs; it never selects how to verify.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::instant::Instant;

/// The `aud` claim of all tokens. Other programs of the company must not accept these tokens.
pub const AUDIENCE: &str = "musette";
const ALGORITHM: &str = "EdDSA";
const TYPE: &str = "at+jwt";
/// The server's tokens have about 450 bytes. A much longer text cannot be one of them.
const TOKEN_BYTES_MAX: usize = 4096;

/// Claims of an access token: those of RFC 9068 §2.2 and Musette's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// The issuer: the server's public address.
    pub iss: String,
    /// Always [`AUDIENCE`].
    pub aud: String,
    /// The user id.
    pub sub: String,
    /// Time of issue, in seconds since 1970.
    pub iat: i64,
    /// Time of expiry, in seconds since 1970.
    pub exp: i64,
    /// Unique id of the token (UUID).
    pub jti: String,
    /// Id of the session.
    pub sid: String,
    /// Generation of the refresh token that was issued together with this token. A request with
    /// this token shows that the client received that refresh token.
    pub rg: i64,
    /// Names of the person's [`Role`](super::Role)s.
    pub roles: Vec<String>,
}

/// The reason why a token is invalid. The API responds to all of them in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The text is not three parts of base64url, or it is too long.
    #[error("not an access token of this server")]
    Malformed,
    /// The header has another algorithm or type, or contains its own key.
    #[error("the header has an unsupported algorithm, type or parameter")]
    Header,
    /// The server has no key with this id.
    #[error("signed with an unknown key")]
    UnknownKey,
    /// The signature does not verify.
    #[error("the signature is wrong")]
    Signature,
    /// The claims are incomplete, or of another issuer or audience.
    #[error("a claim is missing or malformed, or the issuer or audience is wrong")]
    Claims,
    /// `nbf` is in the future.
    #[error("not valid yet")]
    NotYet,
    /// `exp` has passed.
    #[error("expired")]
    Expired,
}

#[derive(Serialize)]
struct HeaderOut<'a> {
    alg: &'a str,
    typ: &'a str,
    kid: &'a str,
}

#[derive(Deserialize)]
struct HeaderIn {
    alg: String,
    typ: String,
    kid: String,
    jku: Option<serde_json::Value>,
    x5u: Option<serde_json::Value>,
    jwk: Option<serde_json::Value>,
    x5c: Option<serde_json::Value>,
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct ClaimsIn {
    iss: String,
    aud: String,
    sub: String,
    iat: f64,
    exp: f64,
    nbf: Option<f64>,
    jti: String,
    sid: String,
    rg: i64,
    roles: Vec<String>,
}

/// Signs claims with the header that all of the server's tokens have.
pub fn sign(claims: &Claims, kid: &str, key: &SigningKey) -> String {
    let header = HeaderOut { alg: ALGORITHM, typ: TYPE, kid };
    let json = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
    sign_exactly(&json(serde_json::to_string(&header)), &json(serde_json::to_string(claims)), key)
}

/// Signs any header and claims; for tests of the verification.
pub fn sign_exactly(header: &str, claims: &str, key: &SigningKey) -> String {
    let mut token = URL_SAFE_NO_PAD.encode(header);
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(claims, &mut token);
    let signature = key.sign(token.as_bytes());
    token.push('.');
    URL_SAFE_NO_PAD.encode_string(signature.to_bytes(), &mut token);
    token
}

/// Verifies everything in the token itself. It does not check whether the session is active.
///
/// # Errors
/// Returns the first check that fails: form, header, key, signature, claims, time.
pub fn verify<'k>(
    token: &str,
    key: impl Fn(&str) -> Option<&'k VerifyingKey>,
    issuer: &str,
    now: Instant,
) -> Result<Claims, TokenError> {
    if token.len() > TOKEN_BYTES_MAX {
        return Err(TokenError::Malformed);
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
    let (header, claims) = signed.split_once('.').ok_or(TokenError::Malformed)?;
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed);

    let header: HeaderIn =
        serde_json::from_slice(&decode(header)?).map_err(|_| TokenError::Header)?;
    let has_own_key = [&header.jku, &header.x5u, &header.jwk, &header.x5c, &header.crit]
        .into_iter()
        .any(Option::is_some);
    if header.alg != ALGORITHM || header.typ != TYPE || has_own_key {
        return Err(TokenError::Header);
    }
    let key = key(&header.kid).ok_or(TokenError::UnknownKey)?;
    let signature =
        Signature::from_slice(&decode(signature)?).map_err(|_| TokenError::Signature)?;
    key.verify_strict(signed.as_bytes(), &signature).map_err(|_| TokenError::Signature)?;
    check_claims(&decode(claims)?, issuer, now)
}

fn check_claims(json: &[u8], issuer: &str, now: Instant) -> Result<Claims, TokenError> {
    let claims: ClaimsIn = serde_json::from_slice(json).map_err(|_| TokenError::Claims)?;
    if claims.iss != issuer || claims.aud != AUDIENCE {
        return Err(TokenError::Claims);
    }
    // A NumericDate may have a fraction (RFC 7519 §2). Times are compared to the millisecond,
    // without leeway.
    let millis = |seconds: f64| (seconds * 1000.0).floor();
    let now = now.millis() as f64;
    if claims.nbf.is_some_and(|nbf| millis(nbf) > now) {
        return Err(TokenError::NotYet);
    }
    if millis(claims.exp) <= now {
        return Err(TokenError::Expired);
    }
    Ok(Claims {
        iss: claims.iss,
        aud: claims.aud,
        sub: claims.sub,
        iat: claims.iat as i64,
        exp: claims.exp as i64,
        jti: claims.jti,
        sid: claims.sid,
        rg: claims.rg,
        roles: claims.roles,
    })
}

#[cfg(test)]
mod tests;
