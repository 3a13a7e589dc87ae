//! Receipt ids.
//!
//! A receipt id alone lets an applicant read and claim a receipt, so it is unguessable and is
//! neither logged nor stored. It is derived from the entry's id with a key of the server. It
//! contains the entry's number in masked form, so that the entry is found without an index.
//!
//! New ids are made for people who type them ([`groups`]). Ids issued before have 32 characters of
//! base64url and remain valid: an applicant's `subject` in the log is computed from the id's text.
//! The version of the entry's UUID tells which of the two forms its receipt has.

mod groups;

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

/// Position of the version in the text of a UUID.
const VERSION: usize = 14;

/// Returns the id of a new entry: the UUID with version 8, which RFC 9562 leaves to applications.
/// Here it says that the receipt id has groups.
pub fn new_entry_id(mut uuid: String) -> String {
    if uuid.is_char_boundary(VERSION) && uuid.is_char_boundary(VERSION + 1) {
        uuid.replace_range(VERSION..=VERSION, "8");
    }
    uuid
}

fn has_groups(entry_id: &str) -> bool {
    entry_id.len() == 36 && entry_id.as_bytes().get(VERSION) == Some(&b'8')
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

    /// Returns the receipt id of an entry. 128 of its bits are secret.
    pub fn id(&self, seq: i64, entry_id: &str) -> String {
        let mac = self.mac(entry_id);
        let masked = seq ^ self.mask(&mac);
        if has_groups(entry_id) && seq <= groups::SEQ_MASK {
            return groups::write(masked, mac);
        }
        let mut bytes = [0; SEQ_BYTES + MAC_BYTES];
        bytes[..SEQ_BYTES].copy_from_slice(&masked.to_be_bytes());
        bytes[SEQ_BYTES..].copy_from_slice(&mac);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Parses a receipt id as a program or a person writes it; `None` if the text is malformed.
    /// [`Self::matches`] verifies the entry.
    pub fn parse(&self, text: &str) -> Option<ReceiptId> {
        if let Some(ReceiptId { seq, mac }) = groups::read(text) {
            return Some(ReceiptId { seq: (seq ^ self.mask(&mac)) & groups::SEQ_MASK, mac });
        }
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).ok()?;
        let bytes: [u8; SEQ_BYTES + MAC_BYTES] = bytes.try_into().ok()?;
        let (masked, mac) = bytes.split_first_chunk()?;
        let mac: [u8; MAC_BYTES] = mac.try_into().ok()?;
        let seq = i64::from_be_bytes(*masked) ^ self.mask(&mac);
        // An id that names no entry gets the responses of an unknown receipt.
        Some(ReceiptId { seq: if seq < 0 { i64::MAX } else { seq }, mac })
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
    use super::{ReceiptKey, new_entry_id};

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

    const NEW: &str = "0193686d-0000-8000-8000-00000000000a";

    #[test]
    fn a_new_id_finds_its_entry_however_it_is_typed() {
        let key = ReceiptKey::new(b"secret");
        for seq in [0, 1, 255, 1 << 40, (1 << 52) - 1] {
            let text = key.id(seq, NEW);
            let groups: Vec<_> = text.split('-').collect();
            assert!(groups.len() == 9 && groups.iter().all(|group| group.len() == 4), "{text}");
            assert!(!text.contains(['I', 'L', 'O', 'U']) && text == text.to_uppercase(), "{text}");
            let typed = [
                text.clone(),
                text.to_lowercase(),
                text.replace('-', ""),
                text.replace('-', " "),
                text.replace('-', "\u{2013}"),
                format!("\u{200e}{text}\n"),
                text.replace('1', "I").replace('0', "O"),
                text.replace('1', "l").replace('0', "o"),
            ];
            for typed in typed {
                let id = key.parse(&typed).expect("our own");
                assert_eq!(id.seq, seq, "{typed}");
                assert!(key.matches(&id, NEW) && !key.matches(&id, "other"));
            }
        }
    }

    /// Every bit of the secret is in the text: no two symbols may be exchanged unnoticed.
    #[test]
    fn another_symbol_is_another_receipt() {
        let key = ReceiptKey::new(b"secret");
        let text = key.id(7, NEW);
        let right = key.parse(&text);
        for place in (0..text.len()).filter(|place| place % 5 != 4) {
            let other = if text.as_bytes()[place] == b'7' { "8" } else { "7" };
            let mut wrong = text.clone();
            wrong.replace_range(place..=place, other);
            assert_ne!(key.parse(&wrong), right, "{wrong}");
        }
    }

    #[test]
    fn only_new_entries_have_grouped_ids() {
        let key = ReceiptKey::new(b"secret");
        let old = "0193686d-0000-7000-8000-00000000000a";
        assert_eq!(key.id(7, old).len(), 32);
        assert_eq!(new_entry_id(old.to_owned()), NEW);
        assert_eq!(key.id(7, NEW).len(), 44);
        // The number does not fit into 52 bits.
        assert_eq!(key.id(1 << 52, NEW).len(), 32);
    }

    /// Receipts are stored on phones and printed on certificates, so old ids must stay valid.
    #[test]
    fn accepts_old_receipts() {
        let key = ReceiptKey::new(b"secret");
        let old = (0..).map(|n| format!("entry {n}")).find(|id| key.id(7, id).starts_with('-'));
        let old = old.expect("one in 64");
        for text in [key.id(7, &old), format!(" {}\n", key.id(7, &old))] {
            let parsed = key.parse(&text).expect("our own");
            assert!(parsed.seq == 7 && key.matches(&parsed, &old));
        }
    }

    #[test]
    fn rejects_malformed_ids() {
        let key = ReceiptKey::new(b"secret");
        let long = "A".repeat(37);
        let other_letter = key.id(7, NEW).replace(['0', '7', 'A', 'K'], "U");
        for text in ["", "x", "!!!!", &"A".repeat(31), &"A".repeat(33), &"é".repeat(16)] {
            assert!(key.parse(text).is_none(), "{text}");
        }
        for text in [&"A".repeat(35), &long, &other_letter, &"-".repeat(44)] {
            assert!(key.parse(text).is_none(), "{text}");
        }
    }
}
