//! The id of a receipt. It alone lets an applicant read and claim, so it is unguessable, is in no
//! log and is stored nowhere: it is derived from the entry's id under a key of the server, and it
//! carries the entry's number, masked, so that it can be found without an index.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

const SEQ_BYTES: usize = 8;
const MAC_BYTES: usize = 16;

/// Derives and recognises receipt ids.
#[derive(Clone)]
pub struct ReceiptKey(Box<[u8]>);

/// A text of the right form; whose entry it names only `ReceiptKey::matches` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiptId {
    /// Number of the submission that it names.
    pub seq: i64,
    mac: [u8; MAC_BYTES],
}

impl std::fmt::Debug for ReceiptKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReceiptKey(…)")
    }
}

impl ReceiptKey {
    /// A key from the server's secret of any length.
    pub fn new(secret: &[u8]) -> Self {
        Self(secret.into())
    }

    /// 192 bits in base64url; 128 of them are the secret.
    pub fn id(&self, seq: i64, entry_id: &str) -> String {
        let mac = self.mac(entry_id);
        let mut bytes = [0; SEQ_BYTES + MAC_BYTES];
        bytes[..SEQ_BYTES].copy_from_slice(&(seq ^ self.mask(&mac)).to_be_bytes());
        bytes[SEQ_BYTES..].copy_from_slice(&mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The first id that `candidates` gives of which the receipt begins with a letter: a spreadsheet
    /// takes one that begins with `-` for a formula. About one candidate in five is passed over. An id
    /// begins with the six highest bits of the masked number, and no store has 2^58 submissions, so
    /// the entry's id alone decides; receipts of before stay as they were given.
    pub fn entry_id(&self, mut candidates: impl FnMut() -> String) -> String {
        loop {
            let id = candidates();
            if self.id(0, &id).starts_with(|first: char| first.is_ascii_alphabetic()) {
                return id;
            }
        }
    }

    /// Reads an id; whose entry it names, [`Self::matches`] says. None for a text of another form.
    pub fn parse(&self, text: &str) -> Option<ReceiptId> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let bytes: [u8; SEQ_BYTES + MAC_BYTES] = bytes.try_into().ok()?;
        let (masked, mac) = bytes.split_first_chunk()?;
        let mac: [u8; MAC_BYTES] = mac.try_into().ok()?;
        let seq = i64::from_be_bytes(*masked) ^ self.mask(&mac);
        (seq >= 0).then_some(ReceiptId { seq, mac })
    }

    /// Whether the id belongs to this entry; in constant time.
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
    fn neighbours_share_nothing() {
        let key = ReceiptKey::new(b"secret");
        let (one, two) = (key.id(1, "a"), key.id(2, "b"));
        assert!(one.bytes().zip(two.bytes()).filter(|(a, b)| a == b).count() < 8, "{one} {two}");
    }

    #[test]
    fn a_new_receipt_begins_with_a_letter() {
        let key = ReceiptKey::new(b"secret");
        let mut made = 0;
        for _ in 0..500 {
            let id = key.entry_id(|| {
                made += 1;
                format!("entry {made}")
            });
            for seq in [0, 1, 1 << 40, (1 << 58) - 1] {
                let receipt = key.id(seq, &id);
                assert!(receipt.as_bytes()[0].is_ascii_alphabetic(), "{receipt}");
            }
        }
        assert!((550..750).contains(&made), "{made} candidates for 500");
    }

    /// Kept on phones and printed on certificates.
    #[test]
    fn receipts_of_before_are_what_they_were() {
        let key = ReceiptKey::new(b"secret");
        let old = (0..).map(|n| format!("entry {n}")).find(|id| key.id(7, id).starts_with('-'));
        let old = old.expect("one in 64");
        let parsed = key.parse(&key.id(7, &old)).expect("our own");
        assert!(parsed.seq == 7 && key.matches(&parsed, &old));
    }

    #[test]
    fn other_texts_name_nothing() {
        let key = ReceiptKey::new(b"secret");
        for text in ["", "x", "!!!!", &"A".repeat(31), &"A".repeat(33), &"é".repeat(16)] {
            assert!(key.parse(text).is_none(), "{text}");
        }
    }
}
