//! The cookies of a session. In the compatible profile, scripts can read both cookies, as the
//! specification's client requires. In the hardened profile, no script can read the refresh token.
//!
//! Another host of the same domain, and an attacker on the network path of an `http` request, can
//! set any cookie except one whose name begins with `__Host-`. So over https the server reads
//! cookies with this prefix only. It still writes `dhh_token` and `refresh_token`, which the
//! specification's client reads.
//!
//! The crate `cookie` would replace twelve lines here, but needs the crate `time` for `Max-Age`.

use std::borrow::Cow;

use axum::Json;
use axum::http::header::{CACHE_CONTROL, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use crate::node::app::App;
use crate::sessions::GrantedTokens;

const ACCESS: &str = "dhh_token";
const REFRESH: &str = "refresh_token";
/// The cookie of the hardened profile. A browser accepts a `__Host-` name only from this host over
/// https (or on localhost), so no other host of the domain can replace it.
const HARDENED: &str = "__Host-refresh_token";
const PROFILE: HeaderName = HeaderName::from_static("x-musette-cookies");

pub fn wants_hardened(headers: &HeaderMap) -> bool {
    headers.get(PROFILE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"hardened"))
}

/// Returns the name under which the server writes and reads a cookie that scripts do not need.
pub fn name(app: &App, name: &'static str) -> Cow<'static, str> {
    if app.settings.is_https() { format!("__Host-{name}").into() } else { name.into() }
}

/// Returns the path of a cookie. A `__Host-` cookie must use `/`; other cookies are sent only to
/// the paths that read them.
pub fn path(app: &App, path: &'static str) -> &'static str {
    if app.settings.is_https() { "/" } else { path }
}

/// Returns the access token from the cookie.
pub fn access_cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    cookie(headers, &name(app, ACCESS))
}

/// Returns the refresh token from the cookie. The name without the prefix belongs to the compatible
/// profile, and up to version 0.1 to the hardened profile. Without https the server still reads it.
pub fn refresh_cookie<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h str> {
    let compatible = || if app.settings.is_https() { None } else { cookie(headers, REFRESH) };
    cookie(headers, HARDENED).or_else(compatible)
}

pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';'));
    let mut values = pairs.filter_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name && !value.is_empty()).then_some(value)
    });
    values.next()
}

pub fn append(headers: &mut HeaderMap, cookie: String) {
    // Tokens consist of characters that a cookie may contain.
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

/// Returns a 200 with the tokens. The access token's cookie outlives the token, so that the server
/// can see that it has expired. The server sets both cookies, because WebKit deletes cookies that a
/// script wrote after 7 days.
pub fn granted(app: &App, request: &HeaderMap, granted: GrantedTokens, hardened: bool) -> Response {
    let headers = token_cookies(app, request, &granted, hardened);
    let mut tokens = granted.tokens;
    if hardened {
        tokens.refresh_token = None;
    }
    (headers, [(CACHE_CONTROL, "no-store")], Json(tokens)).into_response()
}

/// Returns both cookies, and deletes a refresh token of the other profile: the last sign-in wins.
pub fn token_cookies(
    app: &App,
    request: &HeaderMap,
    granted: &GrantedTokens,
    hardened: bool,
) -> HeaderMap {
    let GrantedTokens { tokens, until, .. } = granted;
    let max_age_s = until.seconds().saturating_sub(app.now().seconds()).max(0);
    let mut headers = HeaderMap::new();
    append(&mut headers, readable(app, ACCESS, &tokens.dhh_token, max_age_s));
    append_access(&mut headers, app, &tokens.dhh_token, max_age_s);
    let refresh = tokens.refresh_token.as_deref().unwrap_or_default();
    if hardened {
        append(&mut headers, unreadable(HARDENED, refresh, max_age_s));
        if cookie(request, REFRESH).is_some() {
            append(&mut headers, readable(app, REFRESH, "", 0));
        }
    } else {
        append(&mut headers, readable(app, REFRESH, refresh, max_age_s));
        clear_hardened(&mut headers, request);
    }
    headers
}

/// Appends the access token under the name that the server reads over https, for pages and
/// documents that a browser loads itself.
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

fn clear_hardened(headers: &mut HeaderMap, request: &HeaderMap) {
    if cookie(request, HARDENED).is_some() {
        append(headers, unreadable(HARDENED, "", 0));
    }
}

/// Deletes all cookies that the request has or may have.
pub fn cleared(app: &App, request: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    append(&mut headers, readable(app, ACCESS, "", 0));
    append_access(&mut headers, app, "", 0);
    append(&mut headers, readable(app, REFRESH, "", 0));
    clear_hardened(&mut headers, request);
    headers.append(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}
