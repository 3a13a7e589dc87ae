use std::time::Duration;

use musette_core::instant::Instant;
use musette_store::{Store, StoreError};

use crate::random;

/// A one-time link that nobody opened is no way in for ever.
const LIFETIME: Duration = Duration::from_secs(72 * 60 * 60);

/// Opens the console once, to set a password: there is no default one.
pub struct SignInLink {
    pub url: String,
    pub expires_at: Instant,
}

/// Makes the link of this user; the one before it is void. Only its hash is kept.
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
