use musette_core::instant::Instant;
use musette_core::session::{Identifier, Role, RoleGrant};
use musette_core::typed_text::normal_name;
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata,
    CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, Client, ClientId, ClientSecret, EmptyExtraTokenFields, EndpointMaybeSet,
    EndpointNotSet, EndpointSet, IdTokenClaims, IdTokenFields, StandardErrorResponse,
    StandardTokenResponse, UserInfoClaims,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All claims that OpenID Connect does not define, including the one with the roles.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OtherClaims {
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl AdditionalClaims for OtherClaims {}

pub type OidcClaims = IdTokenClaims<OtherClaims, CoreGenderClaim>;
pub type IdToken = openidconnect::IdToken<
    OtherClaims,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type Tokens = StandardTokenResponse<
    IdTokenFields<
        OtherClaims,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;
pub type OidcClient = Client<
    OtherClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

pub fn client(
    metadata: &CoreProviderMetadata,
    id: ClientId,
    secret: Option<ClientSecret>,
) -> OidcClient {
    Client::from_provider_metadata(metadata.clone(), id, secret)
}

/// A person as identified by the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    /// The e-mail address, only if the provider has verified it, because anyone can claim an
    /// unverified one.
    pub email: Option<String>,
    pub name: Option<String>,
    /// The console roles; empty if the provider names none.
    pub roles: Vec<RoleGrant>,
    /// The time when the person last authenticated with the provider (`auth_time`), if the provider
    /// returns it.
    pub authenticated_at: Option<Instant>,
}

impl Identity {
    /// Returns the identity. None if the subject is longer than the specification allows (OpenID
    /// Connect Core 1.0 §2), or contains control characters.
    pub(super) fn of(claims: &OidcClaims, role_claim: Option<&str>) -> Option<Self> {
        let verified = claims.email_verified() == Some(true);
        let email = claims.email().filter(|_| verified).map(|email| email.to_string());
        let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        Some(Self {
            issuer: claims.issuer().to_string(),
            subject: Some(claims.subject().to_string()).filter(|subject| is_line(subject))?,
            email: email.filter(|email| is_comparable(email)),
            name: name.and_then(|name| normal_line(&name)),
            roles: roles(&claims.additional_claims().rest, role_claim),
            authenticated_at: claims
                .auth_time()
                .map(|at| Instant::from_millis(at.timestamp_millis())),
        })
    }

    pub(super) fn needs_more(&self, wants_roles: bool) -> bool {
        self.email.is_none() || (wants_roles && self.roles.is_empty())
    }

    /// Adds claims that are missing in the ID token.
    pub(super) fn add(
        &mut self,
        more: &UserInfoClaims<OtherClaims, CoreGenderClaim>,
        role_claim: Option<&str>,
    ) {
        let verified = more.email_verified() == Some(true);
        let email = || more.email().filter(|_| verified).map(|email| email.to_string());
        let email = || email().filter(|email| is_comparable(email));
        self.email = self.email.take().or_else(email);
        let name = || more.name().and_then(|name| name.get(None)).map(|name| name.to_string());
        self.name = self.name.take().or_else(|| normal_line(&name()?));
        if self.roles.is_empty() {
            self.roles = roles(&more.additional_claims().rest, role_claim);
        }
    }
}

/// The maximum number of characters of a subject and of a name.
const CHARS_MAX: usize = 255;

fn is_line(text: &str) -> bool {
    (1..=CHARS_MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

/// Returns a name in its normal form; `None` if it is not a line, or has no visible character.
fn normal_line(name: &str) -> Option<String> {
    is_line(name).then(|| normal_name(name)).filter(|name| !name.is_empty())
}

/// Returns whether an address differs from its stored form only in the case of ASCII letters. The stored form is in
/// lower case and NFKC without invisible characters, so another mailbox could otherwise be found as that of a person:
/// `K` (U+212A, the Kelvin sign) and `k` have the same form.
fn is_comparable(email: &str) -> bool {
    let stored = Identifier::parse(email);
    stored.is_some_and(|stored| stored.as_str() == email.to_ascii_lowercase())
}

/// Parses the roles in a claim: a text, several texts separated by spaces, or a list of texts.
/// Unknown roles are ignored.
///
/// `operator` and `admin` are used as they are. The names of the other roles may occur as groups of
/// a company for other reasons (`legal`, `support`), so they need the prefix `musette:`.
fn roles(claims: &Map<String, Value>, name: Option<&str>) -> Vec<RoleGrant> {
    let names: Vec<&str> = match name.and_then(|name| claims.get(name)) {
        Some(Value::String(text)) => text.split_whitespace().collect(),
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut roles: Vec<RoleGrant> = names.into_iter().filter_map(role).collect();
    roles.sort_unstable();
    roles.dedup();
    roles
}

fn role(text: &str) -> Option<RoleGrant> {
    let grant = match text.strip_prefix("musette:") {
        Some(name) => RoleGrant::parse(name)?,
        None => RoleGrant::parse(text).filter(|grant| grant.role >= Role::Operator)?,
    };
    grant.role.opens_console().then_some(grant)
}

#[cfg(test)]
mod tests {
    use musette_core::session::{Role, RoleGrant};
    use serde_json::json;

    use super::{is_comparable, is_line, roles};

    #[test]
    fn accepts_only_addresses_with_one_lower_case_form() {
        for own in ["ada@larkspur.example", "Ada@Larkspur.Example", "josé@larkspur.example"] {
            assert!(is_comparable(own), "{own}");
        }
        // The Kelvin sign, a capital with an accent, and a capital I with a dot.
        for other in
            ["\u{212a}im@larkspur.example", "JOS\u{c9}@larkspur.example", "\u{130}da@a.example"]
        {
            assert!(!is_comparable(other), "{other}");
        }
    }

    #[test]
    fn accepts_a_short_line_as_subject_and_name() {
        assert!(is_line("ada-1") && is_line(&"ü".repeat(255)));
        for bad in [String::new(), "a".repeat(256), "a\0b".into(), "a\nb".into(), "\u{85}".into()] {
            assert!(!is_line(&bad), "{bad:?}");
        }
    }

    #[test]
    fn reads_only_console_roles_from_a_claim() {
        let roles_of = |value: serde_json::Value| {
            let claims = json!({"groups": value});
            roles(claims.as_object().expect("an object"), Some("groups"))
        };
        assert_eq!(roles_of(json!(["admin", "chess"])), [RoleGrant::from(Role::Admin)]);
        assert_eq!(
            roles_of(json!("admin operator")),
            [Role::Operator, Role::Admin].map(Into::into)
        );
        let narrowed = roles_of(json!(["musette:legal@DE", "musette:viewer", "musette:rider"]));
        let narrowed: Vec<String> = narrowed.iter().map(ToString::to_string).collect();
        assert_eq!(narrowed, ["viewer", "legal@DE"]);
        for none in [
            json!(["rider", "legal", "support", "Admin", 1]),
            json!({"admin": true}),
            json!(null),
            json!(""),
        ] {
            assert_eq!(roles_of(none.clone()), [], "{none}");
        }
        assert_eq!(roles(json!({"groups": "admin"}).as_object().expect("one"), None), []);
    }
}
