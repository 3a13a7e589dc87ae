//! `POST /console/links`: a one-time link sets a password and signs in.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use musette_core::session::SignInMethod;
use serde::Deserialize;

use super::console::{second_factor, second_factor_due};
use super::password::check_new_password;
use super::{count_wrong_guess, is_console, sign_in, unauthorized};
use crate::http::access::caller::client_address;
use crate::http::wire::json::JsonRequest;
use crate::http::wire::parameters::CookiesHeader;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::keys::Tokens;

/// A one-time link and the password to set.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"token":"k3Jd9","password":"correct horse battery"})))]
pub struct ConsoleLinkBody {
    /// The part of the one-time link after `#`.
    #[schema(min_length = 1, max_length = 1024)]
    token: String,
    /// The new password: at least 12 characters without spaces at either end (422
    /// `password_too_short`), and not a common one (422 `password_too_common`).
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six-digit code of the authenticator. Required if the account has one (401
    /// `otp_required`).
    otp: Option<String>,
}

shaped!(ConsoleLinkBody);

/// Redeem a one-time link: set the password and sign in.
///
/// Ends all sessions of the person. A link works once, so a retry fails. Only `link_invalid`
/// concerns the link; it stays valid after the other errors.
///
/// - 401 `link_invalid`: the link is wrong, used or expired.
/// - 401 `otp_required`: the account has an authenticator, and `otp` is missing.
/// - 401 `otp_invalid`: the authenticator code is wrong or was used before.
/// - 422 `password_too_short`: the password has fewer than 12 characters.
/// - 422 `password_too_common`: the password is easy to guess.
#[utoipa::path(
    post, path = "/api/session/v1/console/links", tag = "session",
    params(CookiesHeader),
    request_body = ConsoleLinkBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn redeem_link(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, body) = (&request.parts, request.read::<ConsoleLinkBody>()?);
    let ConsoleLinkBody { token, password, otp } = body;
    app.limits.sign_in(client_address(parts, &app))?;
    let link = random::sha256_hex(token.as_bytes());
    let user_id = app.store.sign_in_link_user(&link, app.now()).await?;
    check_new_password(&app, &password, user_id.as_deref()).await?;
    // The password is hashed before the link is used, so that an error here leaves the link valid.
    let hash = app.passwords.hash(password).await?;
    let credentials = match &user_id {
        Some(id) => app.store.credentials_of_user(id).await?,
        None => None,
    };
    // The link replaces a forgotten password, not the second factor.
    if let Some(credentials) = credentials
        && let Err(problem) = second_factor(&app, &credentials, otp.as_deref()).await?
    {
        app.attempts.count("console_sign_in_refused", user_id, "otp", app.now());
        return Err(count_wrong_guess(&app, parts, "link", problem));
    }
    let user = match app.store.use_sign_in_link(&link, app.now()).await? {
        Some(id) => app.store.user(&id).await?.filter(is_console),
        None => None,
    };
    let Some(user) = user else {
        let problem = unauthorized("link_invalid", "The link is wrong, used or expired.");
        return Err(count_wrong_guess(&app, parts, "link", problem));
    };
    app.set_password(&user, &hash, None, "link").await?;
    app.store.delete_former_sign_in_links(&user.subject).await?;
    second_factor_due(&app, &user).await?;
    sign_in(&app, parts, &user, SignInMethod::Link).await
}
