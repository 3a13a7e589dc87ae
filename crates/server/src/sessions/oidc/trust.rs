//! Determines which URLs of a provider's metadata are used: those whose connection cannot be
//! intercepted.

use axum::http::Uri;
use openidconnect::core::CoreProviderMetadata;

use super::OidcError;

/// The schemes that are accepted for URLs of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedSchemes {
    /// Only https.
    Https,
    /// Also http on this machine, if the issuer itself uses it.
    Loopback,
}

fn is_loopback(uri: &Uri) -> bool {
    matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

impl AllowedSchemes {
    pub fn of_issuer(issuer: &str) -> Self {
        let uri: Option<Uri> = issuer.parse().ok();
        match uri.is_some_and(|uri| uri.scheme_str() == Some("http") && is_loopback(&uri)) {
            true => Self::Loopback,
            false => Self::Https,
        }
    }

    /// Returns whether a request may be sent, or a browser redirected, to this URL.
    pub fn allows(self, address: &str) -> bool {
        let uri: Option<Uri> = address.parse().ok();
        uri.is_some_and(|uri| match uri.scheme_str() {
            Some("https") => uri.host().is_some_and(|host| !host.is_empty()),
            Some("http") => self == Self::Loopback && is_loopback(&uri),
            _ => false,
        })
    }

    /// Checks all endpoints that are used.
    ///
    /// # Errors
    /// Returns an error for the first URL that is not allowed.
    pub fn check(self, metadata: &CoreProviderMetadata) -> Result<(), OidcError> {
        let endpoints = [
            ("authorization_endpoint", Some(metadata.authorization_endpoint().as_str())),
            ("token_endpoint", metadata.token_endpoint().map(|url| url.as_str())),
            ("userinfo_endpoint", metadata.userinfo_endpoint().map(|url| url.as_str())),
            ("jwks_uri", Some(metadata.jwks_uri().as_str())),
        ];
        for (name, address) in endpoints {
            if address.is_some_and(|address| !self.allows(address)) {
                let text = format!("its {name} does not begin with https://");
                return Err(OidcError::Unavailable(text));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::AllowedSchemes;

    #[test]
    fn accepts_https_and_the_machine_of_the_issuer() {
        let https = AllowedSchemes::of_issuer("https://id.larkspur.example");
        let loopback = AllowedSchemes::of_issuer("http://127.0.0.1:9/");
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
