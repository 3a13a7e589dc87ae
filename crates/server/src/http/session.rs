//! `/api/session/v1`: sign-in, refresh, sign-out, devices. Each group of operations has a file.
//! This file has what they share.

pub mod authenticator;
pub mod browser;
pub mod codes;
pub mod console;
pub mod cookies;
mod cross_site;
pub mod devices;
pub mod lifecycle;
pub mod links;
pub mod logout;
pub mod oidc;
pub mod oidc_reauthentication;
pub mod password;
pub mod reauthentication;
pub mod refresh;

use axum::http::header::{self, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::Response;
use musette_core::session::{RoleGrant, SignInMethod, device_name};
use musette_store::{SessionsToEnd, User};

use super::access::audit::audit;
use super::wire::problem::{Problem, ProblemError};
use crate::node::app::App;
use crate::sessions::{self, GrantedTokens, NewSignIn};

pub use cookies::granted;

const INSTANCE: HeaderName = HeaderName::from_static("x-musette-instance");

fn unauthorized(code: &'static str, detail: &str) -> Problem {
    let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
    Problem::new(StatusCode::UNAUTHORIZED, code, detail)
        .with_header(header::WWW_AUTHENTICATE, challenge)
}

fn bad_shape(errors: Vec<ProblemError>) -> Problem {
    Problem::invalid("invalid_request", "The body does not have the right shape.", errors)
}

fn invalid_field(name: &str, detail: &str) -> ProblemError {
    ProblemError {
        pointer: format!("/{name}"),
        code: "invalid_request".into(),
        detail: detail.into(),
        replaced_by: None,
        page: None,
    }
}

fn header_text<'p>(parts: &'p Parts, name: &HeaderName) -> Option<&'p str> {
    parts.headers.get(name).and_then(|value| value.to_str().ok()).filter(|text| !text.is_empty())
}

/// Returns what distinguishes one browser profile from another: the client's random value, or else
/// the `User-Agent`.
fn instance(parts: &Parts) -> Option<&str> {
    header_text(parts, &INSTANCE).or_else(|| header_text(parts, &header::USER_AGENT))
}

/// Returns a readable name of the device from its user agent. Empty without one.
pub fn device(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    agent.map(device_name).unwrap_or_default()
}

/// Returns whether people with these roles have access to the console.
pub fn opens_console(roles: &[RoleGrant]) -> bool {
    roles.iter().any(|grant| grant.role.opens_console())
}

fn is_console(user: &User) -> bool {
    opens_console(&user.roles)
}

/// Opens a session for an authenticated person and returns its tokens.
async fn sign_in(
    app: &App,
    parts: &Parts,
    user: &User,
    method: SignInMethod,
) -> Result<Response, Problem> {
    let opened = opened(app, parts, user, method).await?;
    Ok(granted(app, &parts.headers, opened, cookies::wants_hardened(&parts.headers)))
}

async fn opened(
    app: &App,
    parts: &Parts,
    user: &User,
    method: SignInMethod,
) -> Result<GrantedTokens, Problem> {
    let device = device(&parts.headers);
    app.end_surplus_sessions(user).await?;
    let live = app.live.load_full();
    let new = NewSignIn { user, device: &device, method, access_ttl: None };
    let opened =
        sessions::open(&app.store, &live.keys, new, app.settings.issuer(), app.now()).await?;
    // A role change ends existing sessions. This one did not exist yet, so it ends here.
    let roles = app.store.user(&user.id).await?.map(|user| user.roles);
    if roles.as_ref() != Some(&user.roles) {
        app.end_sessions_of_event(SessionsToEnd::One { sid: &opened.sid }, "roles_changed").await?;
        return Err(unauthorized("session_ended", "Your roles were changed. Sign in again."));
    }
    metrics::counter!("musette_sign_ins_total", "method" => metric_label(method), "outcome" => "ok")
        .increment(1);
    let (subject, sid) = (Some(user.subject.clone()), Some(opened.sid.clone()));
    audit(app, "signed_in", subject, sid, Some(method.as_str())).await;
    Ok(opened)
}

/// Returns the label of a sign-in method. A failed password is counted before it is known whether a
/// second factor is needed, so both methods share a label.
const fn metric_label(method: SignInMethod) -> &'static str {
    match method {
        SignInMethod::PasswordOtp => SignInMethod::Password.as_str(),
        method => method.as_str(),
    }
}

fn count_failed_sign_in(method: &'static str) {
    metrics::counter!("musette_sign_ins_total", "method" => method, "outcome" => "refused")
        .increment(1);
}

/// Counts a wrong guess and returns the error. After too many wrong guesses from one network, the
/// error is `rate_limited` for every guess.
fn count_wrong_guess(app: &App, parts: &Parts, method: &'static str, problem: Problem) -> Problem {
    count_failed_sign_in(method);
    let address = super::access::caller::client_address(parts, app);
    app.limits.guess(address).err().map_or(problem, Problem::from)
}
