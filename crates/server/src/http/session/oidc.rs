//! `GET /console/sign-in-options`, `/console/oidc/start`, `/console/oidc/callback`: operators and
//! admins sign in with the company's provider.
//!
//! A browser follows these redirects, so the sign-in page shows errors, by its parameter
//! `?trouble=`.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonBody;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;
use musette_core::session::SignInMethod;
use serde::Serialize;
use subtle::ConstantTimeEq as _;

use super::cookies::{self, append, cookie, secure, token_cookies};
use super::lifecycle::{NoEntry, person_of};
use super::{oidc_reauthentication, opened};
use crate::http::access::caller::{PublicRead, client_address};
use crate::http::layers::origin::origin;
use crate::http::wire::problem::{Problem, ProblemBody};
use crate::http::wire::query::{FromQuery, Parameters, Query};
use crate::node::app::App;
use crate::platform::random;
use crate::sessions::oidc::{AuthorizationAttempt, Oidc, OidcError};

const COOKIE: &str = "musette_oidc";
const PATH: &str = "/api/session/v1/console/oidc";
/// The path to which the provider redirects the browser.
pub const CALLBACK: &str = "/api/session/v1/console/oidc/callback";
/// The time to sign in at the provider, including a second factor that is out of reach.
pub(super) const WITHIN: Duration = Duration::from_secs(15 * 60);
/// The time for which a used callback is remembered beyond its expiry, because clocks of nodes
/// differ.
const CLOCK_SKEW_MAX: Duration = Duration::from_secs(60 * 60);
const CONSOLE: &str = "/console";
const SIGN_IN: &str = "/console/sign-in";
/// The page that a reauthentication ends on.
const REAUTHENTICATED: &str = "/console/reauthenticated";

/// The methods to sign in to the console.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SignInOptionsBody {
    /// True if `POST /api/session/v1/console/tokens` accepts passwords.
    password: bool,
    /// The OpenID Connect provider. Null if none is configured.
    #[schema(required)]
    oidc: Option<OidcOption>,
    /// True if no admin exists yet. Create the first admin on the command line.
    needs_first_admin: bool,
}

/// The company's OpenID Connect provider.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OidcOption {
    /// The name of the provider, for the button.
    name: String,
}

/// Read the methods to sign in to the console.
///
/// Needs no session, because the sign-in page calls it. The response depends on the settings only,
/// except `needs_first_admin`.
#[utoipa::path(
    get, path = "/api/session/v1/console/sign-in-options", tag = "session",
    responses((status = 200, body = SignInOptionsBody), (status = "4XX", body = ProblemBody))
)]
pub async fn sign_in_options(State(app): State<Arc<App>>, _: PublicRead) -> Response {
    let settings = app.oidc.as_ref().map(|oidc| &oidc.settings);
    // If the store is unavailable, the sign-in itself reports it.
    let has_admin = app.store.has_admin().await.unwrap_or(true);
    let body = SignInOptionsBody {
        password: settings.is_none_or(|oidc| !oidc.only),
        oidc: settings.map(|oidc| OidcOption { name: oidc.name.clone() }),
        needs_first_admin: !has_admin,
    };
    ([(CACHE_CONTROL, "no-store")], JsonBody(body)).into_response()
}

/// The reason of a failed sign-in, for the sign-in page.
#[derive(Debug, Clone, Copy)]
pub(super) enum OidcFailure {
    /// The provider does not respond, or its response is malformed.
    Unavailable,
    /// The callback does not belong to a recent sign-in of this browser.
    Expired,
    /// The person or the provider denied the sign-in.
    Denied,
    /// The provider's response is invalid.
    Invalid,
    Unknown,
    NotAllowed,
    /// The person is not the user of the session.
    OtherPerson,
    /// The provider does not confirm that the person has just authenticated.
    NotFresh,
    AddressTaken,
}

impl OidcFailure {
    const fn code(self) -> &'static str {
        match self {
            Self::Unavailable => "oidc_unavailable",
            Self::Expired => "oidc_expired",
            Self::Denied => "oidc_denied",
            Self::Invalid => "oidc_invalid",
            Self::Unknown => "oidc_unknown",
            Self::NotAllowed => "oidc_not_allowed",
            Self::OtherPerson => "oidc_other_person",
            Self::NotFresh => "oidc_not_fresh",
            Self::AddressTaken => "oidc_address_taken",
        }
    }
}

impl From<NoEntry> for OidcFailure {
    fn from(reason: NoEntry) -> Self {
        match reason {
            NoEntry::Unknown => Self::Unknown,
            NoEntry::NotAllowed => Self::NotAllowed,
            NoEntry::AddressTaken => Self::AddressTaken,
        }
    }
}

impl From<OidcError> for OidcFailure {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Unavailable(_) => Self::Unavailable,
            OidcError::Refused(_) => Self::Invalid,
        }
    }
}

fn redirect(location: &str, mut headers: HeaderMap) -> Response {
    // A location that no header can contain falls back to the console.
    let location = HeaderValue::try_from(location);
    headers.insert(LOCATION, location.unwrap_or(HeaderValue::from_static(CONSOLE)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn back_to(page: &str, app: &App, failure: OidcFailure) -> Response {
    let mut headers = HeaderMap::new();
    append(&mut headers, pending(app, "", 0));
    redirect(&format!("{page}?trouble={}", failure.code()), headers)
}

/// Returns the cookie of a pending sign-in. `SameSite=Strict` would not be sent with the callback,
/// because the provider's page starts that navigation.
pub(super) fn pending(app: &App, value: &str, max_age_s: u64) -> String {
    let (name, path, secure) = (cookies::name(app, COOKIE), cookies::path(app, PATH), secure(app));
    format!("{name}={value}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}")
}

/// Derives state, nonce and verifier from the cookie with a key that only the server has. So
/// nothing is stored, any node can handle the callback, and a forged cookie matches no `state`.
pub(super) fn attempt(
    app: &App,
    cookie: &str,
    headers: &HeaderMap,
) -> Result<AuthorizationAttempt, Problem> {
    let live = app.live.load();
    let derived = |purpose: &str| live.keys.keyed_hash(&[purpose, cookie]);
    Ok(AuthorizationAttempt {
        state: derived("oidc-state"),
        nonce: derived("oidc-nonce"),
        verifier: derived("oidc-verifier"),
        redirect: format!("{}{CALLBACK}", origin(&app.settings, headers)?),
        max_age: None,
    })
}

/// Options of a sign-in.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OidcStartQuery {
    /// `hardened`: the refresh token is set in an `HttpOnly` cookie.
    #[param(rename = "cookies", value_type = Option<String>)]
    hardened: bool,
}

impl FromQuery for OidcStartQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        Ok(Self { hardened: parameters.all("cookies").any(|value| value == "hardened") })
    }
}

pub(super) fn provider(app: &App) -> Result<&Oidc, Problem> {
    app.oidc.as_ref().ok_or_else(Problem::not_found)
}

/// Start a sign-in with the OpenID Connect provider.
///
/// Redirects the browser to the provider. An error redirects to the sign-in page with `?trouble=`.
///
/// - 404 `not_found`: no provider is configured.
#[utoipa::path(
    get, path = "/api/session/v1/console/oidc/start", tag = "session",
    params(OidcStartQuery),
    responses((status = 303), (status = "4XX", body = ProblemBody))
)]
pub async fn start(
    State(app): State<Arc<App>>,
    Query(OidcStartQuery { hardened }): Query<OidcStartQuery>,
    parts: Parts,
) -> Result<Response, Problem> {
    let oidc = provider(&app)?;
    app.limits.sign_in(client_address(&parts, &app))?;
    let profile = if hardened { "hardened" } else { "compatible" };
    let until = app.now().plus(WITHIN).seconds();
    let cookie = format!("{}.{until}.{profile}", random::hex::<16>());
    let attempt = attempt(&app, &cookie, &parts.headers)?;
    match oidc.address(&attempt).await {
        Ok(address) => {
            let mut headers = HeaderMap::new();
            append(&mut headers, pending(&app, &cookie, WITHIN.as_secs()));
            Ok(redirect(&address, headers))
        }
        Err(error) => {
            tracing::error!(error = %error, "the OpenID Connect provider is unavailable: sign-in with it fails");
            Ok(back_to(SIGN_IN, &app, OidcFailure::Unavailable))
        }
    }
}

/// Complete a sign-in with the OpenID Connect provider.
///
/// The provider redirects the browser here. Each callback works once. It redirects to the console,
/// or to the sign-in page with one of these values of `trouble`:
///
/// - `oidc_unavailable`: the provider does not respond.
/// - `oidc_expired`: this browser has no pending sign-in, or the sign-in took more than 15 minutes.
/// - `oidc_denied`: the person or the provider denied the sign-in.
/// - `oidc_invalid`: the provider's response is invalid.
/// - `oidc_unknown`: no account belongs to the person.
/// - `oidc_not_allowed`: the person may not use the console.
/// - `oidc_address_taken`: an account without a console role has the person's e-mail address. An
///   admin adds a console role to that account or removes its address.
///
/// A reauthentication redirects to `/console/reauthenticated`, with the same values, or
/// `oidc_other_person` or `oidc_not_fresh`.
#[utoipa::path(
    get, path = "/api/session/v1/console/oidc/callback", tag = "session",
    params(OidcCallbackQuery),
    responses((status = 303), (status = "4XX", body = ProblemBody))
)]
pub async fn callback(
    State(app): State<Arc<App>>,
    Query(callback): Query<OidcCallbackQuery>,
    parts: Parts,
) -> Result<Response, Problem> {
    let oidc = provider(&app)?;
    app.limits.sign_in(client_address(&parts, &app))?;
    let pending = cookie(&parts.headers, &cookies::name(&app, COOKIE));
    let reauthenticates = pending.and_then(sid_of).is_some();
    let (success_page, failure_page) =
        if reauthenticates { (REAUTHENTICATED, REAUTHENTICATED) } else { (CONSOLE, SIGN_IN) };
    match enter(&app, oidc, &parts, callback).await? {
        Ok(headers) => Ok(redirect(success_page, headers)),
        Err(failure) => {
            metrics::counter!("musette_sign_ins_total", "method" => "oidc", "outcome" => "refused")
                .increment(1);
            app.attempts.count("console_sign_in_refused", None, failure.code(), app.now());
            app.limits.guess(client_address(&parts, &app))?;
            Ok(back_to(failure_page, &app, failure))
        }
    }
}

/// The provider's response in the query of the callback.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OidcCallbackQuery {
    /// The authorization code.
    code: Option<String>,
    /// The `state` that the sign-in was started with.
    state: Option<String>,
    /// The issuer (RFC 9207).
    #[param(rename = "iss")]
    issuer: Option<String>,
    /// The error code of the provider. Absent in a success.
    error: Option<String>,
}

impl FromQuery for OidcCallbackQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        // The last value of a name counts, so that one appended to the query is not overlooked.
        let owned = |name| parameters.all(name).last().map(str::to_owned);
        Ok(Self {
            code: owned("code"),
            state: owned("state"),
            issuer: owned("iss"),
            error: owned("error"),
        })
    }
}

/// Returns the session to reauthenticate. None if the cookie belongs to a new sign-in.
fn sid_of(cookie: &str) -> Option<&str> {
    cookie.split('.').nth(3)
}

/// Returns the cookies of the new session. A reauthentication updates its session and returns no
/// token cookies.
async fn enter(
    app: &App,
    oidc: &Oidc,
    parts: &Parts,
    callback: OidcCallbackQuery,
) -> Result<Result<HeaderMap, OidcFailure>, Problem> {
    let Some(cookie) = cookie(&parts.headers, &cookies::name(app, COOKIE)) else {
        return Ok(Err(OidcFailure::Expired));
    };
    let attempt = attempt(app, cookie, &parts.headers)?;
    let state = callback.state.unwrap_or_default();
    let is_state_right = bool::from(state.as_bytes().ct_eq(attempt.state.as_bytes()));
    let mut parts_of_cookie = cookie.split('.').skip(1);
    let until: i64 = parts_of_cookie.next().and_then(|until| until.parse().ok()).unwrap_or(0);
    let hardened = parts_of_cookie.next() == Some("hardened");
    if !is_state_right || until <= app.now().seconds() {
        return Ok(Err(OidcFailure::Expired));
    }
    if callback.error.is_some() {
        return Ok(Err(OidcFailure::Denied));
    }
    // RFC 9207: a response of another provider must not be accepted as this provider's.
    if callback.issuer.is_some_and(|issuer| issuer != oidc.settings.issuer) {
        return Ok(Err(OidcFailure::Invalid));
    }
    let Some(code) = callback.code else { return Ok(Err(OidcFailure::Invalid)) };
    // The callback is used up on every node before the code is sent, whatever the provider does
    // with a repeated code.
    let forget_at = Instant::from_millis(until.saturating_mul(1000)).plus(CLOCK_SKEW_MAX);
    if !app.store.record_oidc_return(&random::sha256_hex(state.as_bytes()), forget_at).await? {
        return Ok(Err(OidcFailure::Expired));
    }
    let identity = match oidc.redeem(code, &attempt, app.now()).await {
        Ok(identity) => identity,
        Err(error) => {
            tracing::warn!(error = %error, "a sign-in with OpenID Connect was rejected");
            return Ok(Err(error.into()));
        }
    };
    if let Some(sid) = sid_of(cookie) {
        let confirmed = oidc_reauthentication::confirm(app, sid, &identity).await?;
        let mut headers = HeaderMap::new();
        append(&mut headers, pending(app, "", 0));
        return Ok(confirmed.map(|()| headers));
    }
    let claim_decides = oidc.settings.role_claim.is_some();
    let user = match person_of(app, &identity, claim_decides).await? {
        Ok(user) => user,
        Err(reason) => return Ok(Err(reason.into())),
    };
    let granted = opened(app, parts, &user, SignInMethod::Provider).await?;
    if let Some(at) = identity.authenticated_at {
        // The provider's clock may be ahead.
        app.store.reauthenticate_session(&granted.sid, at.min(app.now())).await?;
    }
    let mut headers = token_cookies(app, &parts.headers, &granted, hardened);
    append(&mut headers, pending(app, "", 0));
    Ok(Ok(headers))
}
