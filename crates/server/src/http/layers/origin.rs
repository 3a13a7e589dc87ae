//! The origin of this server as the client sees it. Links in responses begin with it.

use std::sync::Once;

use axum::http::{HeaderMap, StatusCode, header};

use crate::http::wire::problem::Problem;
use crate::settings::HttpSettings;

/// The maximum number of characters of a host name in the log.
const HOST_SHOWN_MAX: usize = 253;

/// Returns `--public-url`, or else the request's `Host` if it is an allowed host. Any other `Host`
/// would let an attacker inject links into responses.
pub fn origin(settings: &HttpSettings, headers: &HeaderMap) -> Result<String, Problem> {
    if let Some(url) = &settings.public_url {
        return Ok(url.clone());
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()).map(str::to_ascii_lowercase);
    match host {
        Some(host) if hosts.next().is_none() && is_allowed(settings, &host) => {
            Ok(format!("http://{host}"))
        }
        host => {
            log_once(host.as_deref());
            Err(Problem::new(
                StatusCode::MISDIRECTED_REQUEST,
                "misdirected_request",
                "The name in the Host header is unknown to this server. Start it with --public-url and its public origin, or add the host to --allowed-hosts.",
            ))
        }
    }
}

/// Logs the first unknown host, for admins who set up a proxy. Only once, because any client can
/// send any host.
fn log_once(host: Option<&str>) {
    static LOGGED: Once = Once::new();
    LOGGED.call_once(|| {
        let host: String = host.unwrap_or("none").chars().take(HOST_SHOWN_MAX).collect();
        tracing::warn!(
            host = ?host,
            "a request was rejected with 421 because its Host is not a name of this server: set --public-url or --allowed-hosts; later ones are not logged"
        );
    });
}

fn is_allowed(settings: &HttpSettings, host: &str) -> bool {
    let bare = match host.rsplit_once(':') {
        Some((bare, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => host,
    };
    settings.hosts.iter().any(|allowed| allowed == host || allowed == bare)
}
