//! The origin of this server as the client sees it: links in answers begin with it.

use axum::http::{HeaderMap, StatusCode, header};

use super::problem::Problem;
use crate::settings::HttpSettings;

/// `--public-url`, else the request's `Host` if it is one of ours; believing any other would let
/// whoever sends it write links into our answers.
pub fn origin(settings: &HttpSettings, headers: &HeaderMap) -> Result<String, Problem> {
    if let Some(url) = &settings.public_url {
        return Ok(url.clone());
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
    match host {
        Some(host) if hosts.next().is_none() && is_ours(settings, &host) => {
            Ok(format!("http://{host}"))
        }
        _ => Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "misdirected_request",
            "This server does not go by that name; --public-url or --allowed-hosts sets its names.",
        )),
    }
}

fn is_ours(settings: &HttpSettings, host: &str) -> bool {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => host,
    };
    settings.hosts.iter().any(|ours| ours == host || ours == bare)
}
