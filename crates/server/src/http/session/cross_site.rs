//! A browser sends cookies by itself. So a write that only a cookie authorises must come from a
//! page of this server.

use axum::http::{HeaderMap, HeaderName, StatusCode, header};

use crate::http::layers::origin::origin;
use crate::http::wire::problem::Problem;
use crate::node::app::App;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns an error unless the request provably comes from this origin. Cookies and session stay
/// unchanged.
pub fn same_origin(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let is_same_origin = match (headers.get(&FETCH_SITE), headers.get(header::ORIGIN)) {
        (Some(site), _) => site == "same-origin",
        (None, Some(from)) => is_own_origin(app, headers, from.as_bytes()),
        (None, None) => false,
    };
    if is_same_origin {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "cross_site",
        "A request that only a cookie authorises must come from a page of this site.",
    ))
}

fn is_own_origin(app: &App, headers: &HeaderMap, from: &[u8]) -> bool {
    let own = origin(&app.settings, headers).unwrap_or_default();
    if own.as_bytes().eq_ignore_ascii_case(from) {
        return true;
    }
    // Behind a proxy that terminates TLS, without --public-url, the server knows only its host
    // name.
    let https = own.strip_prefix("http://").map(|host| format!("https://{host}"));
    app.settings.public_url.is_none()
        && https.is_some_and(|https| https.as_bytes().eq_ignore_ascii_case(from))
}
