//! `POST /logout` and `POST /logout-all`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use musette_core::session::RefreshVerdict;
use musette_store::SessionsToEnd;

use super::cookies::{cleared, refresh_cookie};
use super::count_wrong_guess;
use super::lifecycle;
use super::lifecycle::{RefreshRefusal, end_reused};
use super::refresh::{Presented, RefreshBody, presented, refresh_problem};
use crate::http::access::caller::Caller;
use crate::http::wire::json::{Bounds, is_json, not_json, read_any, read_within};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

/// The session to end.
struct SessionToEnd {
    user_id: String,
    subject: String,
    sid: String,
}

/// Finds the session to end by the access token, by the refresh token in the body (the access token
/// may have expired), or by the cookie.
async fn session_to_end(
    app: &App,
    parts: &Parts,
    body: &[u8],
    everywhere: bool,
) -> Result<Option<SessionToEnd>, Problem> {
    if parts.headers.contains_key(AUTHORIZATION) {
        match Caller::from_parts(parts, app).await {
            Ok(Caller { user_id, subject, sid, .. }) => {
                return Ok(Some(SessionToEnd { user_id, subject, sid }));
            }
            Err(problem) if body.is_empty() && refresh_cookie(app, &parts.headers).is_none() => {
                return Err(problem);
            }
            Err(_) => {}
        }
    } else if body.is_empty() && refresh_cookie(app, &parts.headers).is_none() {
        return Err(Problem::unauthenticated());
    }
    let Presented { token, .. } = presented(app, &parts.headers, body)?;
    let Some(standing) = lifecycle::find(app, &token, None).await? else {
        let problem = refresh_problem(RefreshRefusal::Invalid);
        return Err(count_wrong_guess(app, parts, "logout", problem));
    };
    match standing.verdict {
        // The session has already ended, so there is nothing to do.
        RefreshVerdict::Ended | RefreshVerdict::Expired if !everywhere => Ok(None),
        RefreshVerdict::Ended => Err(refresh_problem(RefreshRefusal::Ended)),
        RefreshVerdict::Expired => Err(refresh_problem(RefreshRefusal::Expired)),
        // A token of an older generation may end its own session, which reuse detection would end
        // anyway, but no other sessions.
        RefreshVerdict::Reused if everywhere && !is_former(&standing) => {
            end_reused(app, &standing).await?;
            Err(refresh_problem(RefreshRefusal::Reused))
        }
        _ => Ok(Some(SessionToEnd {
            user_id: standing.row.user_id,
            subject: standing.row.subject,
            sid: standing.sid,
        })),
    }
}

/// Returns whether the token is one generation old. A tab that signs out may not have the newest
/// token yet.
fn is_former(standing: &lifecycle::Standing) -> bool {
    i64::from(standing.token.generation) + 1 == standing.row.generation
}

/// Reads the body. With an access token the body is optional, so one that cannot be a refresh token
/// is ignored. A request that only a cookie authorises needs the JSON media type, which an HTML
/// form of another site cannot send.
async fn read(app: &App, request: Request<Body>) -> Result<(Parts, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let body = if headers.contains_key(AUTHORIZATION) {
        let body = read_any(body).await?;
        if is_json(headers) { body } else { Bytes::new() }
    } else if headers.contains_key(CONTENT_TYPE) || refresh_cookie(app, headers).is_some() {
        read_within(headers, body, Bounds::ORDINARY).await?
    } else {
        let body = read_any(body).await?;
        if body.is_empty() { body } else { return Err(not_json()) }
    };
    Ok((parts, body))
}

fn no_content(headers: HeaderMap) -> Response {
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// End this session and delete its cookies.
///
/// The access token, the refresh token in the body, or the cookie identifies the session. A session
/// that has already ended is not an error, so a retry is safe.
///
/// - 401 `unauthenticated`: there is no token.
/// - 401 `refresh_token_invalid`: the refresh token belongs to no session.
/// - 403 `cross_site`: the request has only the cookie and comes from another site.
#[utoipa::path(
    post, path = "/api/session/v1/logout", tag = "session",
    request_body(content = Option<RefreshBody>),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security((), ("bearer" = []))
)]
pub async fn logout(
    State(app): State<Arc<App>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (parts, body) = read(&app, request).await?;
    let session = session_to_end(&app, &parts, &body, false).await?;
    if let Some(SessionToEnd { subject, sid, .. }) = session {
        app.end_sessions(SessionsToEnd::One { sid: &sid }, "signed_out", Some(subject)).await?;
    }
    Ok(no_content(cleared(&app, &parts.headers)))
}

/// End all sessions of this person.
///
/// The access token, the refresh token in the body, or the cookie identifies the person.
///
/// - 401 `unauthenticated`: there is no token.
/// - 401 `refresh_token_invalid`: the refresh token belongs to no session.
/// - 401 `refresh_token_expired`: the session has expired.
/// - 401 `refresh_token_reused`: the refresh token was used before, and its session has ended.
/// - 401 `session_ended`: the session has ended.
/// - 403 `cross_site`: the request has only the cookie and comes from another site.
#[utoipa::path(
    post, path = "/api/session/v1/logout-all", tag = "session",
    request_body(content = Option<RefreshBody>),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security((), ("bearer" = []))
)]
pub async fn logout_all(
    State(app): State<Arc<App>>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let (parts, body) = read(&app, request).await?;
    let session = session_to_end(&app, &parts, &body, true).await?;
    if let Some(SessionToEnd { user_id, subject, .. }) = session {
        let ending = SessionsToEnd::AllOf { user_id: &user_id };
        app.end_sessions(ending, "signed_out_everywhere", Some(subject)).await?;
    }
    Ok(no_content(cleared(&app, &parts.headers)))
}
