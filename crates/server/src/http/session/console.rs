//! `POST /console/tokens` and `POST /console/links`: operators and admins sign in.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use musette_core::session::{Identifier, typed_code};
use musette_store::{Credentials, Throttle, User};
use serde::Serialize;

use super::{bad_shape, fault, is_console, refused, required_texts, sign_in, wrong_guess};
use crate::app::App;
use crate::http::caller::client_address;
use crate::http::json::{Json, JsonRequest};
use crate::http::limits::network;
use crate::http::problem::{Problem, ProblemBody};
use crate::keys::Tokens;
use crate::passwords::{BYTES_MAX, Busy, CHARS_MIN, totp_step};
use crate::random;
use crate::sessions::audit;

/// For one address and one account: a stranger's tries use up nothing of the person's.
const TRIES: Throttle = Throttle { burst: 10, interval: Duration::from_secs(60) };

#[derive(Serialize, utoipa::ToSchema)]
pub struct ConsoleTokensBody {
    email: String,
    password: String,
    /// Six digits of the authenticator, once one is set up.
    otp: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct ConsoleLinkBody {
    /// What stands behind `#` in the one-time link.
    token: String,
    /// The password to set; at least 12 characters.
    password: String,
}

impl From<Busy> for Problem {
    fn from(_: Busy) -> Self {
        Self::unavailable()
    }
}

async fn throttle(app: &App, parts: &Parts, email: &str) -> Result<(), Problem> {
    let address = client_address(parts, app);
    app.limits.sign_in(address)?;
    if !app.settings.throttles {
        return Ok(());
    }
    let account = app.live.load().keys.keyed_hash(&["console", email]);
    let key = format!("console:{account}:{}", network(address));
    match app.store.throttle(&key, TRIES, app.now()).await? {
        Some(wait) => Err(Problem::rate_limited(wait.as_secs() + 1)),
        None => Ok(()),
    }
}

/// Signs an operator or admin in to the console.
#[utoipa::path(
    post, path = "/api/session/v1/console/tokens", tag = "session",
    request_body = ConsoleTokensBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn console_tokens(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    if app.oidc.as_ref().is_some_and(|oidc| oidc.settings.only) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "password_sign_in_off",
            "Operators and admins sign in with the company's own provider.",
        ));
    }
    let (parts, json) = (&request.parts, request.json()?);
    let [email, password] = required_texts(&json, ["email", "password"])?;
    let otp = match json.get("otp") {
        None => None,
        Some(Json::Text(otp)) => Some(otp.to_string()),
        Some(_) => return Err(bad_shape(vec![fault("otp", "a text")])),
    };
    let email = Identifier::parse(email);
    let email = email.as_ref().map_or("", Identifier::as_str);
    throttle(&app, parts, email).await?;

    let credentials = app.store.credentials(email).await?;
    let kept = credentials.as_ref().and_then(|it| it.password_hash.clone());
    let is_right = app.passwords.verify(password.to_owned(), kept).await?;
    let user = match credentials.filter(|_| is_right) {
        Some(credentials) => operator(&app, &credentials).await?.map(|user| (user, credentials)),
        None => None,
    };
    let Some((user, credentials)) = user else {
        audit(&app, "console_sign_in_refused", None, None, Some("password")).await;
        let problem =
            refused("credentials_invalid", "The e-mail address or the password is wrong.");
        return wrong_guess(&app, parts, "console", problem).await;
    };
    if let Err(problem) = second_factor(&app, &credentials, otp.as_deref()).await? {
        let subject = Some(user.subject);
        audit(&app, "console_sign_in_refused", subject, None, Some("otp")).await;
        return wrong_guess(&app, parts, "console", problem).await;
    }
    sign_in(&app, parts, &user, "password").await
}

async fn operator(app: &App, credentials: &Credentials) -> Result<Option<User>, Problem> {
    Ok(app.store.user(&credentials.user_id).await?.filter(is_console))
}

/// The authenticator's digits, where one is set up. Each of its codes counts once.
async fn second_factor(
    app: &App,
    credentials: &Credentials,
    otp: Option<&str>,
) -> Result<Result<(), Problem>, Problem> {
    let Some(secret) = &credentials.totp_secret else { return Ok(Ok(())) };
    let Some(otp) = otp else {
        return Ok(Err(refused(
            "otp_required",
            "The six digits of your authenticator are needed.",
        )));
    };
    let step = typed_code(otp).and_then(|otp| totp_step(secret, &otp, app.now()));
    let counts = match step {
        Some(step) => app.store.use_totp_step(&credentials.user_id, step).await?,
        None => false,
    };
    let wrong = || refused("otp_invalid", "The six digits are wrong, or were used before.");
    Ok(if counts { Ok(()) } else { Err(wrong()) })
}

/// Redeems a one-time link: sets the password and signs in.
#[utoipa::path(
    post, path = "/api/session/v1/console/links", tag = "session",
    request_body = ConsoleLinkBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn redeem_link(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, json) = (&request.parts, request.json()?);
    let [token, password] = required_texts(&json, ["token", "password"])?;
    if password.chars().count() < CHARS_MIN || password.len() > BYTES_MAX {
        let problem = "password_too_short";
        let mut fault = fault("password", "at least 12 characters");
        fault.code = problem.into();
        return Err(Problem::invalid(problem, "The password is too short.", vec![fault]));
    }
    app.limits.sign_in(client_address(parts, &app))?;
    // Hashed before the link is used up: what fails here can be tried again.
    let hash = app.passwords.hash(password.to_owned()).await?;
    let link = random::sha256_hex(token.as_bytes());
    let user = match app.store.use_sign_in_link(&link, app.now()).await? {
        Some(id) => app.store.user(&id).await?.filter(is_console),
        None => None,
    };
    let Some(user) = user else {
        let problem = refused("link_invalid", "The link is wrong, used, or too old.");
        return wrong_guess(&app, parts, "link", problem).await;
    };
    app.store.set_password(&user.id, &hash).await?;
    audit(&app, "password_set", Some(user.subject.clone()), None, Some("link")).await;
    sign_in(&app, parts, &user, "link").await
}
