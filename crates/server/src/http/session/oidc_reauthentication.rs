//! `POST /console/oidc/reauthentication`: a signed-in person authenticates again at the company's
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
use super::oidc::{OidcFailure, WITHIN, attempt, pending, provider};
use crate::http::access::audit::audit;
use crate::http::access::caller::{ConsoleUser, client_address};
use crate::http::access::permission::FRESH_WITHIN;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::oidc::{AuthorizationAttempt, Identity};

/// The provider authenticates the person again unless it did so within this time.
const MAX_AGE: Duration = Duration::from_secs(30);

/// The address at which the person authenticates again.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OidcReauthenticationBody {
    /// An address of the provider, to open in a new window. The window ends at
    /// `/console/reauthenticated`.
    #[schema(format = "uri")]
    url: String,
}

/// Start to verify the caller's identity again with the OpenID Connect provider.
///
/// The provider authenticates the person again (`max_age`). Afterwards, for 10 minutes, the session
/// may call the operations that otherwise return 403 `reauthentication_required`. The response sets
/// a cookie, so only the same browser can continue. A retry starts from the beginning.
///
/// - 404 `not_found`: no provider is configured.
/// - 503 `unavailable`: the provider does not respond.
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

/// Records the reauthentication in its session, if the same person authenticated recently.
pub(super) async fn confirm(
    app: &App,
    sid: &str,
    identity: &Identity,
) -> Result<Result<(), OidcFailure>, Problem> {
    let now = app.now();
    let Some(session) = app.store.session(sid).await? else { return Ok(Err(OidcFailure::Expired)) };
    let linked = app.store.user_id_of_identity(&identity.issuer, &identity.subject).await?;
    if linked.as_ref() != Some(&session.user_id) {
        return Ok(Err(OidcFailure::OtherPerson));
    }
    let Some(at) = identity.authenticated_at.filter(|at| now < at.plus(FRESH_WITHIN)) else {
        return Ok(Err(OidcFailure::NotFresh));
    };
    // The provider's clock may be ahead.
    let is_alive = app.store.reauthenticate_session(sid, at.min(now)).await?;
    app.sessions.forget();
    if !is_alive {
        return Ok(Err(OidcFailure::Expired));
    }
    let (subject, sid) = (Some(session.subject), Some(sid.to_owned()));
    audit(app, "reauthenticated", subject, sid, Some("oidc")).await;
    Ok(Ok(()))
}
