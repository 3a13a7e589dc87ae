//! Receipt ids.
//!
//! A receipt id alone lets an applicant read and claim a receipt, so it is unguessable and is
//! neither logged nor stored. It is derived from the entry's id with a key of the server. It
//! contains the entry's number in masked form, so that the entry is found without an index.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

const SEQ_BYTES: usize = 8;
const MAC_BYTES: usize = 16;

/// The key that derives and verifies receipt ids.
#[derive(Clone)]
pub struct ReceiptKey(Box<[u8]>);

/// A well-formed receipt id. [`ReceiptKey::matches`] verifies that it belongs to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptId {
    /// Number of the submission that the id names.
    pub seq: i64,
    mac: [u8; MAC_BYTES],
}

impl std::fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReceiptKey(…)")
    }
}

impl ReceiptKey {
    /// Creates a key from the server's secret, which may have any length.
    pub fn new(secret: &[u8]) -> Self {
        Self(secret.into())
    }

    /// Returns the receipt id of an entry: 192 bits in base64url, of which 128 are secret.
    pub fn id(&self, seq: i64, entry_id: &str) -> String {
        let mac = self.mac(entry_id);
        let mut bytes = [0; SEQ_BYTES + MAC_BYTES];
        bytes[..SEQ_BYTES].copy_from_slice(&(seq ^ self.mask(&mac)).to_be_bytes());
        bytes[SEQ_BYTES..].copy_from_slice(&mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Returns the first id from `candidates` whose receipt id begins with a letter, because a
    /// spreadsheet reads a text that begins with `-` as a formula. About one candidate in five is
    /// skipped.
    ///
    /// A receipt id begins with the six highest bits of the masked number. No store has 2^58
    /// submissions, so these bits depend only on the entry's id. Receipts issued before this rule
    /// keep their ids.
    pub fn entry_id(&self, mut candidates: impl FnMut() -> String) -> String {
        loop {
            let id = candidates();
            if self.id(0, &id).starts_with(|first: char| first.is_ascii_alphabetic()) {
                return id;
            }
        }
    }

    /// Parses a receipt id; `None` if the text is malformed. [`Self::matches`] verifies the entry.
    pub fn parse(&self, text: &str) -> Option<ReceiptId> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let bytes: [u8; SEQ_BYTES + MAC_BYTES] = bytes.try_into().ok()?;
        let (masked, mac) = bytes.split_first_chunk()?;
        let mac: [u8; MAC_BYTES] = mac.try_into().ok()?;
        let seq = i64::from_be_bytes(*masked) ^ self.mask(&mac);
        (seq >= 0).then_some(ReceiptId { seq, mac })
    }

    /// Returns whether the receipt id belongs to this entry, in constant time.
    pub fn matches(&self, id: &ReceiptId, entry_id: &str) -> bool {
        self.mac(entry_id).ct_eq(&id.mac).into()
    }

    fn mac(&self, entry_id: &str) -> [u8; MAC_BYTES] {
        self.hmac(b"receipt", entry_id.as_bytes())
    }

    fn mask(&self, mac: &[u8; MAC_BYTES]) -> i64 {
        let mask: [u8; MAC_BYTES] = self.hmac(b"mask", mac);
        mask.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
    }

    fn hmac(&self, purpose: &[u8], message: &[u8]) -> [u8; MAC_BYTES] {
        let mut mac =
            <Hmac<Sha256>>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(purpose);
        mac.update(message);
        let full: [u8; 32] = mac.finalize().into_bytes().into();
        full.first_chunk().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::ReceiptKey;

    #[test]
    fn an_id_finds_its_entry_and_no_other() {
        let key = ReceiptKey::new(b"secret");
        for seq in [0, 1, 255, 1 << 40, i64::MAX] {
            let text = key.id(seq, "entry");
            assert_eq!(text.len(), 32);
            let id = key.parse(&text).expect("our own");
            assert_eq!(id.seq, seq);
            assert!(key.matches(&id, "entry"));
            assert!(!key.matches(&id, "other"));
            assert!(!ReceiptKey::new(b"other").matches(&id, "entry"));
        }
    }

    #[test]
    fn ids_of_consecutive_entries_share_almost_no_characters() {
        let key = ReceiptKey::new(b"secret");
        let (one, two) = (key.id(1, "a"), key.id(2, "b"));
        assert!(one.bytes().zip(two.bytes()).filter(|(a, b)| a == b).count() < 8, "{one} {two}");
    }

    #[test]
    fn a_new_receipt_begins_with_a_letter() {
        let key = ReceiptKey::new(b"secret");
        let mut candidates = 0;
        for _ in 0..500 {
            let id = key.entry_id(|| {
                candidates += 1;
                format!("entry {candidates}")
            });
            for seq in [0, 1, 1 << 40, (1 << 58) - 1] {
                let receipt = key.id(seq, &id);
                assert!(receipt.as_bytes()[0].is_ascii_alphabetic(), "{receipt}");
            }
        }
        assert!((550..750).contains(&candidates), "{candidates} candidates for 500");
    }

    /// Receipts are stored on phones and printed on certificates, so old ids must stay valid.
    #[test]
    fn accepts_old_receipts_that_begin_with_a_hyphen() {
        let key = ReceiptKey::new(b"secret");
        let old = (0..).map(|n| format!("entry {n}")).find(|id| key.id(7, id).starts_with('-'));
        let old = old.expect("one in 64");
        let parsed = key.parse(&key.id(7, &old)).expect("our own");
        assert!(parsed.seq == 7 && key.matches(&parsed, &old));
    }

    #[test]
    fn rejects_malformed_ids() {
        let key = ReceiptKey::new(b"secret");
        for text in ["", "x", "!!!!", &"A".repeat(31), &"A".repeat(33), &"é".repeat(16)] {
            assert!(key.parse(text).is_none(), "{text}");
        }
    }
}
