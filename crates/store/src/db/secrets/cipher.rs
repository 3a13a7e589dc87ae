use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, Generate as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hex::FromHex as _;
use sha2::{Digest as _, Sha256};

use super::SecretColumn;
use crate::db::error::SecretsError;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// Prefix of an encrypted value. The key ID follows, then nonce and ciphertext in base64url.
const SEALED: &str = "sealed-1:";

#[derive(Clone)]
struct Key {
    /// An ID that identifies a key without revealing anything about it.
    id: String,
    cipher: XChaCha20Poly1305,
}

/// Keys for secrets at rest. The first key encrypts; each key decrypts what it has encrypted.
#[derive(Clone, Default)]
pub struct SecretsKeys(Vec<Key>);

impl std::fmt::Debug for SecretsKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretsKeys({} keys)", self.0.len())
    }
}

impl Key {
    fn new(bytes: &[u8; KEY_BYTES]) -> Self {
        let id = Sha256::new().chain_update("musette secrets key").chain_update(bytes).finalize();
        Self { id: URL_SAFE_NO_PAD.encode(&id[..6]), cipher: XChaCha20Poly1305::new(bytes.into()) }
    }
}

impl SecretsKeys {
    /// Reads the content of a key file: 32 bytes, or one key of 64 hexadecimal digits a line.
    pub fn parse(file: &[u8]) -> Result<Self, &'static str> {
        const FORMAT_ERROR: &str = "it must contain 64 hexadecimal digits per line, or 32 bytes";
        if let Ok(bytes) = file.try_into() {
            return Ok(Self(vec![Key::new(bytes)]));
        }
        let text = std::str::from_utf8(file).map_err(|_| FORMAT_ERROR)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let keys: Option<Vec<Key>> = lines
            .map(|line| <[u8; 32]>::from_hex(line).ok())
            .map(|bytes| bytes.map(|bytes| Key::new(&bytes)))
            .collect();
        keys.filter(|keys| !keys.is_empty()).map(Self).ok_or(FORMAT_ERROR)
    }

    /// Returns whether there is no key, so that secrets are stored as plain text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_sealed(value: &str) -> bool {
        value.starts_with(SEALED)
    }

    pub(crate) fn seal(
        &self,
        place: &SecretColumn,
        name: &str,
        secret: &str,
    ) -> Result<String, SecretsError> {
        let Some(key) = self.0.first() else { return Ok(secret.to_owned()) };
        let nonce = XNonce::generate();
        let row = row(place, name);
        let payload = Payload { msg: secret.as_bytes(), aad: row.as_bytes() };
        let sealed = key.cipher.encrypt(&nonce, payload).map_err(|_| SecretsError::Broken)?;
        let bytes = [&nonce[..], &sealed].concat();
        Ok(format!("{SEALED}{}:{}", key.id, URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Decrypts the value of a row; a value that is not encrypted is returned unchanged.
    pub(crate) fn open(
        &self,
        place: &SecretColumn,
        name: &str,
        value: &str,
    ) -> Result<String, SecretsError> {
        let Some(sealed) = value.strip_prefix(SEALED) else { return Ok(value.to_owned()) };
        if self.0.is_empty() {
            return Err(SecretsError::NoKey);
        }
        let (id, bytes) = sealed.split_once(':').ok_or(SecretsError::Broken)?;
        let key = self.0.iter().find(|key| key.id == id).ok_or(SecretsError::OtherKey)?;
        let bytes = URL_SAFE_NO_PAD.decode(bytes).map_err(|_| SecretsError::Broken)?;
        let (nonce, sealed) =
            bytes.split_first_chunk::<NONCE_BYTES>().ok_or(SecretsError::Broken)?;
        let row = row(place, name);
        let payload = Payload { msg: sealed, aad: row.as_bytes() };
        let opened = key.cipher.decrypt(nonce.into(), payload).map_err(|_| SecretsError::Broken)?;
        String::from_utf8(opened).map_err(|_| SecretsError::Broken)
    }
}

/// Returns the associated data of a row, which is unique for each row.
fn row(place: &SecretColumn, name: &str) -> String {
    format!("musette/{}/{name}", place.table)
}

#[cfg(test)]
mod tests {
    use super::super::{SECRETS, SIGNING_KEYS};
    use super::SecretsKeys;
    use crate::db::error::SecretsError;

    fn keys(digits: &[&str]) -> SecretsKeys {
        let lines: Vec<String> = digits.iter().map(|digit| digit.repeat(64)).collect();
        SecretsKeys::parse(lines.join("\n").as_bytes()).expect("keys")
    }

    #[test]
    fn decrypts_a_secret_only_with_its_key_and_in_its_row() {
        let one = keys(&["1"]);
        let sealed = one.seal(&SECRETS, "refresh", "the secret").expect("sealed");
        assert!(!sealed.contains("secret"), "{sealed}");
        assert_ne!(one.seal(&SECRETS, "refresh", "the secret"), Ok(sealed.clone()), "new nonce");
        let open = |keys: &SecretsKeys, name| keys.open(&SECRETS, name, &sealed);
        assert_eq!(open(&one, "refresh").as_deref(), Ok("the secret"));
        assert_eq!(open(&one, "receipt"), Err(SecretsError::Broken));
        assert_eq!(one.open(&SIGNING_KEYS, "refresh", &sealed), Err(SecretsError::Broken));
        assert_eq!(open(&keys(&["2"]), "refresh"), Err(SecretsError::OtherKey));
        assert_eq!(open(&keys(&["2", "1"]), "refresh").as_deref(), Ok("the secret"));
        assert_eq!(open(&SecretsKeys::default(), "refresh"), Err(SecretsError::NoKey));
        for at in [12, 25, sealed.len() - 1] {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            assert!(one.open(&SECRETS, "refresh", &changed).is_err(), "{changed}");
        }
        assert!(one.open(&SECRETS, "refresh", &sealed[..40]).is_err());
    }

    #[test]
    fn stores_a_secret_as_plain_text_without_a_key() {
        let none = SecretsKeys::default();
        assert_eq!(none.seal(&SECRETS, "refresh", "abc").as_deref(), Ok("abc"));
        assert_eq!(keys(&["1"]).open(&SECRETS, "refresh", "abc").as_deref(), Ok("abc"));
    }

    #[test]
    fn parses_a_key_file_of_hex_lines_or_32_bytes() {
        let digits = "0123456789abcdef".repeat(4);
        for good in [
            digits.clone(),
            format!("{digits}\n"),
            format!("  {}\r\n\n{digits}\n", digits.to_uppercase()),
        ] {
            SecretsKeys::parse(good.as_bytes()).expect("keys");
        }
        SecretsKeys::parse(&[0xff; 32]).expect("a key");
        for bad in ["", "\n", "password", &digits[1..], &format!("{digits}0"), &"g".repeat(64)] {
            assert!(SecretsKeys::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        let debug = format!("{:?}", keys(&["1"]));
        assert!(!debug.contains("111"), "{debug}");
    }
}
