//! `POST /refresh`: the next tokens, or the same again.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tracing::Instrument as _;

use super::cookies::{granted, refresh_cookie, wants_hardened};
use super::cross_site::same_origin;
use super::{bad_shape, fault, guessed_wrong, instance, refused};
use crate::app::App;
use crate::http::json::{Json, JsonRequest};
use crate::http::parameters::{CookiesHeader, InstanceHeader};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::{self, shaped};
use crate::keys::Tokens;
use crate::session_lifecycle::{self, RefreshRefusal};

/// A refresh token.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"refresh_token":"r.0a1b.1.c2ln"})))]
pub struct RefreshBody {
    /// The refresh token of the session. Absent: the cookie of the hardened profile counts.
    refresh_token: Option<String>,
}

shaped!(RefreshBody);

/// A refresh token, and whether the browser sent it by itself.
pub struct Presented {
    pub token: String,
    pub by_cookie: bool,
}

/// The refresh token in the body; where there is none, that in the cookie, if one of our own pages
/// asks.
pub fn presented(app: &App, headers: &HeaderMap, body: &[u8]) -> Result<Presented, Problem> {
    let in_body = if body.is_empty() {
        None
    } else {
        match Json::parse(body)? {
            json @ Json::Object(_) => shape::read::<RefreshBody>(&json)?.refresh_token,
            _ => None,
        }
    };
    if let Some(token) = in_body {
        return Ok(Presented { token, by_cookie: false });
    }
    let Some(token) = refresh_cookie(app, headers) else {
        return Err(if body.is_empty() {
            Problem::malformed_json("The body is empty, and there is no cookie refresh_token.")
        } else {
            bad_shape(vec![fault("refresh_token", "a text")])
        });
    };
    same_origin(app, headers)?;
    Ok(Presented { token: token.to_owned(), by_cookie: true })
}

pub fn refusal(refusal: RefreshRefusal) -> Problem {
    match refusal {
        RefreshRefusal::Invalid => {
            refused("refresh_token_invalid", "This is not a refresh token of a session here.")
        }
        RefreshRefusal::Expired => refused(
            "refresh_token_expired",
            "The session was not used for too long, or is too old; sign in again.",
        ),
        RefreshRefusal::Reused => refused(
            "refresh_token_reused",
            "This refresh token was used before; its session is ended. Sign in again.",
        ),
        RefreshRefusal::Ended => refused("session_ended", "The session has ended; sign in again."),
    }
}

/// Refresh the tokens of a session.
///
/// The refresh token comes in the body, or in the cookie of the hardened profile. It can be used once: a repeat
/// with the former token gives the same successor, so that a lost answer or a race of two tabs signs nobody out.
/// 401 `refresh_token_invalid`, `refresh_token_expired`, `session_ended`, or `refresh_token_reused`: the token was
/// used long before, and the session is ended. 403 `cross_site`: the cookie came from another site.
#[utoipa::path(
    post, path = "/api/session/v1/refresh", tag = "session",
    request_body(content = Option<RefreshBody>, description = "Without it the cookie of the hardened profile counts"),
    params(InstanceHeader, CookiesHeader),
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn refresh(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let JsonRequest { parts, body } = request;
    let Presented { token, by_cookie } = presented(&app, &parts.headers, &body)?;
    // Once a token has begun a rotation, the client's going away must not stop it half-way.
    let task = {
        let (app, instance) = (Arc::clone(&app), instance(&parts).map(str::to_owned));
        let refreshing =
            async move { session_lifecycle::refresh(&app, &token, instance.as_deref()).await };
        tokio::spawn(refreshing.in_current_span())
    };
    let outcome = task.await.map_err(Problem::internal)??;
    let label = match &outcome {
        Ok(_) => "ok",
        Err(RefreshRefusal::Invalid) => "invalid",
        Err(RefreshRefusal::Expired) => "expired",
        Err(RefreshRefusal::Reused) => "reused",
        Err(RefreshRefusal::Ended) => "ended",
    };
    metrics::counter!("musette_session_refreshes_total", "outcome" => label).increment(1);
    match outcome {
        // A token from an HttpOnly cookie must not leave in a body that scripts can read.
        Ok(tokens) => {
            let hardened = by_cookie || wants_hardened(&parts.headers);
            Ok(granted(&app, &parts.headers, tokens, hardened))
        }
        Err(RefreshRefusal::Invalid) => {
            Err(guessed_wrong(&app, &parts, "refresh", refusal(RefreshRefusal::Invalid)))
        }
        Err(why) => Err(refusal(why)),
    }
}
