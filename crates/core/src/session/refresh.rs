//! Refresh tokens.
//!
//! They are derived and not stored: an HMAC of the session, the generation and a salt in the
//! session's row. Neither the database nor the key alone is enough to create one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const VERSION: u8 = 1;
const SID_BYTES: usize = 16;
const MAC_BYTES: usize = 32;
const TOKEN_BYTES: usize = 1 + SID_BYTES + 4 + MAC_BYTES;

/// A parsed token. [`Self::is_genuine`] verifies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Id of the session, a UUID.
    pub sid: [u8; SID_BYTES],
    /// Number of rotations of the session, counted from 0.
    pub generation: u32,
    mac: [u8; MAC_BYTES],
}

/// The text is not a refresh token: its length, alphabet or version is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a refresh token of this server")]
pub struct RefreshTokenError;

fn new_mac(key: &[u8], sid: &[u8; SID_BYTES], generation: u32, salt: &[u8]) -> Hmac<Sha256> {
    let mut mac = <Hmac<Sha256>>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(b"musette refresh 1");
    mac.update(sid);
    mac.update(&generation.to_be_bytes());
    mac.update(salt);
    mac
}

impl RefreshToken {
    /// Derives the token of a generation: HMAC-SHA256 (RFC 2104) with the server's key of the
    /// session, the generation and the session's salt.
    pub fn derive(key: &[u8], sid: [u8; SID_BYTES], generation: u32, salt: &[u8]) -> Self {
        let mac = new_mac(key, &sid, generation, salt).finalize().into_bytes().into();
        Self { sid, generation, mac }
    }

    /// Parses a token. [`Self::is_genuine`] verifies it.
    ///
    /// # Errors
    /// Returns an error if the length or version is wrong or the text is not base64url.
    pub fn parse(text: &str) -> Result<Self, RefreshTokenError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| RefreshTokenError)?;
        let bytes: [u8; TOKEN_BYTES] = bytes.try_into().map_err(|_| RefreshTokenError)?;
        let (version, rest) = bytes.split_first().ok_or(RefreshTokenError)?;
        let (sid, rest) = rest.split_first_chunk().ok_or(RefreshTokenError)?;
        let (generation, mac) = rest.split_first_chunk().ok_or(RefreshTokenError)?;
        if *version != VERSION {
            return Err(RefreshTokenError);
        }
        let mac = mac.try_into().map_err(|_| RefreshTokenError)?;
        Ok(Self { sid: *sid, generation: u32::from_be_bytes(*generation), mac })
    }

    /// Returns whether the server issued this token, in constant time.
    pub fn is_genuine(&self, key: &[u8], salt: &[u8]) -> bool {
        new_mac(key, &self.sid, self.generation, salt).verify_slice(&self.mac).is_ok()
    }

    /// Returns the text of the token: 53 bytes in base64url (version, session, generation, MAC).
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::with_capacity(TOKEN_BYTES);
        bytes.push(VERSION);
        bytes.extend_from_slice(&self.sid);
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes.extend_from_slice(&self.mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::RefreshToken;

    #[test]
    fn a_genuine_token_requires_the_key_and_the_salt() {
        let token = RefreshToken::derive(b"key", [1; 16], 7, b"salt");
        let parsed = RefreshToken::parse(&token.to_text()).expect("our own");
        assert_eq!(parsed, token);
        assert!(parsed.is_genuine(b"key", b"salt"));
        assert!(!parsed.is_genuine(b"key", b"pepper"));
        assert!(!parsed.is_genuine(b"lock", b"salt"));
        let next = RefreshToken { generation: 8, ..parsed };
        assert!(!next.is_genuine(b"key", b"salt"));
    }

    #[test]
    fn rejects_malformed_texts() {
        for text in ["", "AQ", "!!!", &"A".repeat(71), &"A".repeat(10_000)] {
            assert!(RefreshToken::parse(text).is_err(), "{text}");
        }
    }
}
