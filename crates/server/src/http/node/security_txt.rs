//! `GET /.well-known/security.txt` (RFC 9116): the contact for vulnerability reports.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use musette_core::instant::Instant;

use crate::http::wire::problem::{Problem, ProblemBody};
use crate::node::app::App;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// RFC 9116 recommends less than a year. The date is computed per request from the contact setting,
/// so it does not expire while the server runs.
const EXPIRES_AFTER_DAYS: u32 = 180;

fn body(contact: &str, public_url: Option<&str>, now: Instant) -> String {
    // The text changes only once a day, so that caches can keep it.
    let today = now.millis() - now.millis().rem_euclid(24 * 60 * 60 * 1000);
    let expires = Instant::from_millis(today).plus(DAY * EXPIRES_AFTER_DAYS);
    let canonical = public_url
        .map(|url| format!("Canonical: {url}/.well-known/security.txt\n"))
        .unwrap_or_default();
    format!("Contact: {contact}\nExpires: {expires}\n{canonical}")
}

/// Read the contact for vulnerability reports.
///
/// A `security.txt` file (RFC 9116), from the setting `--security-contact`.
///
/// - 404 `not_found`: the setting is missing.
#[utoipa::path(
    get, path = "/.well-known/security.txt", tag = "operations",
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = "4XX", body = ProblemBody)
    )
)]
pub async fn security_txt(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let contact = app.settings.security_contact.as_deref().ok_or_else(Problem::not_found)?;
    let text = body(contact, app.settings.public_url.as_deref(), app.now());
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    Ok((headers, text).into_response())
}

#[cfg(test)]
mod tests {
    use musette_core::instant::Instant;

    use super::body;

    #[test]
    fn expires_within_a_year_and_has_its_canonical_url() {
        let now = Instant::parse_strict("2026-11-26T22:24:00Z").expect("an instant");
        let text =
            body("mailto:security@larkspur.example", Some("https://terms.larkspur.example"), now);
        assert_eq!(
            text,
            "Contact: mailto:security@larkspur.example\nExpires: 2027-05-25T00:00:00.000Z\n\
             Canonical: https://terms.larkspur.example/.well-known/security.txt\n"
        );
    }
}
