//! `/console/authenticator`: a user of the console sets up an authenticator, with or without a
//! session. The password identifies the account.
//!
//! Nothing is stored until the first code was right. The secret is derived from a random number
//! that goes to the browser and back, so a client can neither choose a weak secret nor reuse
//! another account's.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::{SignInMethod, typed_code};
use musette_store::{Credentials, User};
use serde::{Deserialize, Serialize};

use super::console::{authenticate_by_password, second_factor_due};
use super::{count_wrong_guess, sign_in, unauthorized};
use crate::http::access::audit::audit;
use crate::http::access::caller::ConsoleUser;
use crate::http::wire::caching::private;
use crate::http::wire::json::JsonRequest;
use crate::http::wire::parameters::CookiesHeader;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::qr::QrBody;
use crate::http::wire::shape::shaped;
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::keys::Tokens;
use crate::sessions::passwords::{totp_address, totp_secret, totp_step};

/// Time to find the phone and install an authenticator app.
const WITHIN: Duration = Duration::from_secs(30 * 60);

/// The state of the caller's authenticator.
#[derive(Serialize, utoipa::ToSchema)]
pub struct AuthenticatorBody {
    /// True if an authenticator is set up.
    is_set: bool,
    /// The time from which an admin cannot sign in with a password alone. Absent if no
    /// authenticator is required, or one is set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    required_from: Option<String>,
}

/// The credentials of the user who sets up an authenticator.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"email":"ops@example.com","password":"correct horse battery"})))]
pub struct AuthenticatorOfferBody {
    /// The e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    email: String,
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
}

/// The secret of a new authenticator.
#[derive(Serialize, utoipa::ToSchema)]
pub struct AuthenticatorOffer {
    /// The id of the offer. Send it back with the first code within 30 minutes.
    setup: String,
    /// The secret in base32, to type.
    #[schema(pattern = "^[A-Z2-7]+$")]
    secret: String,
    /// The secret as an `otpauth://totp/…` URI.
    url: String,
    /// The URI as a QR code.
    qr: QrBody,
}

/// The credentials, the offer and the first code of the authenticator.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(examples(json!({"email":"ops@example.com","password":"correct horse battery","setup":"0a1b.1795000000","otp":"123456"})))]
pub struct AuthenticatorSetUpBody {
    /// The e-mail address.
    #[schema(min_length = 1, max_length = 1024)]
    email: String,
    /// The password.
    #[schema(min_length = 1, max_length = 1024)]
    password: String,
    /// The `setup` of the offer.
    #[schema(min_length = 1, max_length = 1024)]
    setup: String,
    /// The six-digit code that the authenticator shows now.
    #[schema(min_length = 1, max_length = 1024)]
    otp: String,
}

/// Read the state of the caller's authenticator.
///
/// `required_from` is the time from which a password alone no longer suffices.
///
/// - 403 `permission_denied`: the caller is neither operator nor admin.
#[utoipa::path(
    get, path = "/api/session/v1/console/authenticator", tag = "session", operation_id = "authenticator",
    responses((status = 200, body = AuthenticatorBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn state(
    State(app): State<Arc<App>>,
    ConsoleUser(caller): ConsoleUser,
) -> Result<Response, Problem> {
    let user = app.store.user(&caller.user_id).await?.ok_or_else(Problem::not_found)?;
    let is_set = app.store.second_factor(&user.id).await?.is_some_and(|factor| factor.has_totp);
    let required_from = second_factor_due(&app, &user).await?.map(|due| due.to_string());
    Ok(private(&AuthenticatorBody { is_set, required_from }))
}

/// Offer the secret of a new authenticator.
///
/// The server stores it only after `PUT` with the first code within 30 minutes. A retry returns a
/// different secret.
///
/// - 401 `credentials_invalid`: the e-mail address or the password is wrong.
/// - 409 `authenticator_exists`: the account has an authenticator. Replace a lost one with `musette
///   user add --totp`.
#[utoipa::path(
    post, path = "/api/session/v1/console/authenticator", tag = "session", operation_id = "offer_authenticator",
    request_body = AuthenticatorOfferBody,
    responses((status = 200, body = AuthenticatorOffer), (status = "4XX", body = ProblemBody))
)]
pub async fn offer(State(app): State<Arc<App>>, request: JsonRequest) -> Result<Response, Problem> {
    let AuthenticatorOfferBody { email, password } = request.read()?;
    let (user, credentials) =
        authenticate_by_password(&app, &request.parts, &email, password).await?;
    ensure_no_totp(&credentials)?;
    let until = app.now().plus(WITHIN).seconds();
    let setup = format!("{}.{until}", random::hex::<16>());
    let secret = secret(&app, &user, &setup);
    let url = totp_address(&secret, email.trim());
    let qr = QrBody::of(&url).ok_or_else(Problem::unavailable)?;
    let body = AuthenticatorOffer { setup, secret, url, qr };
    Ok(([(CACHE_CONTROL, "no-store")], JsonBody(body)).into_response())
}

/// Set up the offered authenticator and sign in.
///
/// - 401 `credentials_invalid`: the e-mail address or the password is wrong.
/// - 401 `otp_invalid`: the code is wrong or was used before. Retry with the next code.
/// - 409 `authenticator_exists`: the account has an authenticator, for example because the first
///   request succeeded. Sign in with the next code.
/// - 422 `setup_expired`: the offer is older than 30 minutes. Request a new one.
#[utoipa::path(
    put, path = "/api/session/v1/console/authenticator", tag = "session", operation_id = "set_up_authenticator",
    params(CookiesHeader),
    request_body = AuthenticatorSetUpBody,
    responses((status = 200, body = Tokens), (status = "4XX", body = ProblemBody))
)]
pub async fn set_up(
    State(app): State<Arc<App>>,
    request: JsonRequest,
) -> Result<Response, Problem> {
    let (parts, body) = (&request.parts, request.read::<AuthenticatorSetUpBody>()?);
    let AuthenticatorSetUpBody { email, password, setup, otp } = body;
    let (user, credentials) = authenticate_by_password(&app, parts, &email, password).await?;
    ensure_no_totp(&credentials)?;
    let until = setup.split_once('.').and_then(|(_, until)| until.parse().ok()).unwrap_or(0);
    if until <= app.now().seconds() {
        let detail = "The offer of this authenticator has expired. Request a new one.";
        return Err(Problem::invalid("setup_expired", detail, Vec::new()));
    }
    let secret = secret(&app, &user, &setup);
    let Some(step) = step(&secret, &otp, app.now()) else {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        let problem =
            unauthorized("otp_invalid", "The authenticator code is wrong or was used before.");
        return Err(count_wrong_guess(&app, parts, "console", problem));
    };
    if !app.store.add_totp(&user.id, &secret, step).await? {
        return Err(exists());
    }
    audit(&app, "authenticator_set", Some(user.subject.clone()), None, None).await;
    sign_in(&app, parts, &user, SignInMethod::PasswordOtp).await
}

shaped!(AuthenticatorOfferBody, AuthenticatorSetUpBody);

fn step(secret: &str, otp: &str, now: Instant) -> Option<i64> {
    typed_code(otp).and_then(|otp| totp_step(secret, &otp, now))
}

/// Derives the secret of an offer: 160 bits that only the server can compute.
fn secret(app: &App, user: &User, setup: &str) -> String {
    let derived = app.live.load().keys.keyed_hash(&["authenticator", &user.id, setup]);
    let bytes = hex::decode(&derived).unwrap_or_default();
    let mut secret = [0; 20];
    secret.copy_from_slice(&bytes[..20]);
    totp_secret(secret)
}

fn exists() -> Problem {
    Problem::new(
        StatusCode::CONFLICT,
        "authenticator_exists",
        "This account already has an authenticator.",
    )
}

fn ensure_no_totp(credentials: &Credentials) -> Result<(), Problem> {
    if credentials.totp_secret.is_some() { Err(exists()) } else { Ok(()) }
}
