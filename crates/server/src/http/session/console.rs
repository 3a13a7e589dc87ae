//! `POST /console/tokens`: people of the console sign in with a password, and with an authenticator where they have one.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::session::{Identifier, RateLimit, SignInMethod, typed_code};
use musette_store::{Credentials, Ending, StoreError, Throttle, User};
use serde::Deserialize;

use super::cookies;
use super::{granted, guessed_wrong, is_console, opened, refused};
use crate::app::App;
use crate::http::caller::client_address;
use crate::http::json::JsonRequest;
use crate::http::parameters::CookiesHeader;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::shaped;
use crate::keys::Tokens;
use crate::limits::network;
use crate::passwords::{Busy, SECOND_FACTOR_WITHIN, current_totp_step, totp_step};

/// For one address and one account: a stranger's tries use up nothing of the person's.
const TRIES: Throttle = Throttle { burst: 10, interval: Duration::from_secs(60) };

/// Digits tried with the right password, right ones too: 100 a day against three that are good at any
/// time are 3 in 10,000.
const OTP_TRIES: [RateLimit; 2] = [
    RateLimit { max: 20, within: Duration::from_secs(60 * 60) },
    RateLimit { max: 100, within: Duration::from_secs(24 * 60 * 60) },
];

/// The credentials of an operator or admin.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"email":"ops@example.com","password":"correct horse battery","otp":"123456"})))]
pub struct ConsoleTokensBody {
    /// The e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    email: String,
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six digits of the authenticator. Required once one is set up (401 `otp_required`).
    otp: Option<String>,
}

shaped!(ConsoleTokensBody);

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

/// Sign in to the console with a password.
///
/// 401 `credentials_invalid`: wrong e-mail address or password. 401 `otp_required`, `otp_invalid`: the digits of
/// the authenticator are missing, wrong or used. 403 `second_factor_required`: the person must set up an
/// authenticator, 7 days after the password was set; `--second-factor-roles` says which roles must. 403 `password_sign_in_off`: people sign in with the company's
/// provider. 429 `rate_limited`: too many tries.
#[utoipa::path(
    post, path = "/api/session/v1/console/tokens", tag = "session",
    params(CookiesHeader),
    request_body = ConsoleTokensBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn console_tokens(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, body) = (&request.parts, request.read::<ConsoleTokensBody>()?);
    let ConsoleTokensBody { email, password, otp } = body;
    let (user, credentials) = by_password(&app, parts, &email, password).await?;
    if let Err(problem) = second_factor(&app, &credentials, otp.as_deref()).await? {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        return Err(guessed_wrong(&app, parts, "console", problem));
    }
    refuse_overdue(&app, &user).await?;
    let method = match credentials.totp_secret {
        Some(_) => SignInMethod::PasswordOtp,
        None => SignInMethod::Password,
    };
    let opened = opened(&app, parts, &user, method).await?;
    // A password that was changed before the session was there did not end it.
    let current = app.store.credentials_of_user(&user.id).await?;
    if current.and_then(|current| current.password_hash) != credentials.password_hash {
        app.end_sessions_of_event(Ending::One { sid: &opened.sid }, "password_set").await?;
        return Err(refused("credentials_invalid", "The password has just been changed."));
    }
    Ok(granted(&app, &parts.headers, opened, cookies::wants_hardened(&parts.headers)))
}

/// Whose `email` and `password` these are, an operator or admin; what else they may need is not looked
/// at.
pub(super) async fn by_password(
    app: &App,
    parts: &Parts,
    email: &str,
    password: String,
) -> Result<(User, Credentials), Problem> {
    if !takes_passwords(app) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "password_sign_in_off",
            "Operators and admins sign in with the company's own provider.",
        ));
    }
    let email = Identifier::parse(email);
    let email = email.as_ref().map_or("", Identifier::as_str);
    throttle(app, parts, email).await?;

    let credentials = app.store.credentials(email).await?;
    let kept = credentials.as_ref().and_then(|it| it.password_hash.clone());
    let is_right = app.passwords.verify(password, kept).await?;
    let whose = credentials.as_ref().map(|it| it.user_id.clone());
    let user = match credentials.filter(|_| is_right) {
        Some(credentials) => operator(app, &credentials).await?.map(|user| (user, credentials)),
        None => None,
    };
    if let Some(found) = user {
        return Ok(found);
    }
    app.attempts.count("console_sign_in_refused", whose, "password", app.now());
    let problem = refused("credentials_invalid", "The e-mail address or the password is wrong.");
    Err(guessed_wrong(app, parts, "console", problem))
}

async fn operator(app: &App, credentials: &Credentials) -> Result<Option<User>, Problem> {
    Ok(app.store.user(&credentials.user_id).await?.filter(is_console))
}

/// The authenticator's digits, where one is set up. Each of its codes counts once.
pub(super) async fn second_factor(
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
    if app.settings.throttles {
        // Counted per account: an attacker with the password can use any number of networks.
        let whose = app.live.load().keys.keyed_hash(&["otp", &credentials.user_id]);
        let key = format!("otp:{whose}");
        if !app.store.take_allowance(&key, &OTP_TRIES, app.now()).await? {
            return Err(Problem::rate_limited(OTP_TRIES[0].within.as_secs()));
        }
    }
    let now = app.now();
    let step = typed_code(otp).and_then(|otp| totp_step(secret, &otp, now));
    let counts = match step {
        Some(step) => {
            let now = current_totp_step(now);
            app.store.use_totp_step(&credentials.user_id, step, now).await?
        }
        None => false,
    };
    let wrong = || refused("otp_invalid", "The six digits are wrong, or were used before.");
    Ok(if counts { Ok(()) } else { Err(wrong()) })
}

pub fn takes_passwords(app: &App) -> bool {
    app.oidc.as_ref().is_none_or(|oidc| !oidc.settings.only)
}

/// From when on this user needs an authenticator to sign in by password; none: they do not, or have one.
/// The date is set when it is first asked for.
pub(super) async fn due_of(app: &App, user: &User) -> Result<Option<Instant>, StoreError> {
    let needs_one = app.settings.second_factor_roles.iter().any(|role| user.has(*role));
    if !needs_one || !takes_passwords(app) {
        return Ok(None);
    }
    let Some(standing) = app.store.second_factor(&user.id).await? else { return Ok(None) };
    if standing.has_totp || !standing.has_password {
        return Ok(None);
    }
    if let Some(due) = standing.second_factor_due {
        return Ok(Some(Instant::from_millis(due)));
    }
    let due = app.now().plus(SECOND_FACTOR_WITHIN);
    app.store.say_second_factor_due(&user.id, due).await?;
    Ok(Some(due))
}

/// Refuses a user who should have set up an authenticator by now.
pub(super) async fn refuse_overdue(app: &App, user: &User) -> Result<(), Problem> {
    if due_of(app, user).await?.is_none_or(|due| due > app.now()) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "second_factor_required",
        "This account needs an authenticator; set one up with POST /console/authenticator.",
    ))
}
