//! Which addresses of a provider's metadata are used: those that nobody on the way can change.

use axum::http::Uri;
use openidconnect::core::CoreProviderMetadata;

use super::OidcError;

/// How addresses of the provider must be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// By https.
    Https,
    /// By https, or by http on this machine, where the issuer itself is.
    Loopback,
}

fn is_loopback(uri: &Uri) -> bool {
    matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

impl Trust {
    pub fn of_issuer(issuer: &str) -> Self {
        let uri: Option<Uri> = issuer.parse().ok();
        match uri.is_some_and(|uri| uri.scheme_str() == Some("http") && is_loopback(&uri)) {
            true => Self::Loopback,
            false => Self::Https,
        }
    }

    /// Whether a request may be sent to this address, or a browser be led there.
    pub fn allows(self, address: &str) -> bool {
        let uri: Option<Uri> = address.parse().ok();
        uri.is_some_and(|uri| match uri.scheme_str() {
            Some("https") => uri.host().is_some_and(|host| !host.is_empty()),
            Some("http") => self == Self::Loopback && is_loopback(&uri),
            _ => false,
        })
    }

    /// Checks every endpoint that is used.
    ///
    /// # Errors
    /// The first that is not allowed.
    pub fn check(self, metadata: &CoreProviderMetadata) -> Result<(), OidcError> {
        let endpoints = [
            ("authorization_endpoint", Some(metadata.authorization_endpoint().as_str())),
            ("token_endpoint", metadata.token_endpoint().map(|it| it.as_str())),
            ("userinfo_endpoint", metadata.userinfo_endpoint().map(|it| it.as_str())),
            ("jwks_uri", Some(metadata.jwks_uri().as_str())),
        ];
        for (name, address) in endpoints {
            if address.is_some_and(|address| !self.allows(address)) {
                return Err(OidcError::Unavailable(format!("its {name} is not an https address")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Trust;

    #[test]
    fn an_endpoint_is_https_or_on_the_machine_of_the_issuer() {
        let https = Trust::of_issuer("https://id.larkspur.example");
        let loopback = Trust::of_issuer("http://127.0.0.1:9/");
        for (address, by_https, by_loopback) in [
            ("https://login.larkspur.example/token", true, true),
            ("http://127.0.0.1:9/token", false, true),
            ("http://localhost/token", false, true),
            ("http://id.larkspur.example/token", false, false),
            ("http://127.0.0.1.larkspur.example/token", false, false),
            ("ftp://id.larkspur.example/token", false, false),
            ("javascript:alert(1)", false, false),
            ("file:///etc/passwd", false, false),
            ("/token", false, false),
        ] {
            assert_eq!(https.allows(address), by_https, "{address}");
            assert_eq!(loopback.allows(address), by_loopback, "{address}");
        }
    }
}
