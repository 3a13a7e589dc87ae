//! Web push (RFC 8030): sends a message to the push service of a person's browser, encrypted for
//! that browser (RFC 8291) and signed with the server's VAPID key (RFC 8292).

mod encryption;
mod vapid;

use axum::http::header;
use musette_core::instant::Instant;
use musette_store::{PushSubscription, Store, StoreError};

use crate::integration::webhook_client::{Encrypted, WebhookClient};
pub use encryption::{BrowserKeys, PLAINTEXT_MAX};
pub use vapid::VapidKey;

/// The time for which the push service stores a message for a browser that is offline, in seconds.
const TTL_S: u32 = 7 * 24 * 60 * 60;

/// The outcome of one attempt to send a push message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// The push service has accepted the message.
    Accepted,
    /// The push service does not have the subscription any more; it was deleted.
    Gone,
    /// The push service answered with this status.
    Refused(u16),
    /// There was no answer, so it is unknown whether the message was accepted.
    NoAnswer(String),
}

/// A push message. The same message, with the same `topic`, can be sent again: the push service
/// then replaces it, and the browser shows it once.
#[derive(Debug, Clone)]
pub struct PushMessage {
    /// At most 32 characters of base64url, which identify the message at the push service.
    pub topic: String,
    /// The text that the browser decrypts: at most [`PLAINTEXT_MAX`] bytes.
    pub text: String,
}

/// Sends a message to one subscription. A subscription that the push service no longer has is
/// deleted.
///
/// # Errors
///
/// When the store cannot be written.
pub async fn send(
    store: &Store,
    client: &WebhookClient,
    key: &VapidKey,
    subscription: &PushSubscription,
    message: &PushMessage,
    now: Instant,
) -> Result<PushOutcome, StoreError> {
    let PushSubscription { endpoint, p256dh, auth, .. } = subscription;
    let body = BrowserKeys::parse(p256dh, auth).and_then(|keys| keys.encrypt(&message.text));
    let Some(body) = body else {
        return Ok(PushOutcome::NoAnswer("the keys of the subscription are invalid".to_owned()));
    };
    let Some(authorization) = key.authorization(endpoint, now) else {
        return Ok(PushOutcome::NoAnswer("the endpoint is not a URL".to_owned()));
    };
    let headers = vec![
        (header::CONTENT_ENCODING, "aes128gcm".to_owned()),
        (header::AUTHORIZATION, authorization),
        (header::HeaderName::from_static("ttl"), TTL_S.to_string()),
        (header::HeaderName::from_static("topic"), message.topic.clone()),
    ];
    match client.post_encrypted(endpoint, Encrypted { headers, body }).await {
        Ok(200..=299) => Ok(PushOutcome::Accepted),
        Ok(404 | 410) => {
            store.delete_push_endpoint(endpoint).await?;
            Ok(PushOutcome::Gone)
        }
        Ok(status) => Ok(PushOutcome::Refused(status)),
        Err(error) => Ok(PushOutcome::NoAnswer(error)),
    }
}
