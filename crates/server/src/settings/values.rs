//! Parsers of the values of settings.

use std::net::IpAddr;

use ipnet::IpNet;
use musette_core::session::Role;

use super::PublicLimits;

pub(super) fn database(text: &str) -> Result<String, String> {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        Ok(text.to_owned())
    } else {
        Err("it must begin with postgres:// or postgresql://".into())
    }
}

/// Checks an origin: scheme and host without a path, because links are formed by appending one.
pub(super) fn origin(text: &str) -> Result<String, String> {
    let text = text.strip_suffix('/').unwrap_or(text);
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => {
            Ok(text.to_ascii_lowercase())
        }
        _ => Err("it must be http:// or https:// with a host and without a path".into()),
    }
}

/// Checks that the key is a client key: pages of the rider app are public, and a server key would reveal all flags.
pub(super) fn flag_key(text: &str) -> Result<String, String> {
    let is_key = text.strip_prefix("musette_client_").is_some_and(|rest| {
        (1..=200).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    is_key.then(|| text.to_owned()).ok_or_else(|| "this is not a client key of musette".into())
}

/// Parses a console role without a market or environment; limited grants of it need the second
/// factor as well.
pub(super) fn console_role(text: &str) -> Result<Role, String> {
    let names = || Role::ALL.into_iter().filter(|role| role.opens_console()).map(Role::as_str);
    let unknown = || format!("must be one of {}", names().collect::<Vec<_>>().join(", "));
    Role::parse(text.trim()).filter(|role| role.opens_console()).ok_or_else(unknown)
}

pub(super) fn network(text: &str) -> Result<IpNet, String> {
    text.parse()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| "this is neither an IP address nor a network such as 10.0.0.0/8".into())
}

pub(super) fn public_limits(text: &str) -> Result<PublicLimits, String> {
    if text == "off" {
        return Ok(PublicLimits(None));
    }
    let parsed = text.split_once(',').and_then(|(submissions, reads)| {
        Some((submissions.trim().parse().ok()?, reads.trim().parse().ok()?))
    });
    match parsed {
        Some((submissions, reads)) if submissions > 0 && reads > 0 => {
            Ok(PublicLimits(Some((submissions, reads))))
        }
        _ => Err("it must be 'off' or two positive numbers, such as 60,600".into()),
    }
}
