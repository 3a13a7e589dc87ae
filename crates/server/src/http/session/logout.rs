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
use musette_store::Ending;

use super::cookies::{cleared, refresh_cookie};
use super::guessed_wrong;
use super::refresh::{Presented, RefreshBody, presented, refusal};
use crate::app::App;
use crate::http::caller::Caller;
use crate::http::json::{Bounds, is_json, not_json, read_any, read_within};
use crate::http::problem::{Problem, ProblemBody};
use crate::session_lifecycle::{self, RefreshRefusal, end_reused};

/// The session that is to end.
struct Leaving {
    user_id: String,
    subject: String,
    sid: String,
}

/// How somebody who leaves can prove who they are: with the access token, which may have expired
/// in the meantime; with the refresh token in the body; or in the cookie.
async fn leaving(
    app: &App,
    parts: &Parts,
    body: &[u8],
    everywhere: bool,
) -> Result<Option<Leaving>, Problem> {
    if parts.headers.contains_key(AUTHORIZATION) {
        match Caller::from_parts(parts, app).await {
            Ok(Caller { user_id, subject, sid, .. }) => {
                return Ok(Some(Leaving { user_id, subject, sid }));
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
    let Some(standing) = session_lifecycle::find(app, &token, None).await? else {
        let problem = refusal(RefreshRefusal::Invalid);
        return Err(guessed_wrong(app, parts, "logout", problem));
    };
    match standing.verdict {
        // Out already: that is what was asked for.
        RefreshVerdict::Ended | RefreshVerdict::Expired if !everywhere => Ok(None),
        RefreshVerdict::Ended => Err(refusal(RefreshRefusal::Ended)),
        RefreshVerdict::Expired => Err(refusal(RefreshRefusal::Expired)),
        // The token of another time may end its own session, which it would do anyway; no others.
        RefreshVerdict::Reused if everywhere && !is_former(&standing) => {
            end_reused(app, &standing).await?;
            Err(refusal(RefreshRefusal::Reused))
        }
        _ => Ok(Some(Leaving {
            user_id: standing.row.user_id,
            subject: standing.row.subject,
            sid: standing.sid,
        })),
    }
}

/// A tab that leaves may not have heard of the newest token yet.
fn is_former(standing: &session_lifecycle::Standing) -> bool {
    i64::from(standing.token.generation) + 1 == standing.row.generation
}

/// A call with an access token needs no body, so whatever comes as one is ignored unless it can be the
/// refresh token; one that only a cookie authorises needs the media type, which no form of another
/// site can send.
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

fn gone(headers: HeaderMap) -> Response {
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// End this session and delete its cookies.
///
/// The session is shown by the access token, the refresh token in the body, or the cookie. A session that has
/// ended is no error, so a repeat is safe. 401 `refresh_token_invalid`. 403 `cross_site`: the cookie came from
/// another site.
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
    if let Some(Leaving { subject, sid, .. }) = leaving(&app, &parts, &body, false).await? {
        app.end_sessions(Ending::One { sid: &sid }, "signed_out", Some(subject)).await?;
    }
    Ok(gone(cleared(&app, &parts.headers)))
}

/// End all sessions of this person.
///
/// The person is shown by the access token, the refresh token in the body, or the cookie. 401
/// `refresh_token_invalid`, `refresh_token_expired`, `refresh_token_reused` or `session_ended`. 403 `cross_site`:
/// the cookie came from another site.
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
    if let Some(Leaving { user_id, subject, .. }) = leaving(&app, &parts, &body, true).await? {
        let ending = Ending::AllOf { user_id: &user_id };
        app.end_sessions(ending, "signed_out_everywhere", Some(subject)).await?;
    }
    Ok(gone(cleared(&app, &parts.headers)))
}
