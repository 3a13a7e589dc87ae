//! `PUT /console/password`: a console user changes their own password.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::invalid_field;
use super::reauthentication::{Proof, check_proof};
use crate::http::access::caller::ConsoleUser;
use crate::http::wire::json::JsonRequest;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::sessions::passwords::{has_permitted_length, is_guessable};

/// A new password, and the current password as proof.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"current_password":"correct horse battery","password":"a staple more than before","otp":"123456"})))]
pub struct PasswordChangeBody {
    /// The current password.
    #[schema(min_length = 1, max_length = 1024)]
    current_password: String,
    /// The new password: at least 12 characters without spaces at either end
    /// (`password_too_short`), and not a common one (`password_too_common`).
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six-digit code of the authenticator. Required if the account has one (`otp_required`).
    otp: Option<String>,
}

shaped!(PasswordChangeBody);

/// Set the caller's own password.
///
/// Ends all other sessions of the caller and invalidates the caller's sign-in links.
///
/// - 403 `password_sign_in_off`: console users sign in with the company's provider.
/// - 422 `credentials_invalid`: the current password is wrong.
/// - 422 `otp_required`: the account has an authenticator, and `otp` is missing.
/// - 422 `otp_invalid`: the authenticator code is wrong or was used before.
/// - 422 `password_too_short`: the new password has fewer than 12 characters.
/// - 422 `password_too_common`: the new password is easy to guess.
/// - 429 `rate_limited`: too many attempts.
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

/// Returns an error if a new password is too short, too long or easy to guess. The person's own
/// name and addresses, if the person is known, count as easy to guess.
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
    let facts = person.map(|person| [Some(person.id), person.name, person.email, person.phone]);
    let facts = facts.unwrap_or_default();
    let facts: Vec<&str> = facts.iter().flatten().map(String::as_str).collect();
    if is_guessable(password, &facts) {
        return Err(bad_password(
            "password_too_common",
            "The password is too easy to guess.",
            "no common password, and not your own name, e-mail address or phone number",
        ));
    }
    Ok(())
}

fn bad_password(code: &'static str, detail: &str, expected: &str) -> Problem {
    let mut error = invalid_field("password", expected);
    error.code = code.into();
    Problem::invalid(code, detail, vec![error])
}
