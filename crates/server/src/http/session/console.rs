//! `POST /console/tokens`: console users sign in with a password, and with an authenticator if they
//! have one.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use musette_core::instant::Instant;
use musette_core::session::{Identifier, RateLimit, SignInMethod, typed_code};
use musette_store::{Credentials, SessionsToEnd, StoreError, Throttle, User};
use serde::Deserialize;

use super::cookies;
use super::{count_wrong_guess, granted, is_console, opened, unauthorized};
use crate::access::limits::network;
use crate::http::access::caller::client_address;
use crate::http::wire::json::JsonRequest;
use crate::http::wire::parameters::CookiesHeader;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::sessions::keys::Tokens;
use crate::sessions::passwords::{AllBusy, SECOND_FACTOR_WITHIN, current_totp_step, totp_step};

/// The limit for one network and one account. An attacker elsewhere cannot use up the person's
/// attempts.
const ATTEMPTS: Throttle = Throttle { burst: 10, interval: Duration::from_secs(60) };

/// Limits of authenticator codes after a right password, including right codes. 100 guesses a day,
/// with 3 valid codes at any time, succeed with a probability of 3 in 10,000.
const OTP_ATTEMPTS: [RateLimit; 2] = [
    RateLimit { max: 20, within: Duration::from_secs(60 * 60) },
    RateLimit { max: 100, within: Duration::from_secs(24 * 60 * 60) },
];

/// The credentials of a user of the console.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"email":"ops@example.com","password":"correct horse battery","otp":"123456"})))]
pub struct ConsoleTokensBody {
    /// The e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    email: String,
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The six-digit code of the authenticator. Required once an authenticator is set up (401
    /// `otp_required`).
    otp: Option<String>,
}

shaped!(ConsoleTokensBody);

impl From<AllBusy> for Problem {
    fn from(_: AllBusy) -> Self {
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
    match app.store.throttle(&key, ATTEMPTS, app.now()).await? {
        Some(wait) => Err(Problem::rate_limited(wait.as_secs() + 1)),
        None => Ok(()),
    }
}

/// Sign in to the console with a password.
///
/// - 401 `credentials_invalid`: the e-mail address or the password is wrong.
/// - 401 `otp_required`: the account has an authenticator, and `otp` is missing.
/// - 401 `otp_invalid`: the authenticator code is wrong or was used before.
/// - 403 `second_factor_required`: the account needs an authenticator 7 days after its password was
///   set, if `--second-factor-roles` has one of its roles.
/// - 403 `password_sign_in_off`: console users sign in with the company's provider.
/// - 429 `rate_limited`: too many attempts.
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
    let (user, credentials) = authenticate_by_password(&app, parts, &email, password).await?;
    if let Err(problem) = second_factor(&app, &credentials, otp.as_deref()).await? {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        return Err(count_wrong_guess(&app, parts, "console", problem));
    }
    check_second_factor_overdue(&app, &user).await?;
    let method = match credentials.totp_secret {
        Some(_) => SignInMethod::PasswordOtp,
        None => SignInMethod::Password,
    };
    let opened = opened(&app, parts, &user, method).await?;
    // A password change ends existing sessions. This one did not exist yet, so it ends here.
    let current = app.store.credentials_of_user(&user.id).await?;
    if current.and_then(|current| current.password_hash) != credentials.password_hash {
        app.end_sessions_of_event(SessionsToEnd::One { sid: &opened.sid }, "password_set").await?;
        return Err(unauthorized(
            "credentials_invalid",
            "The password was changed during the sign-in.",
        ));
    }
    Ok(granted(&app, &parts.headers, opened, cookies::wants_hardened(&parts.headers)))
}

/// Returns the user of the console with this e-mail address and password. The caller checks the
/// second factor.
pub(super) async fn authenticate_by_password(
    app: &App,
    parts: &Parts,
    email: &str,
    password: String,
) -> Result<(User, Credentials), Problem> {
    if !takes_passwords(app) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "password_sign_in_off",
            "Password sign-in is off. Operators and admins sign in with the company's provider.",
        ));
    }
    let email = Identifier::parse(email);
    let email = email.as_ref().map_or("", Identifier::as_str);
    throttle(app, parts, email).await?;

    let credentials = app.store.credentials(email).await?;
    let hash = credentials.as_ref().and_then(|credentials| credentials.password_hash.clone());
    let is_right = app.passwords.verify(password, hash).await?;
    let account = credentials.as_ref().map(|credentials| credentials.user_id.clone());
    let user = match credentials.filter(|_| is_right) {
        Some(credentials) => operator(app, &credentials).await?.map(|user| (user, credentials)),
        None => None,
    };
    if let Some(user) = user {
        return Ok(user);
    }
    app.attempts.count("console_sign_in_refused", account, "password", app.now());
    let problem =
        unauthorized("credentials_invalid", "The e-mail address or the password is wrong.");
    Err(count_wrong_guess(app, parts, "console", problem))
}

async fn operator(app: &App, credentials: &Credentials) -> Result<Option<User>, Problem> {
    Ok(app.store.user(&credentials.user_id).await?.filter(is_console))
}

/// Checks the authenticator code, if an authenticator is set up. Each code works once.
pub(super) async fn second_factor(
    app: &App,
    credentials: &Credentials,
    otp: Option<&str>,
) -> Result<Result<(), Problem>, Problem> {
    let Some(secret) = &credentials.totp_secret else { return Ok(Ok(())) };
    let Some(otp) = otp else {
        return Ok(Err(unauthorized(
            "otp_required",
            "Enter the six-digit code of your authenticator.",
        )));
    };
    if app.settings.throttles {
        // Counted per account, because an attacker with the password can use any number of
        // networks.
        let account = app.live.load().keys.keyed_hash(&["otp", &credentials.user_id]);
        let key = format!("otp:{account}");
        if !app.store.take_allowance(&key, &OTP_ATTEMPTS, app.now()).await? {
            return Err(Problem::rate_limited(OTP_ATTEMPTS[0].within.as_secs()));
        }
    }
    let now = app.now();
    let step = typed_code(otp).and_then(|otp| totp_step(secret, &otp, now));
    let is_accepted = match step {
        Some(step) => {
            let now = current_totp_step(now);
            app.store.use_totp_step(&credentials.user_id, step, now).await?
        }
        None => false,
    };
    let wrong =
        || unauthorized("otp_invalid", "The authenticator code is wrong or was used before.");
    Ok(if is_accepted { Ok(()) } else { Err(wrong()) })
}

pub fn takes_passwords(app: &App) -> bool {
    app.oidc.as_ref().is_none_or(|oidc| !oidc.settings.only)
}

/// Returns the time from which this user needs an authenticator to sign in with a password. None if
/// they need none or have one. The first call sets the date.
pub(super) async fn second_factor_due(
    app: &App,
    user: &User,
) -> Result<Option<Instant>, StoreError> {
    let needs_one = app.settings.second_factor_roles.iter().any(|role| user.has(*role));
    if !needs_one || !takes_passwords(app) {
        return Ok(None);
    }
    let Some(factor) = app.store.second_factor(&user.id).await? else { return Ok(None) };
    if factor.has_totp || !factor.has_password {
        return Ok(None);
    }
    if let Some(due) = factor.second_factor_due {
        return Ok(Some(Instant::from_millis(due)));
    }
    let due_at = app.now().plus(SECOND_FACTOR_WITHIN);
    app.store.set_second_factor_due(&user.id, due_at).await?;
    Ok(Some(due_at))
}

/// Returns an error if the user should have set up an authenticator by now.
pub(super) async fn check_second_factor_overdue(app: &App, user: &User) -> Result<(), Problem> {
    if second_factor_due(app, user).await?.is_none_or(|due| due > app.now()) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "second_factor_required",
        "This account needs an authenticator. Set one up with POST /console/authenticator.",
    ))
}
