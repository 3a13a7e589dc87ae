//! `/people/{userId}/sessions`: the sessions of a person.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::SignInMethod;
use musette_store::{AuditEvent, LiveSession, SessionsToEnd};
use serde::Serialize;

use crate::http::access::audit::{audit_action, event_of};
use crate::http::access::permission::{ManagePeople, MayOf};
use crate::http::wire::caching::private;
use crate::http::wire::parameters::{SessionPath, UserPath};
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;

/// A session of a person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PersonSession {
    /// The id of the session.
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
}

impl From<LiveSession> for PersonSession {
    fn from(session: LiveSession) -> Self {
        let authenticated_at = session.authenticated_at.map(Instant::from_millis);
        Self {
            method: session.method().map(SignInMethod::as_str),
            authenticated_at: authenticated_at.map(|at| at.to_string()),
            sid: session.sid,
            device: session.device,
            created_at: Instant::from_millis(session.created_at).to_string(),
            last_used_at: Instant::from_millis(session.last_used_at).to_string(),
        }
    }
}

/// List the sessions of a person, last used first.
///
/// - 403 `permission_denied`: the person is an admin, and the caller is not.
#[utoipa::path(
    get, path = "/api/admin/v1/people/{userId}/sessions", tag = "admin-people", operation_id = "person_sessions",
    params(UserPath),
    responses((status = 200, body = Vec<PersonSession>), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn sessions(
    State(app): State<Arc<App>>,
    MayOf { person, .. }: MayOf<ManagePeople>,
) -> Result<Response, Problem> {
    let rows = app.store.live_sessions(&person.id, app.now()).await?;
    let sessions: Vec<PersonSession> = rows.into_iter().map(PersonSession::from).collect();
    Ok(private(&sessions))
}

/// End all sessions of a person.
///
/// A retry is safe.
///
/// - 403 `permission_denied`: the person is an admin, and the caller is not.
#[utoipa::path(
    delete, path = "/api/admin/v1/people/{userId}/sessions", tag = "admin-people", operation_id = "end_person_sessions",
    params(UserPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn end_sessions(
    State(app): State<Arc<App>>,
    MayOf { caller: operator, person, .. }: MayOf<ManagePeople>,
) -> Result<Response, Problem> {
    const EVENT: &str = "sessions_ended_by_operator";
    app.end_sessions_of_event(SessionsToEnd::AllOf { user_id: &person.id }, EVENT).await?;
    audit_action(&app, &operator.subject, event_of(EVENT, person.subject)).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// End one session of a person.
///
/// - 403 `permission_denied`: the person is an admin, and the caller is not.
/// - 404 `not_found`: the session does not exist or has ended.
#[utoipa::path(
    delete, path = "/api/admin/v1/people/{userId}/sessions/{sid}", tag = "admin-people", operation_id = "end_person_session",
    params(UserPath, SessionPath),
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["manage_people"]))
)]
pub async fn end_session(
    State(app): State<Arc<App>>,
    MayOf { caller: operator, person, .. }: MayOf<ManagePeople>,
    Path((_, sid)): Path<(String, String)>,
) -> Result<Response, Problem> {
    if !app.store.owns_session(&person.id, &sid).await? {
        return Err(Problem::absent("session of this person with this id"));
    }
    const EVENT: &str = "session_ended_by_operator";
    app.end_sessions_of_event(SessionsToEnd::One { sid: &sid }, EVENT).await?;
    app.store.delete_known_browsers(&person.id).await?;
    let event = AuditEvent { sid: Some(sid), ..event_of(EVENT, person.subject) };
    audit_action(&app, &operator.subject, event).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}
