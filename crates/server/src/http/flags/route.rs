//! The routes of the flag service.

use std::borrow::Cow;

use axum::http::{HeaderValue, Method, header};
use musette_core::flags::ApiVersion;

use super::api_version;
use crate::http::wire::problem::Problem;

const FLAGS: &str = "/api/flags/";
const OFREP: &str = "/ofrep/v1/";

/// Returns whether the flag service handles this path.
pub fn is_ours(path: &str) -> bool {
    path.starts_with(FLAGS) || path.starts_with(OFREP)
}

#[derive(Debug, PartialEq, Eq)]
pub enum Route<'a> {
    Feature(ApiVersion, Cow<'a, str>),
    Features(ApiVersion),
    Keys(ApiVersion),
    Events,
    Metrics,
    StreamTickets,
    Stream,
    OfrepFlag(Cow<'a, str>),
    OfrepFlags,
    OfrepStream,
}

impl<'a> Route<'a> {
    pub fn of(path: &'a str) -> Option<Self> {
        if let Some(rest) = path.strip_prefix(OFREP) {
            return match rest {
                "evaluate/flags" => Some(Self::OfrepFlags),
                "stream" => Some(Self::OfrepStream),
                _ => Some(Self::OfrepFlag(flag_key(rest.strip_prefix("evaluate/flags/")?)?)),
            };
        }
        let (version, rest) = path.strip_prefix(FLAGS)?.split_once('/')?;
        let version = api_version(version)?;
        match rest {
            "features" => Some(Self::Features(version)),
            "features-list/keys" => Some(Self::Keys(version)),
            _ => match (version, rest) {
                (ApiVersion::V3, "events") => Some(Self::Events),
                (ApiVersion::V3, "metrics") => Some(Self::Metrics),
                (ApiVersion::V3, "stream-tickets") => Some(Self::StreamTickets),
                (ApiVersion::V3, "stream") => Some(Self::Stream),
                _ => Some(Self::Feature(version, flag_key(rest.strip_prefix("features/")?)?)),
            },
        }
    }

    /// Returns the label for metrics. It has no flag key, because a client can invent any number of
    /// keys.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Feature(ApiVersion::V1, _) => "/api/flags/v1/features/{flagKey}",
            Self::Feature(ApiVersion::V2, _) => "/api/flags/v2/features/{flagKey}",
            Self::Feature(ApiVersion::V3, _) => "/api/flags/v3/features/{flagKey}",
            Self::Features(ApiVersion::V1) => "/api/flags/v1/features",
            Self::Features(ApiVersion::V2) => "/api/flags/v2/features",
            Self::Features(ApiVersion::V3) => "/api/flags/v3/features",
            Self::Keys(_) => "/api/flags/{version}/features-list/keys",
            Self::Events => "/api/flags/v3/events",
            Self::Metrics => "/api/flags/v3/metrics",
            Self::StreamTickets => "/api/flags/v3/stream-tickets",
            Self::Stream => "/api/flags/v3/stream",
            Self::OfrepFlag(_) => "/ofrep/v1/evaluate/flags/{key}",
            Self::OfrepFlags => "/ofrep/v1/evaluate/flags",
            Self::OfrepStream => "/ofrep/v1/stream",
        }
    }

    fn allowed_methods(&self) -> &'static str {
        match self {
            Self::Feature(..) | Self::Features(_) => "PUT",
            Self::Keys(_) => "GET, HEAD",
            Self::Stream | Self::OfrepStream => "GET",
            Self::Events | Self::Metrics | Self::StreamTickets => "POST",
            Self::OfrepFlag(_) | Self::OfrepFlags => "POST",
        }
    }

    /// Returns an error if this path does not support the method.
    pub fn method_error<T>(&self, method: &Method) -> Option<Result<T, Problem>> {
        let allowed = self.allowed_methods();
        let is_allowed = method == allowed
            || method == Method::OPTIONS
            || allowed.split(", ").any(|name| method == name);
        (!is_allowed).then(|| {
            let allow = HeaderValue::from_static(allowed);
            Err(Problem::method_not_allowed().with_header(header::ALLOW, allow))
        })
    }
}

/// Decodes one segment of a path. None if it is empty, has several segments, or is not UTF-8.
fn flag_key(part: &str) -> Option<Cow<'_, str>> {
    if part.is_empty() || part.contains('/') {
        return None;
    }
    if !part.contains('%') {
        return Some(Cow::Borrowed(part));
    }
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = after.split_first_chunk::<2>()?;
        let nibble = |digit: u8| char::from(digit).to_digit(16);
        let byte = nibble(digits[0])? << 4 | nibble(digits[1])?;
        bytes.push(u8::try_from(byte).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use musette_core::flags::ApiVersion::{V1, V2, V3};

    use super::Route;

    #[test]
    fn routes_paths_and_rejects_unknown_ones() {
        for (path, route) in [
            ("/api/flags/v1/features/a", Some(Route::Feature(V1, "a".into()))),
            ("/api/flags/v2/features/a%2Fb%20%C3%A9", Some(Route::Feature(V2, "a/b é".into()))),
            ("/api/flags/v3/features", Some(Route::Features(V3))),
            ("/api/flags/v2/features-list/keys", Some(Route::Keys(V2))),
            ("/api/flags/v3/events", Some(Route::Events)),
            ("/api/flags/v3/stream", Some(Route::Stream)),
            ("/ofrep/v1/evaluate/flags", Some(Route::OfrepFlags)),
            ("/ofrep/v1/evaluate/flags/a", Some(Route::OfrepFlag("a".into()))),
            ("/api/flags/v2/events", None),
            ("/api/flags/v4/features", None),
            ("/api/flags/V1/features", None),
            ("/api/flags/v1", None),
            ("/api/flags/v1/features/", None),
            ("/api/flags/v1/features/a/b", None),
            ("/api/flags/v1/features/%ff", None),
            ("/api/flags/v1/features/%+f", None),
            ("/ofrep/v1/configuration", None),
            ("/ofrep/v1/evaluate/flags/", None),
        ] {
            assert_eq!(Route::of(path), route, "{path}");
        }
    }
}
