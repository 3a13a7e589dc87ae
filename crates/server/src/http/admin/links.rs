//! `POST /people/{userId}/link`: a way in for an operator or admin who has no password, or lost it.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::session::RoleGrant;
use musette_store::StoreError;
use serde::Serialize;

use crate::app::App;
use crate::audit::{audit_action, event_of};
use crate::http::caching::private;
use crate::http::origin::origin;
use crate::http::parameters::UserPath;
use crate::http::permission::{Administer, Fresh};
use crate::http::problem::{Problem, ProblemBody};
use crate::http::session::console::takes_passwords;
use crate::http::session::opens_console;
use crate::sessions::sign_in_link;

/// A one-time link. No other answer shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct LinkBody {
    /// The link. Whoever opens it first sets the password.
    #[schema(format = "uri")]
    url: String,
    /// When the link expires.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// Whether people with these roles sign in by password here.
pub fn may_have(app: &App, roles: &[RoleGrant]) -> bool {
    opens_console(roles) && takes_passwords(app)
}

pub async fn make(app: &App, user_id: &str, origin: &str) -> Result<LinkBody, StoreError> {
    let link = sign_in_link(&app.store, user_id, origin, app.now()).await?;
    Ok(LinkBody { url: link.url, expires_at: link.expires_at.to_string() })
}

/// Create a one-time sign-in link for somebody of the console.
///
/// The link before it is void. 403 `reauthentication_required`: prove again who you are. 409 `own_account`: change your
/// own password with `PUT /api/session/v1/console/password`. 409 `no_console_role`: the person is without a role of the console. 409
/// `password_sign_in_off`: people sign in with the company's provider. A repeat creates another link.
#[utoipa::path(
    post, path = "/api/admin/v1/people/{userId}/link", tag = "admin-people",
    params(UserPath),
    responses((status = 201, body = LinkBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["administer"]))
)]
pub async fn make_link(
    State(app): State<Arc<App>>,
    Fresh { caller: admin, .. }: Fresh<Administer>,
    Path(user_id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let origin = origin(&app.settings, &headers)?;
    let user =
        app.store.user(&user_id).await?.ok_or_else(|| Problem::absent("person of this id"))?;
    let conflict = |code, detail| Err(Problem::new(StatusCode::CONFLICT, code, detail));
    // A stolen access token would become a password.
    if admin.user_id == user.id {
        let detail = "You cannot make a sign-in link for yourself; change your password instead, or ask another admin.";
        return conflict("own_account", detail);
    }
    if !opens_console(&user.roles) {
        return conflict(
            "no_console_role",
            "Only people with a role of the console sign in by such a link.",
        );
    }
    if !takes_passwords(&app) {
        let detail = "Operators and admins sign in with the company's own provider.";
        return conflict("password_sign_in_off", detail);
    }
    let link = make(&app, &user.id, &origin).await?;
    audit_action(&app, &admin.subject, event_of("sign_in_link_made", user.subject)).await;
    Ok((StatusCode::CREATED, private(&link)).into_response())
}
