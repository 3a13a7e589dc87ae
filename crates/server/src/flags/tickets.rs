//! Tickets and links that open a stream. A browser's `EventSource` cannot send headers, so the URL
//! must contain the permission: a ticket for one stream within a minute; or for OFREP, whose
//! clients reconnect to the same URL, a link that is valid for a day. Both are valid only as long
//! as the flag key that they were created with, whose hash they contain. Both only reveal that
//! something has changed in the key's environment.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use musette_core::instant::Instant;
use musette_store::{Store, StoreError};
use sha2::{Digest as _, Sha256};

use crate::platform::random;

pub const TICKET_TTL: Duration = Duration::from_secs(60);
const LINK_TTL_MS: i64 = 24 * 60 * 60 * 1000;
/// Links of one hour are identical, because a client reconnects when its link changes.
const LINK_EVERY_MS: i64 = 60 * 60 * 1000;
const TAG_BYTES: usize = 16;
const NONCE_BYTES: usize = 16;
const KEY_BYTES: usize = 32;
/// The purpose in the tag. Tickets of earlier versions are tagged `ticket`, and contain an
/// environment name, not a hash.
const TICKET: &[u8] = b"key-ticket";

pub struct Tickets {
    key: Hmac<Sha256>,
    /// Nonces that were used on this node, until they expire.
    used: Mutex<HashMap<[u8; NONCE_BYTES], i64>>,
}

/// The URL of the event stream of an OFREP client.
pub struct Link {
    pub text: String,
    /// Milliseconds since 1970.
    pub expires_at: i64,
}

/// SHA-256 of a flag key.
pub type KeyHash = [u8; KEY_BYTES];

/// An authentic ticket that has not expired.
#[derive(Debug, PartialEq, Eq)]
struct Ticket {
    nonce: [u8; NONCE_BYTES],
    expires_at: i64,
    key: KeyHash,
}

impl Tickets {
    pub fn new(secret: &[u8]) -> Self {
        let key = Hmac::new_from_slice(secret).expect("HMAC takes a key of any length");
        Self { key, used: Mutex::default() }
    }

    /// Loads the key of this store, so that all nodes accept the tickets of any node.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let secret = store.secret("flag-tickets", &random::hex::<32>()).await?;
        Ok(Self::new(secret.as_bytes()))
    }

    pub fn issue(&self, flag_key: &str, now: Instant) -> String {
        let mut bytes = random::bytes::<NONCE_BYTES>().to_vec();
        bytes.extend(now.plus(TICKET_TTL).millis().to_be_bytes());
        bytes.extend(Sha256::digest(flag_key));
        let tag = self.tag(TICKET, &bytes);
        bytes.extend(tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Redeems a ticket, and returns the flag key that it was created with. None if it was already
    /// used. If the store is unavailable, only uses on this node are checked: a second stream is
    /// less harmful than a client without changes.
    pub async fn redeem(&self, text: &str, store: &Store, now: Instant) -> Option<KeyHash> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let ticket = self.read_ticket(&bytes, now)?;
        if !self.is_first(&ticket, now) {
            return None;
        }
        let used = [(hex::encode(ticket.nonce), ticket.expires_at)];
        match store.use_tickets(&used).await {
            Ok(first) => first.first().map(|_| ticket.key),
            Err(error) => {
                tracing::warn!(error = %error, "a stream ticket could not be checked in the store: it was accepted");
                Some(ticket.key)
            }
        }
    }

    fn is_first(&self, ticket: &Ticket, now: Instant) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, expires_at| *expires_at > now.millis());
        used.insert(ticket.nonce, ticket.expires_at).is_none()
    }

    fn read_ticket(&self, bytes: &[u8], now: Instant) -> Option<Ticket> {
        let (bytes, tag) = bytes.split_at_checked(bytes.len().checked_sub(TAG_BYTES)?)?;
        self.verify(TICKET, bytes, tag)?;
        let (nonce, rest) = bytes.split_first_chunk()?;
        let (expires_at, key) = rest.split_first_chunk()?;
        let expires_at = i64::from_be_bytes(*expires_at);
        let key = key.try_into().ok()?;
        (now.millis() < expires_at).then_some(Ticket { nonce: *nonce, expires_at, key })
    }

    /// Returns the link of a flag key. It stays the same for an hour, so that a client keeps its
    /// connection.
    pub fn link(&self, flag_key: &str, now: Instant) -> Link {
        let hour = now.millis().div_euclid(LINK_EVERY_MS) * LINK_EVERY_MS;
        let expires_at = hour + LINK_TTL_MS;
        let mut bytes = Sha256::digest(flag_key).to_vec();
        bytes.extend(expires_at.to_be_bytes());
        let tag = self.tag(b"link", &bytes);
        bytes.extend(tag);
        Link { text: URL_SAFE_NO_PAD.encode(bytes), expires_at }
    }

    /// Verifies a link. Returns the SHA-256 of the flag key that it was created with, and its
    /// expiry.
    pub fn linked(&self, text: &str, now: Instant) -> Option<(KeyHash, Instant)> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (bytes, tag) = bytes.split_at_checked(bytes.len().checked_sub(TAG_BYTES)?)?;
        self.verify(b"link", bytes, tag)?;
        let (key, expires_at) = bytes.split_first_chunk()?;
        let expires_at = Instant::from_millis(i64::from_be_bytes(expires_at.try_into().ok()?));
        (now < expires_at).then_some((*key, expires_at))
    }

    fn tag(&self, purpose: &[u8], bytes: &[u8]) -> [u8; TAG_BYTES] {
        let hmac = self.key.clone().chain_update(purpose).chain_update([0]).chain_update(bytes);
        let mut tag = [0; TAG_BYTES];
        tag.copy_from_slice(&hmac.finalize().into_bytes()[..TAG_BYTES]);
        tag
    }

    fn verify(&self, purpose: &[u8], bytes: &[u8], tag: &[u8]) -> Option<()> {
        use subtle::ConstantTimeEq as _;
        bool::from(self.tag(purpose, bytes).ct_eq(tag)).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use base64::Engine as _;
    use musette_core::instant::Instant;
    use musette_store::Store;
    use sha2::Digest as _;

    use super::{TICKET_TTL, Tickets, URL_SAFE_NO_PAD};

    const NOW: Instant = Instant::from_millis(1_800_000_000_000);

    async fn store() -> (Store, tempfile::TempDir) {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::open_sqlite(&dir.path().join("musette.db")).await.expect("opens");
        store.migrate().await.expect("migrates");
        (store, dir)
    }

    #[tokio::test]
    async fn a_ticket_can_be_redeemed_once_on_any_node() {
        let (store, _dir) = store().await;
        let (issuer, other) = (Tickets::new(b"secret"), Tickets::new(b"secret"));
        let ticket = issuer.issue("key", NOW);
        let redeemed = other.redeem(&ticket, &store, NOW).await;
        assert_eq!(redeemed, Some(sha2::Sha256::digest("key").into()));
        assert_eq!(other.redeem(&ticket, &store, NOW).await, None);
        assert_eq!(issuer.redeem(&ticket, &store, NOW).await, None);
    }

    #[tokio::test]
    async fn a_ticket_lasts_a_minute() {
        let (store, _dir) = store().await;
        let tickets = Tickets::new(b"secret");
        let ticket = tickets.issue("key", NOW);
        assert_eq!(tickets.redeem(&ticket, &store, NOW.plus(TICKET_TTL)).await, None);
        let just = NOW.plus(TICKET_TTL.saturating_sub(Duration::from_millis(1)));
        assert!(tickets.redeem(&ticket, &store, just).await.is_some());
    }

    #[tokio::test]
    async fn rejects_forged_tickets() {
        let (store, _dir) = store().await;
        let tickets = Tickets::new(b"secret");
        let ticket = tickets.issue("key", NOW);
        let bytes = URL_SAFE_NO_PAD.decode(&ticket).expect("base64");
        for i in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[i] ^= 1;
            let forged = URL_SAFE_NO_PAD.encode(forged);
            assert_eq!(tickets.redeem(&forged, &store, NOW).await, None, "byte {i}");
        }
        for bad in ["", "x", "!!", &ticket[..20], &Tickets::new(b"other").issue("x", NOW)] {
            assert_eq!(tickets.redeem(bad, &store, NOW).await, None, "{bad}");
        }
        assert_eq!(tickets.redeem(&tickets.link("key", NOW).text, &store, NOW).await, None);
        // A ticket of an earlier version, for an environment whose name is as long as a hash.
        let mut earlier = bytes[..24].to_vec();
        earlier.extend([b'x'; 32]);
        let tag = tickets.tag(b"ticket", &earlier);
        earlier.extend(tag);
        assert_eq!(tickets.redeem(&URL_SAFE_NO_PAD.encode(earlier), &store, NOW).await, None);
    }

    #[test]
    fn a_link_contains_the_hash_of_its_key() {
        let tickets = Tickets::new(b"secret");
        let link = tickets.link("key", NOW).text;
        assert_eq!(link, tickets.link("key", NOW).text);
        let linked = |tickets: &Tickets, link: &str| tickets.linked(link, NOW).map(|(key, _)| key);
        assert_eq!(linked(&tickets, &link), Some(sha2::Sha256::digest("key").into()));
        assert!(!link.contains("key"));
        assert_eq!(linked(&Tickets::new(b"other"), &link), None);
        // As long as a link, but created for another purpose.
        let mut ticket = sha2::Sha256::digest("key").to_vec();
        ticket.extend(NOW.plus(TICKET_TTL).millis().to_be_bytes());
        let tag = tickets.tag(super::TICKET, &ticket);
        ticket.extend(tag);
        assert_eq!(linked(&tickets, &URL_SAFE_NO_PAD.encode(ticket)), None);
        let mut bytes = URL_SAFE_NO_PAD.decode(&link).expect("base64");
        for i in 0..bytes.len() {
            bytes[i] ^= 1;
            assert_eq!(linked(&tickets, &URL_SAFE_NO_PAD.encode(&bytes)), None, "byte {i}");
            bytes[i] ^= 1;
        }
    }

    #[test]
    fn a_link_lasts_a_day_and_changes_every_hour() {
        let tickets = Tickets::new(b"secret");
        let hours = |hours: u64| Duration::from_secs(hours * 60 * 60);
        let link = tickets.link("key", NOW).text;
        assert!(tickets.linked(&link, NOW.plus(hours(23))).is_some());
        assert!(tickets.linked(&link, NOW.plus(hours(24))).is_none());
        let next = tickets.link("key", NOW.plus(hours(1))).text;
        assert_ne!(next, link);
        assert!(tickets.linked(&next, NOW.plus(hours(24))).is_some());
    }
}
