//! `POST /console/oidc/reauthentication`: a person who is signed in proves again who they are, at the company's
//! provider.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::cookies::append;
use super::oidc::{Trouble, WITHIN, attempt, pending, provider};
use crate::app::App;
use crate::audit::audit;
use crate::http::caller::{ConsoleUser, client_address};
use crate::http::permission::FRESH_WITHIN;
use crate::http::problem::{Problem, ProblemBody};
use crate::oidc::{AuthorizationAttempt, Identity};
use crate::random;

/// The provider asks the person anew unless it has just done so.
const MAX_AGE: Duration = Duration::from_secs(30);

/// Where the browser goes to prove who the person is.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OidcReauthenticationBody {
    /// An address of the provider, for a window of its own. It ends at `/console/reauthenticated`.
    #[schema(format = "uri")]
    url: String,
}

/// Start to prove again who the caller is, with the OpenID Connect provider.
///
/// Asks the provider to authenticate the person anew (`max_age`). When that has succeeded, the session may do for 10
/// minutes what asks for it with 403 `reauthentication_required`. The answer sets a cookie, so only the browser that
/// sent it can go on. 404: no provider is configured. 503 `unavailable`: the provider does not answer. A retry starts
/// anew.
#[utoipa::path(
    post, path = "/api/session/v1/console/oidc/reauthentication", tag = "session",
    operation_id = "start_oidc_reauthentication",
    responses((status = 200, body = OidcReauthenticationBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn start_reauthentication(
    State(app): State<Arc<App>>,
    ConsoleUser(caller): ConsoleUser,
    parts: Parts,
) -> Result<Response, Problem> {
    let oidc = provider(&app)?;
    app.limits.sign_in(client_address(&parts, &app))?;
    let until = app.now().plus(WITHIN).seconds();
    let cookie = format!("{}.{until}.reauthentication.{}", random::hex::<16>(), caller.sid);
    let attempt = attempt(&app, &cookie, &parts.headers)?;
    let attempt = AuthorizationAttempt { max_age: Some(MAX_AGE), ..attempt };
    let url = oidc.address(&attempt).await.map_err(|error| {
        tracing::error!(error = %error, "the OpenID Connect provider is unavailable: sign-in with it fails");
        Problem::unavailable()
    })?;
    let mut headers = HeaderMap::new();
    append(&mut headers, pending(&app, &cookie, WITHIN.as_secs()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok((headers, JsonBody(OidcReauthenticationBody { url })).into_response())
}

/// Records the proof in the session for which it was asked, if it is the same person's and recent.
pub(super) async fn confirm(
    app: &App,
    sid: &str,
    identity: &Identity,
) -> Result<Result<(), Trouble>, Problem> {
    let now = app.now();
    let Some(session) = app.store.session(sid).await? else { return Ok(Err(Trouble::Expired)) };
    let linked = app.store.user_id_of_identity(&identity.issuer, &identity.subject).await?;
    if linked.as_ref() != Some(&session.user_id) {
        return Ok(Err(Trouble::OtherPerson));
    }
    let Some(at) = identity.authenticated_at.filter(|at| now < at.plus(FRESH_WITHIN)) else {
        return Ok(Err(Trouble::NotFresh));
    };
    // The provider's clock may be ahead.
    let is_alive = app.store.reauthenticate_session(sid, at.min(now)).await?;
    app.sessions.forget();
    if !is_alive {
        return Ok(Err(Trouble::Expired));
    }
    let (subject, sid) = (Some(session.subject), Some(sid.to_owned()));
    audit(app, "reauthenticated", subject, sid, Some("oidc")).await;
    Ok(Ok(()))
}
