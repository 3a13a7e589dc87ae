//! Refresh tokens are derived, not stored: an HMAC over session, generation and a salt that lies in
//! the session's row. Neither the database nor the key alone can make one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const VERSION: u8 = 1;
const SID_BYTES: usize = 16;
const MAC_BYTES: usize = 32;
const TOKEN_BYTES: usize = 1 + SID_BYTES + 4 + MAC_BYTES;

/// A parsed token; whether it is genuine, only `is_genuine` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Id of the session, a UUID.
    pub sid: [u8; SID_BYTES],
    /// Counts the rotations of the session from 0.
    pub generation: u32,
    mac: [u8; MAC_BYTES],
}

/// A text is not a refresh token: wrong length, alphabet or version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a refresh token of ours")]
pub struct RefreshTokenFault;

fn keyed(key: &[u8], sid: &[u8; SID_BYTES], generation: u32, salt: &[u8]) -> Hmac<Sha256> {
    let mut mac = <Hmac<Sha256>>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(b"musette refresh 1");
    mac.update(sid);
    mac.update(&generation.to_be_bytes());
    mac.update(salt);
    mac
}

impl RefreshToken {
    /// The token of this generation: HMAC-SHA256 (RFC 2104) under the server's key over session,
    /// generation and the session's salt.
    pub fn derive(key: &[u8], sid: [u8; SID_BYTES], generation: u32, salt: &[u8]) -> Self {
        let mac = keyed(key, &sid, generation, salt).finalize().into_bytes().into();
        Self { sid, generation, mac }
    }

    /// Reads a token; whether it is genuine, [`Self::is_genuine`] says.
    ///
    /// # Errors
    /// When it has another length or version, or is not base64url.
    pub fn parse(text: &str) -> Result<Self, RefreshTokenFault> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| RefreshTokenFault)?;
        let bytes: [u8; TOKEN_BYTES] = bytes.try_into().map_err(|_| RefreshTokenFault)?;
        let (version, rest) = bytes.split_first().ok_or(RefreshTokenFault)?;
        let (sid, rest) = rest.split_first_chunk().ok_or(RefreshTokenFault)?;
        let (generation, mac) = rest.split_first_chunk().ok_or(RefreshTokenFault)?;
        if *version != VERSION {
            return Err(RefreshTokenFault);
        }
        let mac = mac.try_into().map_err(|_| RefreshTokenFault)?;
        Ok(Self { sid: *sid, generation: u32::from_be_bytes(*generation), mac })
    }

    /// Compares in constant time.
    pub fn is_genuine(&self, key: &[u8], salt: &[u8]) -> bool {
        keyed(key, &self.sid, self.generation, salt).verify_slice(&self.mac).is_ok()
    }

    /// 53 bytes in base64url: version, session, generation, MAC.
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
    fn only_key_and_salt_together_make_a_genuine_token() {
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
    fn any_other_text_is_refused() {
        for text in ["", "AQ", "!!!", &"A".repeat(71), &"A".repeat(10_000)] {
            assert!(RefreshToken::parse(text).is_err(), "{text}");
        }
    }
}
