//! `GET /me`, `GET /sessions`, `DELETE /sessions/{sid}`.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::SignInMethod;
use musette_store::SessionsToEnd;
use serde::Serialize;

use super::cookies::cleared;
use crate::decisions::systems::OwnSystems;
use crate::http::access::caller::Caller;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::SessionPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The user of the session.
#[derive(Serialize, utoipa::ToSchema)]
pub struct MeBody {
    /// The user id.
    user_id: String,
    /// The person's name. Null if it is unknown.
    #[schema(required)]
    name: Option<String>,
    /// The roles at the time of the sign-in.
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
    /// The id of the session.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    sid: String,
    /// The sign-in method. Null if an earlier version of the server opened the session.
    #[schema(required, value_type = Option<closed_sets::SignInMethod>)]
    method: Option<&'static str>,
    /// The time of the person's last authentication. Null if an earlier version of the server
    /// opened the session.
    #[schema(required, format = DateTime)]
    authenticated_at: Option<String>,
    /// The person's part of the public register of automated systems. Null if the company has not
    /// published any system.
    #[schema(required)]
    automated_systems: Option<OwnSystems>,
}

/// One of the caller's sessions.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SessionBody {
    /// The id of the session.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    sid: String,
    /// The browser and operating system, such as `Chrome · Android`. It may be empty.
    device: String,
    /// The time of the sign-in.
    #[schema(format = DateTime)]
    created_at: String,
    /// The time at which the session was last used.
    #[schema(format = DateTime)]
    last_used_at: String,
    /// The sign-in method. Null if an earlier version of the server opened the session.
    #[schema(required, value_type = Option<closed_sets::SignInMethod>)]
    method: Option<&'static str>,
    /// The time of the person's last authentication. Null if an earlier version of the server
    /// opened the session.
    #[schema(required, format = DateTime)]
    authenticated_at: Option<String>,
    /// True for the session of this request.
    current: bool,
}

/// Read the user id, the name and the roles of the session's user.
///
/// - 401 `unauthenticated`: the access token is missing or has expired. Refresh it and retry.
#[utoipa::path(
    get, path = "/api/session/v1/me", tag = "session",
    responses((status = 200, body = MeBody), (status = 401, body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn me(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    let name = app.store.user_name(&caller.user_id).await?;
    let roles = caller.roles.iter().map(ToString::to_string).collect();
    let live = app.live.load_full();
    let register = &live.systems.register;
    let automated_systems =
        OwnSystems::of(register, &app.store, &caller.subject, app.now()).await?;
    Ok(private(&MeBody {
        automated_systems,
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
/// Ended and expired sessions are left out. The list has no pages.
///
/// - 401 `unauthenticated`: the access token is missing or has expired. Refresh it and retry.
#[utoipa::path(
    get, path = "/api/session/v1/sessions", tag = "session",
    responses((status = 200, body = Vec<SessionBody>), (status = 401, body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn sessions(State(app): State<Arc<App>>, caller: Caller) -> Result<Response, Problem> {
    let rows = app.store.live_sessions(&caller.user_id, app.now()).await?;
    let sessions: Vec<SessionBody> = rows
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
/// - 404 `not_found`: the session does not exist, has ended, or belongs to another person.
#[utoipa::path(
    delete, path = "/api/session/v1/sessions/{sid}", tag = "session",
    params(SessionPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = []))
)]
pub async fn end_session(
    State(app): State<Arc<App>>,
    caller: Caller,
    request: HeaderMap,
    Path(sid): Path<String>,
) -> Result<Response, Problem> {
    let is_sid = sid.len() == 32 && sid.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_sid || !app.store.owns_session(&caller.user_id, &sid).await? {
        return Err(Problem::absent("session of yours with this id"));
    }
    let ending = SessionsToEnd::One { sid: &sid };
    app.end_sessions(ending, "session_ended_by_person", Some(caller.subject)).await?;
    if sid != caller.sid {
        // The ended session's browser cannot be identified, so all browsers of the user are
        // forgotten. Each is recorded again at its next sign-in.
        app.store.delete_known_browsers(&caller.user_id).await?;
    }
    let headers = if sid == caller.sid { cleared(&app, &request) } else { HeaderMap::new() };
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}
