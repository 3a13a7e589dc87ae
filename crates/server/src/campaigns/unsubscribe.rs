//! Links that unsubscribe from e-mails about optional terms.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use musette_store::{Store, StoreError};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::platform::random;

const ID_BYTES: usize = 16;
const MAC_BYTES: usize = 16;

/// The key that derives the token of a message. A token names the message, so that it needs no row;
/// the id alone is in every reply to the e-mail and must not be enough.
pub struct UnsubscribeKey(Vec<u8>);

impl UnsubscribeKey {
    /// Loads the key. The first call creates it.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let secret = store.secret("unsubscribe", &random::hex::<32>()).await?;
        let key = hex::decode(&secret);
        key.map(Self).map_err(|_| StoreError::Corrupt("the unsubscribe key".into()))
    }

    fn mac(&self, id: &[u8; ID_BYTES]) -> [u8; MAC_BYTES] {
        let mut short = [0; MAC_BYTES];
        // HMAC takes a key of any length.
        if let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) {
            mac.update(id);
            short.copy_from_slice(&mac.finalize().into_bytes()[..MAC_BYTES]);
        }
        short
    }

    /// Returns the token of a message. None if the id is no UUID.
    pub fn token(&self, message: &str) -> Option<String> {
        let id = Uuid::parse_str(message).ok()?.into_bytes();
        Some(URL_SAFE_NO_PAD.encode([&id[..], &self.mac(&id)].concat()))
    }

    /// Returns the id of the message with this token. None if the token is not authentic.
    pub fn message(&self, token: &str) -> Option<String> {
        let bytes: [u8; ID_BYTES + MAC_BYTES] =
            URL_SAFE_NO_PAD.decode(token).ok()?.try_into().ok()?;
        let (id, mac) = bytes.split_first_chunk::<ID_BYTES>()?;
        let is_authentic: bool = self.mac(id).ct_eq(mac).into();
        is_authentic.then(|| Uuid::from_bytes(*id).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::UnsubscribeKey;

    #[test]
    fn accepts_only_tokens_of_its_own() {
        let key = UnsubscribeKey(vec![1; 32]);
        let id = "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e";
        let token = key.token(id).expect("a token");
        assert_eq!(key.message(&token).as_deref(), Some(id));
        assert_eq!(UnsubscribeKey(vec![2; 32]).message(&token), None);
        let changed = format!("{}A", &token[..token.len() - 1]);
        assert!(changed == token || key.message(&changed).is_none());
        for text in ["", "a", id, &token[1..]] {
            assert_eq!(key.message(text), None, "{text}");
        }
        assert_eq!(key.token("no uuid"), None);
    }
}
