//! `PUT /console/password`: a person of the console changes their own password.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::fault;
use super::reauthentication::{Proof, check_proof};
use crate::app::App;
use crate::http::caller::ConsoleUser;
use crate::http::json::JsonRequest;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::shaped;
use crate::passwords::{has_permitted_length, is_guessable};

/// A new password, and the proof that the caller has the present one.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"current_password":"correct horse battery","password":"a staple more than before","otp":"123456"})))]
pub struct PasswordChangeBody {
    /// The present password.
    #[schema(min_length = 1, max_length = 1024)]
    current_password: String,
    /// The new password: at least 12 characters without spaces at either end (`password_too_short`) and not a common one
    /// (`password_too_common`).
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six digits of the authenticator. Required if the account has one (`otp_required`).
    otp: Option<String>,
}

shaped!(PasswordChangeBody);

/// Set the caller's own password.
///
/// Ends all other sessions of the caller, and voids their sign-in links. 422 `credentials_invalid`: the present password
/// is wrong. 422 `otp_required`, `otp_invalid`: the digits of the authenticator are missing, wrong or used. 422
/// `password_too_short`, `password_too_common`. 403 `password_sign_in_off`: people sign in with the company's provider.
/// 429 `rate_limited`: too many tries.
#[utoipa::path(
    put, path = "/api/session/v1/console/password", tag = "session", operation_id = "change_password",
    request_body = PasswordChangeBody,
    responses((status = 204), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn change_password(
    State(app): State<Arc<App>>,
    ConsoleUser(caller): ConsoleUser,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, body) = (&request.parts, request.read::<PasswordChangeBody>()?);
    let PasswordChangeBody { current_password, password, otp } = body;
    check_new_password(&app, &password, Some(&caller.user_id)).await?;
    let proof = Proof { password: current_password, otp };
    let user = check_proof(&app, parts, &caller, proof).await?;
    let hash = app.passwords.hash(password).await?;
    app.set_password(&user, &hash, Some(&caller.sid), "person").await?;
    app.reauthenticate_session(&caller.sid).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Refuses a new password that is too short, too long or easily guessed. Public facts about the person, if it is known
/// who that is, count as guessable too.
pub(super) async fn check_new_password(
    app: &App,
    password: &str,
    user_id: Option<&str>,
) -> Result<(), Problem> {
    if !has_permitted_length(password) {
        let expected = "at least 12 characters, without spaces at either end";
        return Err(bad_password("password_too_short", "The password is too short.", expected));
    }
    let person = match user_id {
        Some(id) => app.store.person(id).await?,
        None => None,
    };
    let known = person.map(|it| [Some(it.id), it.name, it.email, it.phone]).unwrap_or_default();
    let about: Vec<&str> = known.iter().flatten().map(String::as_str).collect();
    if is_guessable(password, &about) {
        return Err(bad_password(
            "password_too_common",
            "The password is one of those that are tried first.",
            "no common password, and not your own name or address",
        ));
    }
    Ok(())
}

fn bad_password(code: &'static str, detail: &str, expected: &str) -> Problem {
    let mut fault = fault("password", expected);
    fault.code = code.into();
    Problem::invalid(code, detail, vec![fault])
}
