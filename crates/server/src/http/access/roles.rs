//! `PUT /people/{userId}/roles`: the roles of a person.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::session::RoleGrant;
use musette_store::CredentialPart;
use serde::Deserialize;

use super::audit::{audit_action, event_of};
use super::permission::{Administer, Fresh};
use crate::http::people::{PersonBody, find, parse_roles};
use crate::http::session::opens_console;
use crate::http::wire::body::Body;
use crate::http::wire::caching::private;
use crate::http::wire::parameters::UserPath;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::closed_sets;

/// The new roles.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct RolesBody {
    /// The new roles. The last admin keeps the role (409 `last_admin`).
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
}

/// Replace a person's roles.
///
/// Ends the person's sessions, because tokens contain the roles at the time of the sign-in.
///
/// - 403 `reauthentication_required`: verify your identity again first.
/// - 409 `last_admin`: no admin would remain.
/// - 422 `invalid_request`: a role is unknown.
#[utoipa::path(
    put, path = "/api/admin/v1/people/{userId}/roles", tag = "admin-people",
    params(UserPath),
    request_body = RolesBody,
    responses((status = 200, body = PersonBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn set_roles(
    State(app): State<Arc<App>>,
    Fresh { caller: admin, .. }: Fresh<Administer>,
    Path(user_id): Path<String>,
    Body(body): Body<RolesBody>,
) -> Result<Response, Problem> {
    let roles = parse_roles(&body.roles)?;
    let person = find(&app, &user_id).await?;
    let before: Vec<_> =
        person.roles.iter().filter_map(|text| RoleGrant::from_stored(text)).collect();
    if opens_console(&roles) && !opens_console(&before) {
        // The person gets access to the console. From now on, approvals count their account and the
        // admin's as not independent.
        let (part, now) = (CredentialPart::Address, app.now());
        app.store.record_credential_issue(&person.subject, part, &admin.subject, now).await?;
    }
    if !app.store.set_roles(&user_id, &roles, app.now()).await? {
        return Err(Problem::new(StatusCode::CONFLICT, "last_admin", "No admin would remain."));
    }
    app.sessions.forget();
    app.serve_newest().await?;
    let names: Vec<_> = roles.iter().map(ToString::to_string).collect();
    let mut event = event_of("roles_changed", person.subject);
    event.detail = Some(names.join(" ").into());
    audit_action(&app, &admin.subject, event).await;
    Ok(private(&PersonBody::from(find(&app, &user_id).await?)))
}
