//! `/unsubscribe/{token}`: ends e-mails about optional terms (RFC 8058). Programs that open links in
//! advance use `GET`, which changes nothing.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use crate::http::wire::language::accept_language;
use crate::http::wire::problem::Problem;
use crate::node::app::App;
use crate::sessions::delivery::texts_for;

/// The page has one style and one form, which posts to its own address.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);
const STYLES: &str = ":root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:36em;padding:0 1rem}button{font:inherit;padding:.75rem 1.25rem}";

/// Returns the id of the message with this token.
async fn message(app: &App, token: &str) -> Result<String, Problem> {
    let key = app.campaigns.unsubscribe_key(&app.store).await?;
    key.message(token).ok_or_else(Problem::not_found)
}

fn html(headers: &HeaderMap, is_done: bool) -> Response {
    let texts = texts_for(&accept_language(headers));
    let direction = if matches!(texts.tag, "ar" | "ur") { "rtl" } else { "ltr" };
    let content = match is_done {
        true => format!("<p role=\"status\">{}</p>", texts.unsubscribed),
        false => format!(
            "<p>{}</p><form method=\"post\"><button>{}</button></form>",
            texts.unsubscribe_text, texts.unsubscribe_action
        ),
    };
    let page = format!(
        "<!doctype html><html lang=\"{}\" dir=\"{direction}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>{STYLES}</style></head><body><h1>{title}</h1>{content}</body></html>",
        texts.tag,
        title = texts.unsubscribe_title,
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, page).into_response()
}

/// Returns the page with a button. Changes nothing.
pub async fn page(
    State(app): State<Arc<App>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    message(&app, &token).await?;
    Ok(html(&headers, false))
}

/// Ends e-mails about optional terms to the recipient of the message. A retry changes nothing.
pub async fn unsubscribe(
    State(app): State<Arc<App>>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let message = message(&app, &token).await?;
    app.store.opt_out_of_notices(&message, app.now()).await?;
    Ok(html(&headers, true))
}
