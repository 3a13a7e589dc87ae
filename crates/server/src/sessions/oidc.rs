//! Sign-in with a company's OpenID Connect provider: authorization code with PKCE. This module
//! verifies the statements of the provider; `session_lifecycle` finds the user.

mod claims;
mod fetch;
mod settings;
mod trust;

use std::ops::Add as _;
use std::sync::Arc;
use std::time::{Duration, Instant as Monotonic, SystemTime};

use musette_core::instant::Instant;
use openidconnect::core::{CoreAuthenticationFlow, CoreJwsSigningAlgorithm, CoreProviderMetadata};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    Scope, SignatureVerificationError, TokenResponse as _,
};
use tokio::sync::Mutex;

pub use claims::Identity;
use claims::{IdToken, OidcClient};
use fetch::Fetch;
pub use settings::{OidcArgs, OidcSettings};
use trust::AllowedSchemes;

/// The time after which a provider's metadata and keys are fetched again. An unknown key causes an
/// earlier fetch, but not before [`REFETCH_AFTER`], so that a client with forged tokens cannot
/// cause many requests.
const METADATA_FRESH: Duration = Duration::from_secs(60 * 60);
const REFETCH_AFTER: Duration = Duration::from_secs(10);

/// The accepted algorithms are asymmetric: neither `none`, nor HMAC with the client secret.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    #[error("the provider is unavailable: {0}")]
    Unavailable(String),
    #[error("the response of the provider is invalid: {0}")]
    Refused(String),
}

/// State, nonce and PKCE verifier of one sign-in (RFC 7636). They are not stored here.
pub struct AuthorizationAttempt {
    pub state: String,
    pub nonce: String,
    pub verifier: String,
    /// The URL of this server that the provider redirects to.
    pub redirect: String,
    /// If set, the provider authenticates the person again if the last authentication is older, and
    /// returns its time (`max_age`, OpenID Connect Core §3.1.2.1).
    pub max_age: Option<Duration>,
}

struct CachedMetadata {
    metadata: Arc<CoreProviderMetadata>,
    since: Monotonic,
}

pub struct Oidc {
    pub settings: OidcSettings,
    fetch: Fetch,
    cached: Mutex<Option<CachedMetadata>>,
}

impl Oidc {
    pub fn new(settings: OidcSettings) -> Result<Self, String> {
        let fetch = Fetch::new(AllowedSchemes::of_issuer(&settings.issuer))?;
        Ok(Self { settings, fetch, cached: Mutex::default() })
    }

    /// Returns the metadata, at most `at_most` old. Concurrent callers share one fetch.
    async fn metadata(&self, at_most: Duration) -> Result<Arc<CoreProviderMetadata>, OidcError> {
        let mut cached = self.cached.lock().await;
        if let Some(cached) = cached.as_ref().filter(|cached| cached.since.elapsed() < at_most) {
            return Ok(Arc::clone(&cached.metadata));
        }
        let issuer = IssuerUrl::new(self.settings.issuer.clone());
        let issuer = issuer.map_err(|error| OidcError::Unavailable(error.to_string()))?;
        let metadata = CoreProviderMetadata::discover_async(issuer, &self.fetch).await;
        let metadata = metadata.map_err(|error| OidcError::Unavailable(error.to_string()))?;
        self.fetch.trust().check(&metadata)?;
        let metadata = Arc::new(metadata);
        *cached = Some(CachedMetadata { metadata: Arc::clone(&metadata), since: Monotonic::now() });
        Ok(metadata)
    }

    fn client(
        &self,
        metadata: &CoreProviderMetadata,
        redirect: &str,
    ) -> Result<OidcClient, OidcError> {
        let secret = self.settings.client_secret.clone().map(ClientSecret::new);
        let id = ClientId::new(self.settings.client_id.clone());
        let redirect = RedirectUrl::new(redirect.to_owned());
        let redirect = redirect.map_err(|error| OidcError::Unavailable(error.to_string()))?;
        let client = claims::client(metadata, id, secret).set_redirect_uri(redirect);
        Ok(if supports_basic(metadata) {
            client
        } else {
            client.set_auth_type(AuthType::RequestBody)
        })
    }

    /// Returns the URL that the browser is redirected to.
    pub async fn address(&self, attempt: &AuthorizationAttempt) -> Result<String, OidcError> {
        let metadata = self.metadata(METADATA_FRESH).await?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.clone());
        let (state, nonce) = (attempt.state.clone(), attempt.nonce.clone());
        let client = self.client(&metadata, &attempt.redirect)?;
        let request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || Nonce::new(nonce),
            )
            .add_scopes(["email", "profile"].map(|scope| Scope::new(scope.to_owned())))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        let request = match attempt.max_age {
            Some(max_age) => request.set_max_age(max_age),
            None => request,
        };
        let (url, _, _) = request.url();
        Ok(url.into())
    }

    /// Exchanges the code for the identity of the person.
    pub async fn redeem(
        &self,
        code: String,
        attempt: &AuthorizationAttempt,
        now: Instant,
    ) -> Result<Identity, OidcError> {
        let metadata = self.metadata(METADATA_FRESH).await?;
        let client = self.client(&metadata, &attempt.redirect)?;
        let tokens = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| OidcError::Unavailable(error.to_string()))?
            .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.clone()))
            .request_async(&self.fetch)
            .await
            .map_err(classify_error)?;
        let missing = || OidcError::Refused("the response has no ID token".into());
        let id_token = tokens.id_token().ok_or_else(missing)?;
        let nonce = Nonce::new(attempt.nonce.clone());
        let claims = match verify_claims(&client, id_token, &nonce, now) {
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey,
            )) => {
                // The provider may have rotated its keys since the last fetch.
                let metadata = self.metadata(REFETCH_AFTER).await?;
                let client = self.client(&metadata, &attempt.redirect)?;
                verify_claims(&client, id_token, &nonce, now).cloned()
            }
            verdict => verdict.cloned(),
        };
        let claims = claims.map_err(|error| OidcError::Refused(error.to_string()))?;
        let malformed = || OidcError::Refused("the subject is longer than 255 characters".into());
        let identity = Identity::of(&claims, self.settings.role_claim.as_deref());
        let mut identity = identity.ok_or_else(malformed)?;
        // Many providers return only the subject in the ID token, and the other claims with the
        // access token.
        if identity.needs_more(self.settings.role_claim.is_some())
            && metadata.userinfo_endpoint().is_some()
        {
            let request = client
                .user_info(tokens.access_token().clone(), Some(claims.subject().clone()))
                .map_err(|error| OidcError::Unavailable(error.to_string()))?;
            let response = request.request_async(&self.fetch).await;
            let response = response.map_err(|error| OidcError::Refused(error.to_string()))?;
            identity.add(&response, self.settings.role_claim.as_deref());
        }
        Ok(identity)
    }
}

fn supports_basic(metadata: &CoreProviderMetadata) -> bool {
    use openidconnect::core::CoreClientAuthMethod::ClientSecretBasic;
    // OpenID Connect Discovery 1.0 §3: this is the default if the metadata lists no methods.
    let methods = metadata.token_endpoint_auth_methods_supported();
    methods.is_none_or(|methods| methods.contains(&ClientSecretBasic))
}

fn verify_claims<'t>(
    client: &OidcClient,
    token: &'t IdToken,
    nonce: &Nonce,
    now: Instant,
) -> Result<&'t claims::OidcClaims, ClaimsVerificationError> {
    let now_ms = u64::try_from(now.millis()).unwrap_or(0);
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || SystemTime::UNIX_EPOCH.add(Duration::from_millis(now_ms)).into());
    token.claims(&verifier, nonce)
}

/// Classifies an error: a rejected code was invalid; other errors are errors of the provider.
fn classify_error<E: std::error::Error + 'static>(
    error: openidconnect::RequestTokenError<
        E,
        openidconnect::StandardErrorResponse<openidconnect::core::CoreErrorResponseType>,
    >,
) -> OidcError {
    match error {
        openidconnect::RequestTokenError::ServerResponse(response) => {
            OidcError::Refused(response.error().to_string())
        }
        openidconnect::RequestTokenError::Parse(error, _) => OidcError::Refused(error.to_string()),
        error => OidcError::Unavailable(error.to_string()),
    }
}
