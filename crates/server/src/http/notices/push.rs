//! Push subscriptions of the rider's browsers, and the public key that they are made with.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use musette_store::{PushSaved, PushSubscription};
use serde::{Deserialize, Serialize};

use super::rider::refusal;
use crate::http::access::caller::PublicRead;
use crate::http::decisions::requests::{NoBody, RiderPosted, posting};
use crate::http::wire::caching::public;
use crate::http::wire::parameters::PushSubscriptionPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::integration::webhook_client::WebhookUrlError;
use crate::node::app::App;
use crate::notices::push::BrowserKeys;
use crate::terms::RenderedBody;

const ID_CHARS_MAX: usize = 64;
const ENDPOINT_BYTES_MAX: usize = 2000;

/// A subscription, as the browser's `PushSubscription` serializes it.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"endpoint":"https://push.example/send/f1LsxkKphfQ","expirationTime":null,"keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}})))]
pub struct PushSubscriptionBody {
    /// The URL of the push service: `https` and a public address.
    #[schema(max_length = 2000)]
    endpoint: String,
    /// The keys of the browser.
    keys: PushKeys,
}

/// The keys of a browser.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
pub struct PushKeys {
    /// The public key: a point of P-256 in base64url.
    #[schema(max_length = 200)]
    p256dh: String,
    /// The secret: 16 bytes in base64url.
    #[schema(max_length = 200)]
    auth: String,
}

posting!(PushSubscriptionBody);

impl PushSubscriptionBody {
    fn check(&self) -> Result<(), Problem> {
        if self.endpoint.len() > ENDPOINT_BYTES_MAX {
            let detail = "This must have at most 2,000 bytes.";
            return Err(refusal("invalid_request", "/endpoint", detail));
        }
        let keys = BrowserKeys::parse(&self.keys.p256dh, &self.keys.auth);
        let detail = "The keys must be a point of P-256 and 16 bytes, in base64url.";
        keys.map(drop).ok_or_else(|| refusal("invalid_request", "/keys", detail))
    }
}

/// The key with which a browser subscribes.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PushKey {
    /// The `applicationServerKey`: an uncompressed point of P-256 in base64url.
    #[schema(pattern = "^[A-Za-z0-9_-]{87}$")]
    key: String,
}

/// Read the public key for push messages.
///
/// It is the `applicationServerKey` of `PushManager.subscribe()` and never changes.
#[utoipa::path(
    get, path = "/api/rooster/v3/public/push-key", tag = "notices",
    responses((status = 200, body = PushKey), (status = "4XX", body = ProblemBody))
)]
pub async fn push_key(
    State(app): State<Arc<App>>,
    _read: PublicRead,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let key = app.vapid_key().await?.public();
    Ok(public(&RenderedBody::of(&PushKey { key }, None), &headers, app.now()))
}

/// Returns the id that the client chose for a subscription.
fn subscription_id(text: String) -> Result<String, Problem> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_id = (1..=ID_CHARS_MAX).contains(&text.len()) && text.bytes().all(is_part);
    let detail = "The id must have 1 to 64 letters, digits, '-' or '_'.";
    is_id.then_some(text).ok_or_else(|| Problem::invalid_parameter(detail))
}

/// Save a push subscription of the session's rider.
///
/// 201: it is new. 200: it replaced the one with the same id. A browser has one subscription: the
/// same endpoint under another id, or of another person, is deleted.
///
/// - 400 `invalid_parameter`: the id is malformed.
/// - 403 `permission_denied`: the session belongs to another person.
/// - 409 `conflict`: the person has 10 subscriptions.
/// - 422 `address_not_allowed`: the endpoint is not a public `https` address.
#[utoipa::path(
    put, path = "/api/rooster/v3/riders/{userId}/push-subscriptions/{id}", tag = "notices", operation_id = "save_push_subscription",
    params(PushSubscriptionPath), request_body = PushSubscriptionBody,
    responses((status = 200), (status = 201), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn save_subscription(
    State(app): State<Arc<App>>,
    RiderPosted(mut call): RiderPosted<PushSubscriptionBody>,
) -> Result<Response, Problem> {
    let id = subscription_id(call.part(&app, "id").await)?;
    let PushSubscriptionBody { endpoint, keys } = call.body;
    app.webhooks.check(&endpoint).await.map_err(|refused| {
        let detail = match refused {
            WebhookUrlError::NotHttps => {
                "The endpoint must be an https address without credentials."
            }
            WebhookUrlError::NotAllowed => "The endpoint is not a public address.",
        };
        refusal("address_not_allowed", "/endpoint", detail)
    })?;
    let new = PushSubscription { id, endpoint, p256dh: keys.p256dh, auth: keys.auth };
    let saved = app.store.save_push_subscription(&call.caller.subject, &new, app.now()).await?;
    match saved {
        PushSaved::Added => Ok(StatusCode::CREATED.into_response()),
        PushSaved::Replaced => Ok(StatusCode::OK.into_response()),
        PushSaved::TooMany => {
            let detail = "The person has 10 push subscriptions already. Delete one first.";
            Err(Problem::new(StatusCode::CONFLICT, "conflict", detail))
        }
        PushSaved::Unknown => Err(Problem::unauthenticated()),
    }
}

/// Delete a push subscription of the session's rider.
///
/// A retry is safe: a subscription that does not exist is deleted already.
///
/// - 400 `invalid_parameter`: the id is malformed.
/// - 403 `permission_denied`: the session belongs to another person.
#[utoipa::path(
    delete, path = "/api/rooster/v3/riders/{userId}/push-subscriptions/{id}", tag = "notices", operation_id = "delete_push_subscription",
    params(PushSubscriptionPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn delete_subscription(
    State(app): State<Arc<App>>,
    RiderPosted(mut call): RiderPosted<NoBody>,
) -> Result<Response, Problem> {
    let id = subscription_id(call.part(&app, "id").await)?;
    app.store.delete_push_subscription(&call.caller.subject, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
