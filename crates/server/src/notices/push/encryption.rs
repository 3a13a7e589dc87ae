//! Encrypts a push message for one browser: RFC 8291, with the content coding `aes128gcm` of
//! RFC 8188 in a single record.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use p256::elliptic_curve::group::Curve as _;
use p256::elliptic_curve::point::AffineCoordinates as _;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use sha2::Sha256;

use crate::platform::random;

/// The size of a record. RFC 8291 requires push services to take messages of up to 4,096 bytes.
const RECORD_BYTES: u32 = 4096;
/// Salt, record size, and the length of the key and the key, before the record.
const HEADER_BYTES: usize = 16 + 4 + 1 + 65;
/// The authentication tag and the delimiter of the last record.
const OVERHEAD_BYTES: usize = 16 + 1;
/// The longest text that fits into a message.
pub const PLAINTEXT_MAX: usize = RECORD_BYTES as usize - HEADER_BYTES - OVERHEAD_BYTES;
const AUTH_BYTES: usize = 16;
/// Marks the last record (RFC 8188, section 2).
const LAST_RECORD: u8 = 2;

/// The keys of a browser's subscription.
pub struct BrowserKeys {
    public: PublicKey,
    auth: [u8; AUTH_BYTES],
}

fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    parts.iter().for_each(|part| mac.update(part));
    Some(mac.finalize().into_bytes().into())
}

impl BrowserKeys {
    /// Parses the keys in base64url; `None` if they are not a point of P-256 and 16 bytes.
    pub fn parse(p256dh: &str, auth: &str) -> Option<Self> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public = PublicKey::from_sec1_bytes(&decode(p256dh)?).ok()?;
        Some(Self { public, auth: decode(auth)?.try_into().ok()? })
    }

    /// Encrypts a text with a new key pair and salt; `None` if the text is too long.
    pub fn encrypt(&self, text: &str) -> Option<Vec<u8>> {
        // Nearly every 32 bytes are a valid key.
        let key = std::iter::repeat_with(|| SecretKey::from_slice(&random::bytes::<32>()));
        let key = key.take(8).find_map(Result::ok)?;
        self.encrypt_with(&key, random::bytes(), text.as_bytes())
    }

    fn encrypt_with(&self, sender: &SecretKey, salt: [u8; 16], text: &[u8]) -> Option<Vec<u8>> {
        if text.len() > PLAINTEXT_MAX {
            return None;
        }
        let sender_public = sender.public_key().to_sec1_bytes();
        let (content_key, nonce) = self.derive(sender, &sender_public, &salt)?;
        let mut record = text.to_vec();
        record.push(LAST_RECORD);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &content_key).ok()?);
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record).ok()?;
        let key_bytes = u8::try_from(sender_public.len()).ok()?;
        Some(
            [&salt[..], &RECORD_BYTES.to_be_bytes(), &[key_bytes], &sender_public, &record]
                .concat(),
        )
    }

    /// Derives the key and the nonce of the content (RFC 8291, section 3.4).
    fn derive(
        &self,
        sender: &SecretKey,
        sender_public: &[u8],
        salt: &[u8],
    ) -> Option<([u8; 16], [u8; 12])> {
        let shared = (self.public.to_projective() * *sender.to_nonzero_scalar()).to_affine().x();
        let receiver = self.public.to_sec1_bytes();
        let extracted = hmac_sha256(&self.auth, &[&shared])?;
        let info: [&[u8]; 4] = [b"WebPush: info\0", &receiver, sender_public, &[1]];
        let input_key = hmac_sha256(&extracted, &info)?;
        let extracted = hmac_sha256(salt, &[&input_key])?;
        let key = hmac_sha256(&extracted, &[b"Content-Encoding: aes128gcm\0", &[1]])?;
        let nonce = hmac_sha256(&extracted, &[b"Content-Encoding: nonce\0", &[1]])?;
        Some((key[..16].try_into().ok()?, nonce[..12].try_into().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    const RECEIVER: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

    /// RFC 8291, section 5.
    #[test]
    fn encrypts_the_example_of_the_standard() {
        let keys = BrowserKeys::parse(RECEIVER, AUTH).expect("keys");
        let sender = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let text = b"When I grow up, I want to be a watermelon";
        let message = keys.encrypt_with(&sender.expect("a key"), salt, text).expect("a message");
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(message), expected);
    }

    #[test]
    fn rejects_long_texts_and_invalid_keys() {
        let keys = BrowserKeys::parse(RECEIVER, AUTH).expect("keys");
        let longest = keys.encrypt(&"x".repeat(PLAINTEXT_MAX)).expect("it fits");
        assert_eq!(longest.len(), RECORD_BYTES as usize);
        assert_eq!(keys.encrypt(&"x".repeat(PLAINTEXT_MAX + 1)), None);
        assert_ne!(keys.encrypt("x"), keys.encrypt("x"), "each message has its own key and salt");
        for (p256dh, auth) in
            [("", AUTH), (RECEIVER, ""), (&RECEIVER[..40], AUTH), (AUTH, RECEIVER)]
        {
            assert!(BrowserKeys::parse(p256dh, auth).is_none());
        }
    }
}
