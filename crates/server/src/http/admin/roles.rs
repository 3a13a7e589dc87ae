//! `PUT /people/{userId}/roles`: what somebody may do.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use musette_core::session::RoleGrant;
use musette_store::CredentialPart;
use serde::Deserialize;

use super::body::Body;
use super::people::{PersonBody, find, parse_roles};
use crate::app::App;
use crate::audit::{audit_action, event_of};
use crate::closed_sets;
use crate::http::caching::private;
use crate::http::parameters::UserPath;
use crate::http::permission::{Administer, Fresh};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::session::opens_console;

/// The roles that replace the present ones.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct RolesBody {
    /// What the person may do. The last admin keeps the role (409 `last_admin`).
    #[schema(value_type = Vec<closed_sets::RoleGrant>)]
    roles: Vec<String>,
}

/// Replace a person's roles.
///
/// Ends the person's sessions, because a token carries the roles that it was made with. 403
/// `reauthentication_required`: prove again who you are. 409 `last_admin`: nobody
/// would be an admin any more. 422 `invalid_request`: a role is unknown.
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
    let before: Vec<_> = person.roles.iter().filter_map(|it| RoleGrant::from_stored(it)).collect();
    if opens_console(&roles) && !opens_console(&before) {
        // A colleague of the console is made: in approvals the account counts as one with that of the admin.
        let (part, now) = (CredentialPart::Address, app.now());
        app.store.record_credential_issue(&person.subject, part, &admin.subject, now).await?;
    }
    if !app.store.set_roles(&user_id, &roles, app.now()).await? {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "last_admin",
            "Nobody would be an admin any more.",
        ));
    }
    app.sessions.forget();
    app.serve_newest().await?;
    let names: Vec<_> = roles.iter().map(ToString::to_string).collect();
    let mut event = event_of("roles_changed", person.subject);
    event.detail = Some(names.join(" ").into());
    audit_action(&app, &admin.subject, event).await;
    Ok(private(&PersonBody::from(find(&app, &user_id).await?)))
}
