//! The cookies of a session. Compatible: both readable, as the specification's client has them. Hardened:
//! the refresh token where no script can read it.
//!
//! Another host of the same domain, and anyone on the way of an `http` request, can set a cookie of any name but one that
//! begins with `__Host-`. So over https the server reads cookies under such names only. It still writes `dhh_token` and
//! `refresh_token`, which the specification's client reads.
//!
//! The crate `cookie` would replace twelve lines here, and brings `time` for its Max-Age.

use std::borrow::Cow;

use axum::Json;
use axum::http::header::{CACHE_CONTROL, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::sessions::Granted;

const ACCESS: &str = "dhh_token";
const REFRESH: &str = "refresh_token";
/// The cookie of the hardened profile: a browser takes this name only from this very host and by https (or on its
/// own machine), so that no other host of the domain can put one in its place.
const HARDENED: &str = "__Host-refresh_token";
const PROFILE: HeaderName = HeaderName::from_static("x-musette-cookies");

pub fn wants_hardened(headers: &HeaderMap) -> bool {
    headers.get(PROFILE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"hardened"))
}

/// The name under which the server writes and reads a cookie that scripts do not need.
pub fn name(app: &App, name: &'static str) -> Cow<'static, str> {
    if app.settings.is_https() { format!("__Host-{name}").into() } else { name.into() }
}

/// A `__Host-` cookie is for the whole host; others are sent only where they are read.
pub fn path(app: &App, path: &'static str) -> &'static str {
    if app.settings.is_https() { "/" } else { path }
}

/// The access token that the browser sent by itself.
pub fn access_cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    cookie(headers, &name(app, ACCESS))
}

/// The refresh token that the browser sent by itself. The name without the prefix is that of the
/// compatible profile, and was that of the hardened one up to 0.1: it is still read where there is no https.
pub fn refresh_cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    let compatible = || if app.settings.is_https() { None } else { cookie(headers, REFRESH) };
    cookie(headers, HARDENED).or_else(compatible)
}

pub fn cookie<'h>(headers: &'h HeaderMap, wanted: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';'));
    let mut found = pairs.filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == wanted && !value.is_empty()).then_some(value)
    });
    found.next()
}

pub fn append(headers: &mut HeaderMap, cookie: String) {
    // Tokens are made of characters that a cookie may have.
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(SET_COOKIE, cookie);
    }
}

pub fn secure(app: &App) -> &'static str {
    if app.settings.is_https() { "; Secure" } else { "" }
}

fn readable(app: &App, name: &str, value: &str, max_age_s: i64) -> String {
    let secure = secure(app);
    format!("{name}={value}; Path=/; Max-Age={max_age_s}; SameSite=Lax{secure}")
}

/// 200 with the tokens. The access token's cookie outlives it, so that an expired token can be seen
/// to be expired; the server sets both, since WebKit forgets what a script wrote after 7 days.
pub fn granted(app: &App, asked: &HeaderMap, granted: Granted, hardened: bool) -> Response {
    let headers = token_cookies(app, asked, &granted, hardened);
    let mut tokens = granted.tokens;
    if hardened {
        tokens.refresh_token = None;
    }
    (headers, [(CACHE_CONTROL, "no-store")], Json(tokens)).into_response()
}

/// Both cookies. A refresh token of the other profile goes: whoever signs in last is who is signed in.
pub fn token_cookies(app: &App, asked: &HeaderMap, granted: &Granted, hardened: bool) -> HeaderMap {
    let Granted { tokens, until, .. } = granted;
    let max_age_s = until.seconds().saturating_sub(app.now().seconds()).max(0);
    let mut headers = HeaderMap::new();
    append(&mut headers, readable(app, ACCESS, &tokens.dhh_token, max_age_s));
    append_access(&mut headers, app, &tokens.dhh_token, max_age_s);
    let refresh = tokens.refresh_token.as_deref().unwrap_or_default();
    if hardened {
        append(&mut headers, unreadable(HARDENED, refresh, max_age_s));
        if cookie(asked, REFRESH).is_some() {
            append(&mut headers, readable(app, REFRESH, "", 0));
        }
    } else {
        append(&mut headers, readable(app, REFRESH, refresh, max_age_s));
        clear_hardened(&mut headers, asked);
    }
    headers
}

/// The access token as the server reads it over https, for pages and documents that a browser loads by itself.
fn append_access(headers: &mut HeaderMap, app: &App, value: &str, max_age_s: i64) {
    if app.settings.is_https() {
        let name = name(app, ACCESS);
        append(
            headers,
            format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax; Secure"),
        );
    }
}

fn unreadable(name: &str, value: &str, max_age_s: i64) -> String {
    format!("{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; Secure; SameSite=Strict")
}

fn clear_hardened(headers: &mut HeaderMap, asked: &HeaderMap) {
    if cookie(asked, HARDENED).is_some() {
        append(headers, unreadable(HARDENED, "", 0));
    }
}

/// Takes all cookies away that the request has or may have.
pub fn cleared(app: &App, asked: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    append(&mut headers, readable(app, ACCESS, "", 0));
    append_access(&mut headers, app, "", 0);
    append(&mut headers, readable(app, REFRESH, "", 0));
    clear_hardened(&mut headers, asked);
    headers.append(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}
