//! `GET /console/sign-in-options`, `/console/oidc/start`, `/console/oidc/callback`: operators and
//! admins sign in with their company's provider.
//!
//! A browser walks through here, so what goes wrong is told by the sign-in page, by its `?trouble=`.

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
use super::{oidc_reauthentication, opened};
use crate::app::App;
use crate::http::caller::{PublicRead, client_address};
use crate::http::origin::origin;
use crate::http::problem::{Problem, ProblemBody};
use crate::http::query::{FromQuery, Parameters, Query};
use crate::oidc::{AuthorizationAttempt, Oidc, OidcError};
use crate::random;
use crate::session_lifecycle::{NoEntry, person_of};

const COOKIE: &str = "musette_oidc";
const PATH: &str = "/api/session/v1/console/oidc";
/// Where the provider sends people back to.
pub const CALLBACK: &str = "/api/session/v1/console/oidc/callback";
/// For signing in over there, with a second factor that is in another room.
pub(super) const WITHIN: Duration = Duration::from_secs(15 * 60);
/// So much longer than it may be taken a way back is remembered: clocks of nodes differ.
const CLOCKS_APART: Duration = Duration::from_secs(60 * 60);
const CONSOLE: &str = "/console";
const SIGN_IN: &str = "/console/sign-in";
/// The page that a new proof of who somebody is ends on.
const REAUTHENTICATED: &str = "/console/reauthenticated";

/// The ways to sign in to the console.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SignInOptionsBody {
    /// Whether `POST /api/session/v1/console/tokens` takes passwords.
    password: bool,
    /// The OpenID Connect provider. Null if none is configured.
    #[schema(required)]
    oidc: Option<OidcOption>,
    /// Whether there is no admin yet: the first one is created on the command line.
    needs_first_admin: bool,
}

/// The company's OpenID Connect provider.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OidcOption {
    /// The name of the provider, for the button.
    name: String,
}

/// Read the ways to sign in to the console.
///
/// Public: the sign-in page asks it before anybody has signed in. The answer depends on the settings only.
#[utoipa::path(
    get, path = "/api/session/v1/console/sign-in-options", tag = "session",
    responses((status = 200, body = SignInOptionsBody), (status = "4XX", body = ProblemBody))
)]
pub async fn sign_in_options(State(app): State<Arc<App>>, _: PublicRead) -> Response {
    let settings = app.oidc.as_ref().map(|oidc| &oidc.settings);
    // Whoever signs in is told then that the store is away.
    let has_admin = app.store.has_admin().await.unwrap_or(true);
    let body = SignInOptionsBody {
        password: settings.is_none_or(|oidc| !oidc.only),
        oidc: settings.map(|oidc| OidcOption { name: oidc.name.clone() }),
        needs_first_admin: !has_admin,
    };
    ([(CACHE_CONTROL, "no-store")], JsonBody(body)).into_response()
}

/// Why one is back at the sign-in page.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trouble {
    /// The provider does not answer, or answers nonsense.
    Unavailable,
    /// The way back does not belong to a way there, of this browser and of late.
    Expired,
    /// The person, or the provider, said no.
    Denied,
    /// The provider's answer is invalid.
    Invalid,
    Unknown,
    NotAllowed,
    /// Not the person whose session it is.
    OtherPerson,
    /// The provider does not say that the person has just proved who they are.
    NotFresh,
    AddressTaken,
}

impl Trouble {
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

impl From<NoEntry> for Trouble {
    fn from(why: NoEntry) -> Self {
        match why {
            NoEntry::Unknown => Self::Unknown,
            NoEntry::NotAllowed => Self::NotAllowed,
            NoEntry::AddressTaken => Self::AddressTaken,
        }
    }
}

impl From<OidcError> for Trouble {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Unavailable(_) => Self::Unavailable,
            OidcError::Refused(_) => Self::Invalid,
        }
    }
}

fn see(location: &str, mut headers: HeaderMap) -> Response {
    // An address that no header can carry leads nowhere.
    let location = HeaderValue::try_from(location);
    headers.insert(LOCATION, location.unwrap_or(HeaderValue::from_static(CONSOLE)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn back_to(page: &str, app: &App, trouble: Trouble) -> Response {
    let mut headers = HeaderMap::new();
    append(&mut headers, pending(app, "", 0));
    see(&format!("{page}?trouble={}", trouble.code()), headers)
}

/// Strict would not come along on the way back, which begins on the provider's page.
pub(super) fn pending(app: &App, value: &str, max_age_s: u64) -> String {
    let (name, path, secure) = (cookies::name(app, COOKIE), cookies::path(app, PATH), secure(app));
    format!("{name}={value}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}")
}

/// All of it follows from the cookie, with a key that only we have; so nothing is kept here, any node
/// can take the way back, and a cookie of somebody's own making fits no `state`.
pub(super) fn attempt(
    app: &App,
    cookie: &str,
    headers: &HeaderMap,
) -> Result<AuthorizationAttempt, Problem> {
    let live = app.live.load();
    let derived = |what: &str| live.keys.keyed_hash(&[what, cookie]);
    Ok(AuthorizationAttempt {
        state: derived("oidc-state"),
        nonce: derived("oidc-nonce"),
        verifier: derived("oidc-verifier"),
        redirect: format!("{}{CALLBACK}", origin(&app.settings, headers)?),
        max_age: None,
    })
}

/// How a sign-in is started.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OidcStartQuery {
    /// `hardened`: the refresh token will be in a cookie that no script reads.
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
/// Redirects a browser to the provider. A failure redirects to the sign-in page with `?trouble=`. 404: no
/// provider is configured.
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
            Ok(see(&address, headers))
        }
        Err(error) => {
            tracing::error!(error = %error, "the OpenID Connect provider is unavailable: sign-in with it fails");
            Ok(back_to(SIGN_IN, &app, Trouble::Unavailable))
        }
    }
}

/// Complete a sign-in with the OpenID Connect provider.
///
/// The provider redirects the browser here. It leads on to the console, or back to the sign-in page with
/// `?trouble=` and `oidc_unavailable`, `oidc_expired`, `oidc_denied`, `oidc_invalid`, `oidc_unknown`,
/// `oidc_not_allowed` or `oidc_address_taken` (an account without a role of the console has the person's e-mail
/// address: an admin gives that account the role, or takes the address from it). A new proof of who the person is leads to
/// `/console/reauthenticated`, with the same codes, `oidc_other_person` or `oidc_not_fresh`. It can be used once.
#[utoipa::path(
    get, path = "/api/session/v1/console/oidc/callback", tag = "session",
    params(OidcCallbackQuery),
    responses((status = 303), (status = "4XX", body = ProblemBody))
)]
pub async fn callback(
    State(app): State<Arc<App>>,
    Query(said): Query<OidcCallbackQuery>,
    parts: Parts,
) -> Result<Response, Problem> {
    let oidc = provider(&app)?;
    app.limits.sign_in(client_address(&parts, &app))?;
    let pending = cookie(&parts.headers, &cookies::name(&app, COOKIE));
    let reauthenticates = pending.and_then(sid_of).is_some();
    let (done, failed) =
        if reauthenticates { (REAUTHENTICATED, REAUTHENTICATED) } else { (CONSOLE, SIGN_IN) };
    match enter(&app, oidc, &parts, said).await? {
        Ok(headers) => Ok(see(done, headers)),
        Err(trouble) => {
            metrics::counter!("musette_sign_ins_total", "method" => "oidc", "outcome" => "refused")
                .increment(1);
            app.attempts.count("console_sign_in_refused", None, trouble.code(), app.now());
            app.limits.guess(client_address(&parts, &app))?;
            Ok(back_to(failed, &app, trouble))
        }
    }
}

/// The provider's answer in the query of the callback.
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
    /// Why the provider refuses.
    error: Option<String>,
}

impl FromQuery for OidcCallbackQuery {
    fn from_query(parameters: &Parameters) -> Result<Self, Problem> {
        // The last of a name counts: one that was added to the address is not overlooked.
        let owned = |name| parameters.all(name).last().map(str::to_owned);
        Ok(Self {
            code: owned("code"),
            state: owned("state"),
            issuer: owned("iss"),
            error: owned("error"),
        })
    }
}

/// The session for which the way there was begun; none: it was begun for a new one.
fn sid_of(cookie: &str) -> Option<&str> {
    cookie.split('.').nth(3)
}

/// The cookies of the new session; or none, and the session that there is counts as authenticated anew.
async fn enter(
    app: &App,
    oidc: &Oidc,
    parts: &Parts,
    said: OidcCallbackQuery,
) -> Result<Result<HeaderMap, Trouble>, Problem> {
    let Some(cookie) = cookie(&parts.headers, &cookies::name(app, COOKIE)) else {
        return Ok(Err(Trouble::Expired));
    };
    let attempt = attempt(app, cookie, &parts.headers)?;
    let state = said.state.unwrap_or_default();
    let is_ours = bool::from(state.as_bytes().ct_eq(attempt.state.as_bytes()));
    let mut kept = cookie.split('.').skip(1);
    let until: i64 = kept.next().and_then(|until| until.parse().ok()).unwrap_or(0);
    let hardened = kept.next() == Some("hardened");
    if !is_ours || until <= app.now().seconds() {
        return Ok(Err(Trouble::Expired));
    }
    if said.error.is_some() {
        return Ok(Err(Trouble::Denied));
    }
    // RFC 9207: another provider's answer does not become this one's.
    if said.issuer.is_some_and(|issuer| issuer != oidc.settings.issuer) {
        return Ok(Err(Trouble::Invalid));
    }
    let Some(code) = said.code else { return Ok(Err(Trouble::Invalid)) };
    // Whatever the provider makes of a code that it sees again: to us this way back is over, on every
    // node, as soon as the code is on its way.
    let forget_at = Instant::from_millis(until.saturating_mul(1000)).plus(CLOCKS_APART);
    if !app.store.take_oidc_return(&random::sha256_hex(state.as_bytes()), forget_at).await? {
        return Ok(Err(Trouble::Expired));
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
        Err(why) => return Ok(Err(why.into())),
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
