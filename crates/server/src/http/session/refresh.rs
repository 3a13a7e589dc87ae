//! `POST /refresh`: rotates the tokens of a session.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tracing::Instrument as _;

use super::cookies::{granted, refresh_cookie, wants_hardened};
use super::cross_site::same_origin;
use super::lifecycle;
use super::lifecycle::RefreshRefusal;
use super::{bad_shape, count_wrong_guess, instance, invalid_field, unauthorized};
use crate::http::wire::json::{Json, JsonRequest};
use crate::http::wire::parameters::{CookiesHeader, InstanceHeader};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::sessions::keys::Tokens;

/// A refresh token.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"refresh_token":"r.0a1b.1.c2ln"})))]
pub struct RefreshBody {
    /// The refresh token of the session. Absent: the cookie of the hardened profile is used.
    refresh_token: Option<String>,
}

shaped!(RefreshBody);

/// A refresh token, and whether it came from the cookie.
pub struct Presented {
    pub token: String,
    pub by_cookie: bool,
}

/// Returns the refresh token from the body, or else from the cookie. The cookie counts only for
/// requests from a page of this server.
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
            Problem::malformed_json("The body is empty, and the cookie refresh_token is missing.")
        } else {
            bad_shape(vec![invalid_field("refresh_token", "must be a string")])
        });
    };
    same_origin(app, headers)?;
    Ok(Presented { token: token.to_owned(), by_cookie: true })
}

pub fn refresh_problem(refusal: RefreshRefusal) -> Problem {
    match refusal {
        RefreshRefusal::Invalid => {
            unauthorized("refresh_token_invalid", "This refresh token belongs to no session.")
        }
        RefreshRefusal::Expired => {
            unauthorized("refresh_token_expired", "The session has expired. Sign in again.")
        }
        RefreshRefusal::Reused => unauthorized(
            "refresh_token_reused",
            "This refresh token was used before, so its session has ended. Sign in again.",
        ),
        RefreshRefusal::Ended => {
            unauthorized("session_ended", "The session has ended. Sign in again.")
        }
    }
}

/// Refresh the tokens of a session.
///
/// The refresh token is in the body, or in the cookie of the hardened profile. Each token works
/// once. A retry with the previous token returns the same new tokens, so that a lost response or
/// two tabs that refresh at once do not sign the user out.
///
/// - 401 `refresh_token_invalid`: the token belongs to no session.
/// - 401 `refresh_token_expired`: the session has expired.
/// - 401 `refresh_token_reused`: an older token was used again. The session has ended.
/// - 401 `session_ended`: the session has ended.
/// - 403 `cross_site`: the request has only the cookie and comes from another site.
#[utoipa::path(
    post, path = "/api/session/v1/refresh", tag = "session",
    request_body(content = Option<RefreshBody>, description = "Without a body, the cookie of the hardened profile is used"),
    params(InstanceHeader, CookiesHeader),
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn refresh(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let JsonRequest { parts, body } = request;
    let Presented { token, by_cookie } = presented(&app, &parts.headers, &body)?;
    // The rotation continues in a task, so that a disconnecting client cannot stop it halfway.
    let task = {
        let (app, instance) = (Arc::clone(&app), instance(&parts).map(str::to_owned));
        let rotation = async move { lifecycle::refresh(&app, &token, instance.as_deref()).await };
        tokio::spawn(rotation.in_current_span())
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
        // A token from an HttpOnly cookie must not be returned in a body that scripts can read.
        Ok(tokens) => {
            let hardened = by_cookie || wants_hardened(&parts.headers);
            Ok(granted(&app, &parts.headers, tokens, hardened))
        }
        Err(RefreshRefusal::Invalid) => Err(count_wrong_guess(
            &app,
            &parts,
            "refresh",
            refresh_problem(RefreshRefusal::Invalid),
        )),
        Err(reason) => Err(refresh_problem(reason)),
    }
}
