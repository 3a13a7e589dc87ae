//! `POST /console/reauthentication`: a signed-in person verifies their identity again. Operations
//! that could take over an account require it ([`crate::http::access::permission::Fresh`]), so that a
//! stolen access token does not suffice.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use musette_store::User;
use serde::Deserialize;

use super::console::{authenticate_by_password, check_second_factor_overdue, second_factor};
use super::count_wrong_guess;
use crate::http::access::audit::audit;
use crate::http::access::caller::{Caller, ConsoleUser};
use crate::http::wire::json::JsonRequest;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape::shaped;
use crate::node::app::App;

/// The caller's password and authenticator code.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"password":"correct horse battery","otp":"123456"})))]
pub struct ReauthenticationBody {
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six-digit code of the authenticator. Required if the account has one (`otp_required`).
    otp: Option<String>,
}

shaped!(ReauthenticationBody);

/// Verify the caller's identity again.
///
/// For the next 10 minutes, the session may call the operations that otherwise return 403
/// `reauthentication_required`.
///
/// - 403 `second_factor_required`: the caller must set up an authenticator first.
/// - 403 `password_sign_in_off`: console users sign in with the company's provider. Use `POST
///   /api/session/v1/console/oidc/reauthentication`.
/// - 422 `credentials_invalid`: the password is wrong.
/// - 422 `otp_required`: the account has an authenticator, and `otp` is missing.
/// - 422 `otp_invalid`: the authenticator code is wrong or was used before.
/// - 429 `rate_limited`: too many attempts.
#[utoipa::path(
    post, path = "/api/session/v1/console/reauthentication", tag = "session", operation_id = "reauthenticate",
    request_body = ReauthenticationBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn reauthenticate(
    State(app): State<Arc<App>>,
    ConsoleUser(caller): ConsoleUser,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let ReauthenticationBody { password, otp } = request.read()?;
    check_proof(&app, &request.parts, &caller, Proof { password, otp }).await?;
    if !app.reauthenticate_session(&caller.sid).await? {
        return Err(Problem::unauthenticated());
    }
    let Caller { subject, sid, .. } = caller;
    audit(&app, "reauthenticated", Some(subject), Some(sid), Some("password")).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The credentials that prove the caller's identity.
pub(super) struct Proof {
    pub password: String,
    pub otp: Option<String>,
}

/// Checks the caller's password and second factor, with the limits of a sign-in.
pub(super) async fn check_proof(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    proof: Proof,
) -> Result<User, Problem> {
    let person = app.store.person(&caller.user_id).await?.ok_or_else(Problem::not_found)?;
    // An account without an e-mail address has no password. It gets the same error as a wrong
    // password.
    let email = person.email.unwrap_or_default();
    let (user, credentials) =
        authenticate_by_password(app, parts, &email, proof.password).await.map_err(in_a_session)?;
    if let Err(problem) = second_factor(app, &credentials, proof.otp.as_deref()).await? {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        return Err(in_a_session(count_wrong_guess(app, parts, "console", problem)));
    }
    check_second_factor_overdue(app, &user).await?;
    Ok(user)
}

/// Converts a 401 to a 422. Clients treat a 401 as an invalid access token and sign the person out.
fn in_a_session(problem: Problem) -> Problem {
    match problem.status {
        StatusCode::UNAUTHORIZED => Problem::invalid(problem.code, problem.detail, Vec::new()),
        _ => problem,
    }
}
