use axum::http::Uri;
use clap::Args;
use clap::builder::BoolishValueParser;

/// The sign-in of console users with the company's own provider.
#[derive(Debug, Clone, Default, Args)]
pub struct OidcArgs {
    /// Issuer of the company's OpenID Connect provider, such as `https://id.larkspur.example`
    #[arg(long, env = "MUSETTE_OIDC_ISSUER", value_name = "URL", value_parser = issuer)]
    pub oidc_issuer: Option<String>,
    /// Client ID of this server at the provider
    #[arg(long, env = "MUSETTE_OIDC_CLIENT_ID", value_name = "ID")]
    pub oidc_client_id: Option<String>,
    /// Client secret; set it in the environment, because a process list shows arguments
    #[arg(long, env = "MUSETTE_OIDC_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub oidc_client_secret: Option<String>,
    /// Name of the provider on the sign-in button
    #[arg(long, env = "MUSETTE_OIDC_NAME", value_name = "NAME")]
    pub oidc_name: Option<String>,
    /// Claim that contains the console roles; without it, only users who already have a console
    /// role can sign in
    #[arg(long, env = "MUSETTE_OIDC_ROLE_CLAIM", value_name = "NAME")]
    pub oidc_role_claim: Option<String>,
    /// Do not accept passwords for the console, only sign-in with the provider
    #[arg(long, env = "MUSETTE_OIDC_ONLY", value_parser = BoolishValueParser::new())]
    pub oidc_only: bool,
}

/// The complete settings of a provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Option<String>,
    pub name: String,
    pub role_claim: Option<String>,
    /// Whether passwords are not accepted.
    pub only: bool,
}

impl OidcArgs {
    /// Returns the settings, or an error if one is missing. None if no provider is set.
    pub fn settings(&self) -> Result<Option<OidcSettings>, String> {
        let Some(issuer) = &self.oidc_issuer else {
            let alone = [
                ("--oidc-client-id", self.oidc_client_id.is_some()),
                ("--oidc-client-secret", self.oidc_client_secret.is_some()),
                ("--oidc-name", self.oidc_name.is_some()),
                ("--oidc-role-claim", self.oidc_role_claim.is_some()),
                ("--oidc-only", self.oidc_only),
            ];
            let alone = alone.into_iter().find_map(|(name, is_set)| is_set.then_some(name));
            return alone.map_or(Ok(None), |name| Err(format!("{name} requires --oidc-issuer")));
        };
        let client_id =
            self.oidc_client_id.clone().ok_or("--oidc-issuer requires --oidc-client-id")?;
        let host = || issuer.parse::<Uri>().ok()?.host().map(str::to_owned);
        Ok(Some(OidcSettings {
            issuer: issuer.clone(),
            client_id,
            client_secret: self.oidc_client_secret.clone(),
            name: self.oidc_name.clone().or_else(host).unwrap_or_default(),
            role_claim: self.oidc_role_claim.clone(),
            only: self.oidc_only,
        }))
    }
}

/// Checks the issuer. It is not normalized, because the tokens of the provider must contain exactly
/// this text.
fn issuer(text: &str) -> Result<String, String> {
    let url: Option<Uri> = text.parse().ok();
    let is_good = url.is_some_and(|url| {
        let is_here = matches!(url.host(), Some("localhost" | "127.0.0.1" | "[::1]"));
        let is_safe = match url.scheme_str() {
            Some("https") => url.host().is_some_and(|host| !host.is_empty()),
            Some("http") => is_here,
            _ => false,
        };
        is_safe && url.query().is_none() && !text.contains(['#', '@'])
    });
    if is_good { Ok(text.to_owned()) } else { Err("it must be https:// with a host".into()) }
}

#[cfg(test)]
mod tests {
    use super::{OidcArgs, issuer};

    #[test]
    fn accepts_only_issuers_with_a_secure_connection() {
        for good in ["https://id.larkspur.example", "https://a/tenant/v2.0", "http://127.0.0.1:9/"]
        {
            assert_eq!(issuer(good).as_deref(), Ok(good));
        }
        for bad in [
            "",
            "http://id.larkspur.example",
            "ftp://a",
            "https://a?b",
            "https://a#b",
            "https://u@a",
        ] {
            assert!(issuer(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rejects_incomplete_settings() {
        assert!(OidcArgs::default().settings().expect("nothing is set").is_none());
        let some = |text: &str| Some(text.to_owned());
        let alone = OidcArgs { oidc_role_claim: some("groups"), ..OidcArgs::default() };
        assert!(alone.settings().is_err());
        let without = OidcArgs { oidc_issuer: some("https://a.example/x"), ..OidcArgs::default() };
        assert!(without.settings().is_err());
        let whole = OidcArgs { oidc_client_id: some("musette"), ..without };
        assert_eq!(whole.settings().expect("whole").expect("set").name, "a.example");
    }
}
