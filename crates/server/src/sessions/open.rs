use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{Lifetimes, SignInMethod, session_roles};
use musette_store::{NewSession, Store, StoreError, User};

use super::keys::{AccessTtlSeconds, Grant, TokenKeys, Tokens};
use crate::platform::random;

/// Tokens, and the time at which their session ends at the latest.
#[derive(Debug, Clone)]
pub struct GrantedTokens {
    pub tokens: Tokens,
    pub sid: String,
    pub until: Instant,
}

/// A sign-in of a user.
#[derive(Debug, Clone, Copy)]
pub struct NewSignIn<'a> {
    /// The user.
    pub user: &'a User,
    /// The name of the device, for the user's list of sessions.
    pub device: &'a str,
    /// The sign-in method.
    pub method: SignInMethod,
    /// The lifetime of the access token in seconds, instead of the default of its role.
    pub access_ttl: AccessTtlSeconds,
}

/// Opens a session and returns its first tokens. Each sign-in gets a new session ID.
pub async fn open(
    store: &Store,
    keys: &TokenKeys,
    sign_in: NewSignIn<'_>,
    issuer: &str,
    now: Instant,
) -> Result<GrantedTokens, StoreError> {
    let NewSignIn { user, device, method, access_ttl } = sign_in;
    let roles = session_roles(Some(method), Duration::ZERO, user.roles.iter().cloned());
    let lifetimes = Lifetimes::of(&roles);
    let (sid, salt) = (random::bytes::<16>(), random::bytes::<16>());
    let until = now.plus(lifetimes.absolute);
    let session = NewSession {
        sid: hex::encode(sid),
        user_id: user.id.clone(),
        salt: hex::encode(salt),
        idle_until: now.plus(lifetimes.idle).min(until),
        absolute_until: until,
        device: device.to_owned(),
        method,
    };
    store.open_session(&session, now).await?;
    let grant = Grant {
        user_id: &user.id,
        roles: &roles,
        sid,
        salt: &salt,
        generation: 0,
        absolute_until: until,
        access_ttl,
    };
    Ok(GrantedTokens { tokens: keys.tokens(&grant, issuer, now), sid: session.sid, until })
}
