//! `/console/authenticator`: an operator or admin sets up the second factor, signed in or not; the
//! password shows who they are.
//!
//! Nothing is kept until the first digits were right. A secret is derived from a random number that goes
//! to the browser and back, so that nobody can choose one that is easy, or use another's.

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
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};

use super::console::{by_password, due_of};
use super::{guessed_wrong, refused, sign_in};
use crate::app::App;
use crate::audit::audit;
use crate::http::caching::private;
use crate::http::caller::ConsoleUser;
use crate::http::json::JsonRequest;
use crate::http::parameters::CookiesHeader;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::shape::shaped;
use crate::keys::Tokens;
use crate::passwords::{totp_address, totp_secret, totp_step};
use crate::random;

/// To find one's phone and install an authenticator.
const WITHIN: Duration = Duration::from_secs(30 * 60);

/// Whether the caller has an authenticator.
#[derive(Serialize, utoipa::ToSchema)]
pub struct AuthenticatorBody {
    /// Whether an authenticator is set up.
    is_set: bool,
    /// From when on an admin cannot sign in by password without an authenticator. Absent if none is
    /// required, or one is set up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    required_from: Option<String>,
}

/// The credentials of the operator or admin who sets up an authenticator.
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
    /// Identifies the offer. Send it back with the first digits, within 30 minutes.
    setup: String,
    /// The secret in base 32, to type.
    #[schema(pattern = "^[A-Z2-7]+$")]
    secret: String,
    /// The secret as an `otpauth://totp/…` address.
    url: String,
    /// The address as a QR code.
    qr: QrBody,
}

/// A QR code.
#[derive(Serialize, utoipa::ToSchema)]
pub struct QrBody {
    /// Modules per side. A reader needs four more of white around it.
    #[schema(minimum = 21)]
    size: i32,
    /// The dark modules: the `d` attribute of an SVG path, one unit per module.
    path: String,
}

/// The credentials, the offer and the first digits of the authenticator.
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
    /// The six digits that the authenticator shows now.
    #[schema(min_length = 1, max_length = 1024)]
    otp: String,
}

/// Read whether the caller has an authenticator.
///
/// `required_from` says when a password alone stops sufficing. 403 `permission_denied`: neither operator nor admin.
#[utoipa::path(
    get, path = "/api/session/v1/console/authenticator", tag = "session", operation_id = "authenticator",
    responses((status = 200, body = AuthenticatorBody), (status = "4XX", body = ProblemBody)),
    security(("bearer" = ["read"]))
)]
pub async fn standing(
    State(app): State<Arc<App>>,
    ConsoleUser(caller): ConsoleUser,
) -> Result<Response, Problem> {
    let user = app.store.user(&caller.user_id).await?.ok_or_else(Problem::not_found)?;
    let is_set = app.store.second_factor(&user.id).await?.is_some_and(|it| it.has_totp);
    let required_from = due_of(&app, &user).await?.map(|due| due.to_string());
    Ok(private(&AuthenticatorBody { is_set, required_from }))
}

/// Offer the secret of a new authenticator.
///
/// It is kept only when its first digits come within 30 minutes (`PUT`). 401 `credentials_invalid`. 409
/// `authenticator_exists`: a lost one is replaced by `musette user add --totp`. A retry offers another secret.
#[utoipa::path(
    post, path = "/api/session/v1/console/authenticator", tag = "session", operation_id = "offer_authenticator",
    request_body = AuthenticatorOfferBody,
    responses((status = 200, body = AuthenticatorOffer), (status = "4XX", body = ProblemBody))
)]
pub async fn offer(State(app): State<Arc<App>>, request: JsonRequest) -> Result<Response, Problem> {
    let AuthenticatorOfferBody { email, password } = request.read()?;
    let (user, credentials) = by_password(&app, &request.parts, &email, password).await?;
    has_none(&credentials)?;
    let until = app.now().plus(WITHIN).seconds();
    let setup = format!("{}.{until}", random::hex::<16>());
    let secret = secret(&app, &user, &setup);
    let url = totp_address(&secret, email.trim());
    let qr = qr(&url).ok_or_else(Problem::unavailable)?;
    let body = AuthenticatorOffer { setup, secret, url, qr };
    Ok(([(CACHE_CONTROL, "no-store")], JsonBody(body)).into_response())
}

/// Set up the authenticator that was offered, and sign in.
///
/// 401 `credentials_invalid`. 401 `otp_invalid`: the digits are wrong; try the next ones. 409
/// `authenticator_exists`: a retry of a call that worked; sign in with the next digits. 422 `setup_expired`: ask
/// for another offer.
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
    let (user, credentials) = by_password(&app, parts, &email, password).await?;
    has_none(&credentials)?;
    let until = setup.split_once('.').and_then(|(_, until)| until.parse().ok()).unwrap_or(0);
    if until <= app.now().seconds() {
        let detail = "The offer of this authenticator is over; ask for another one.";
        return Err(Problem::invalid("setup_expired", detail, Vec::new()));
    }
    let secret = secret(&app, &user, &setup);
    let Some(step) = step(&secret, &otp, app.now()) else {
        app.attempts.count("console_sign_in_refused", Some(user.id), "otp", app.now());
        let problem = refused("otp_invalid", "The six digits are wrong, or were used before.");
        return Err(guessed_wrong(&app, parts, "console", problem));
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

/// 160 bits of what only we can derive.
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
        "This account has an authenticator already.",
    )
}

fn has_none(credentials: &Credentials) -> Result<(), Problem> {
    if credentials.totp_secret.is_some() { Err(exists()) } else { Ok(()) }
}

/// Each run of dark modules as one rectangle.
fn qr(text: &str) -> Option<QrBody> {
    use std::fmt::Write as _;
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count();
            let run = i32::try_from(run).ok()?;
            if run > 0 {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
            }
            x += run + 1;
        }
    }
    Some(QrBody { size: code.size(), path })
}
