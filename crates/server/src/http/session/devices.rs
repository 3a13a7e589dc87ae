//! `GET /me`, `GET /sessions`, `DELETE /sessions/{sid}`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::SignInMethod;
use musette_store::Ending;
use serde::Serialize;

use super::cookies::cleared;
use crate::app::App;
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::caller::Caller;
use crate::http::parameters::SessionPath;
use crate::http::problem::{Problem, ProblemBody};

/// The session's own user.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MeBody {
    /// The user id.
    user_id: String,
    /// The person's name. Null if none is known.
    #[schema(required)]
    name: Option<String>,
    /// The roles that the session was opened with.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// The id of the session.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    sid: String,
    /// How the person signed in. Null: unknown, because an earlier version of the server opened the session.
    #[schema(required, value_type = Option<closed_sets::SignInMethod>)]
    method: Option<&'static str>,
    /// When the person last proved who they are. Null: unknown, because an earlier version of the server opened the
    /// session.
    #[schema(required, format = DateTime)]
    authenticated_at: Option<String>,
}

/// One of the caller's sessions.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SessionBody {
    /// The id of the session.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    sid: String,
    /// The browser and system, such as `Chrome · Android`. It may be empty.
    device: String,
    /// When the person signed in.
    #[schema(format = DateTime)]
    created_at: String,
    /// When the session was last used.
    #[schema(format = DateTime)]
    last_used_at: String,
    /// How the person signed in. Null: unknown, because an earlier version of the server opened the session.
    #[schema(required, value_type = Option<closed_sets::SignInMethod>)]
    method: Option<&'static str>,
    /// When the person last proved who they are. Null: unknown, because an earlier version of the server opened the
    /// session.
    #[schema(required, format = DateTime)]
    authenticated_at: Option<String>,
    /// Whether the request was made with this session.
    current: bool,
}

/// Read the user id, the name and the roles of the session's user.
///
/// 401 `unauthenticated`: no access token, or one that has expired: refresh it and ask again.
#[utoipa::path(
    get, path = "/api/session/v1/me", tag = "session",
    responses((status = 200, body = MeBody), (status = 401, body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn me(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    let name = app.store.user_name(&caller.user_id).await?;
    let roles = caller.roles.iter().map(ToString::to_string).collect();
    Ok(private(&MeBody {
        name,
        roles,
        method: caller.method.map(SignInMethod::as_str),
        authenticated_at: caller.authenticated_at.map(|at| at.to_string()),
        user_id: caller.user_id,
        sid: caller.sid,
    }))
}

/// List the caller's own sessions, last used first.
///
/// Sessions that have ended or expired are not in it. All are in one answer. 401 `unauthenticated`: refresh the access
/// token and ask again.
#[utoipa::path(
    get, path = "/api/session/v1/sessions", tag = "session",
    responses((status = 200, body = Vec<SessionBody>), (status = 401, body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn sessions(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    let found = app.store.live_sessions(&caller.user_id, app.now()).await?;
    let sessions: Vec<SessionBody> = found
        .into_iter()
        .map(|session| SessionBody {
            current: session.sid == caller.sid,
            method: session.method().map(SignInMethod::as_str),
            authenticated_at: session
                .authenticated_at
                .map(|at| Instant::from_millis(at).to_string()),
            sid: session.sid,
            device: session.device,
            created_at: Instant::from_millis(session.created_at).to_string(),
            last_used_at: Instant::from_millis(session.last_used_at).to_string(),
        })
        .collect();
    Ok(private(&sessions))
}

/// End one of the caller's own sessions.
///
/// 404 `not_found`: unknown, ended before, or another person's.
#[utoipa::path(
    delete, path = "/api/session/v1/sessions/{sid}", tag = "session",
    params(SessionPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn end_session(
    State(app): State<Arc<App>>,
    caller: Caller,
    asked: HeaderMap,
    Path(sid): Path<String>,
) -> Result<Response, Problem> {
    let is_sid = sid.len() == 32 && sid.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_sid || !app.store.owns_session(&caller.user_id, &sid).await? {
        return Err(Problem::absent("session of yours with this id"));
    }
    let ending = Ending::One { sid: &sid };
    app.end_sessions(ending, "session_ended_by_person", Some(caller.subject)).await?;
    if sid != caller.sid {
        // It is not known which of them was that session's: they are known again when they sign in.
        app.store.forget_browsers(&caller.user_id).await?;
    }
    let headers = if sid == caller.sid { cleared(&app, &asked) } else { HeaderMap::new() };
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}
