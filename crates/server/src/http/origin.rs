//! The origin of this server as the client sees it: links in answers begin with it.

use std::sync::Once;

use axum::http::{HeaderMap, StatusCode, header};

use super::problem::Problem;
use crate::settings::HttpSettings;

/// Maximum length of a host name.
const HOST_SHOWN_MAX: usize = 253;

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
        host => {
            tell_once(host.as_deref());
            Err(Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "misdirected_request",
                "This server does not go by the name that the request has in `Host`. Start it with --public-url and the origin that people see, or name the host in --allowed-hosts.",
            ))
        }
    }
}

/// Whoever sets up a proxy looks into the log. Once, since anybody can ask by any name.
fn tell_once(host: Option<&str>) {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        let host: String = host.unwrap_or("none").chars().take(HOST_SHOWN_MAX).collect();
        tracing::warn!(
            host = ?host,
            "a request was rejected with 421 because its Host is not a name of this server: set --public-url or --allowed-hosts; later ones are not logged"
        );
    });
}

fn is_ours(settings: &HttpSettings, host: &str) -> bool {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => host,
    };
    settings.hosts.iter().any(|ours| ours == host || ours == bare)
}
