//! `POST /console/reauthentication`: a person who is signed in proves again who they are. What could take an account
//! over asks for it ([`crate::http::permission::Fresh`]), so that a stolen access token does not suffice.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use musette_store::User;
use serde::Deserialize;

use super::console::{by_password, refuse_overdue, second_factor};
use super::guessed_wrong;
use crate::app::App;
use crate::audit::audit;
use crate::http::caller::{Caller, ConsoleUser};
use crate::http::json::JsonRequest;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::shaped;

/// The caller's password, and the digits of their authenticator.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"password":"correct horse battery","otp":"123456"})))]
pub struct ReauthenticationBody {
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six digits of the authenticator. Required if the account has one (`otp_required`).
    otp: Option<String>,
}

shaped!(ReauthenticationBody);

/// Verify the caller's identity again.
///
/// For the next 10 minutes the session may do what asks for it with 403 `reauthentication_required`. 422
/// `credentials_invalid`: the password is wrong. 422 `otp_required`, `otp_invalid`: the digits of the authenticator are
/// missing, wrong or used. 403 `second_factor_required`: the caller must set up an authenticator first. 403
/// `password_sign_in_off`: people sign in with the company's provider, so use
/// `POST /api/session/v1/console/oidc/reauthentication`. 429 `rate_limited`: too many tries.
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

/// What shows who the caller is.
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
    // Without an address there is no password either: the answer is that of a wrong one.
    let email = person.email.unwrap_or_default();
    let (user, credentials) =
        by_password(app, parts, &email, proof.password).await.map_err(in_a_session)?;
    if let Err(problem) = second_factor(app, &credentials, proof.otp.as_deref()).await? {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        return Err(in_a_session(guessed_wrong(app, parts, "console", problem)));
    }
    refuse_overdue(app, &user).await?;
    Ok(user)
}

/// A client takes 401 for an access token that is not valid, and signs the person out.
fn in_a_session(problem: Problem) -> Problem {
    match problem.status {
        StatusCode::UNAUTHORIZED => Problem::invalid(problem.code, problem.detail, Vec::new()),
        _ => problem,
    }
}
