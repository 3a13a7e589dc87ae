use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{Store, StoreError};

use crate::platform::random;

/// The lifetime of a sign-in link, so that an unused one does not remain valid.
const LIFETIME: Duration = Duration::from_secs(72 * 60 * 60);

/// A link that opens the console once to set a password, because there is no default password.
pub struct SignInLink {
    pub url: String,
    pub expires_at: Instant,
}

/// Creates a link for this user, and invalidates the previous one. Only its hash is stored.
pub async fn sign_in_link(
    store: &Store,
    user_id: &str,
    origin: &str,
    now: Instant,
) -> Result<SignInLink, StoreError> {
    let token = random::hex::<32>();
    let expires_at = now.plus(LIFETIME);
    let hash = random::sha256_hex(token.as_bytes());
    store.add_sign_in_link(user_id, &hash, expires_at).await?;
    let url = format!("{}/console/sign-in#{token}", origin.trim_end_matches('/'));
    Ok(SignInLink { url, expires_at })
}
