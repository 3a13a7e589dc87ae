//! Sessions as parameters and results of the store.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{RoleGrant, SignInMethod, session_roles};

/// One sign-in on one device.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Hex of 16 random bytes.
    pub sid: String,
    /// ID of the user.
    pub user_id: String,
    /// Hex of 16 random bytes, from which refresh tokens are derived.
    pub salt: String,
    /// When it ends unless it is used.
    pub idle_until: Instant,
    /// The latest time at which it ends.
    pub absolute_until: Instant,
    /// Display name of the device, such as `Chrome · Android`.
    pub device: String,
    /// How the person signed in.
    pub method: SignInMethod,
}

/// State of a session for the check of a token.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Session {
    /// ID of the user.
    pub user_id: String,
    /// Subject by which consents identify the user.
    pub subject: String,
    /// The latest time at which it ends, in milliseconds since 1970.
    pub absolute_until: i64,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// The newest generation whose tokens the client has used.
    pub acked_generation: i64,
    /// When it was opened, in milliseconds since 1970.
    pub created_at: i64,
    /// When the person last authenticated, in milliseconds since 1970; none for a session that an
    /// earlier version of the program opened.
    pub authenticated_at: Option<i64>,
    method: Option<String>,
}

fn lifetime(created_at: i64, absolute_until: i64) -> Duration {
    let lifetime_ms = absolute_until.saturating_sub(created_at);
    Duration::from_millis(u64::try_from(lifetime_ms).unwrap_or(0))
}

impl Session {
    /// Returns how the person signed in; `None` for a session that an earlier version of the
    /// program opened.
    pub fn method(&self) -> Option<SignInMethod> {
        self.method.as_deref().and_then(SignInMethod::parse)
    }

    /// Filters the roles that this session may carry.
    pub fn carried_roles(&self, roles: impl IntoIterator<Item = RoleGrant>) -> Vec<RoleGrant> {
        session_roles(self.method(), lifetime(self.created_at, self.absolute_until), roles)
    }
}

/// State of a session for a refresh.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct SessionRotation {
    pub(crate) sid: String,
    /// ID of the user.
    pub user_id: String,
    /// Subject by which consents identify the user.
    pub subject: String,
    /// Hex of 16 random bytes, from which refresh tokens are derived.
    pub salt: String,
    /// The current generation.
    pub generation: i64,
    /// The newest generation whose tokens the client has used.
    pub acked_generation: i64,
    /// When it first used them, in milliseconds since 1970.
    pub acked_at: Option<i64>,
    /// How often the previous token was used since then.
    pub repeats: i64,
    /// Instance ID of the client that rotated last.
    pub instance: Option<String>,
    /// When it ends unless it is used, in milliseconds since 1970.
    pub idle_until: i64,
    /// The latest time at which it ends, in milliseconds since 1970.
    pub absolute_until: i64,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    created_at: i64,
    method: Option<String>,
    roles: Option<String>,
}

impl SessionRotation {
    /// Returns the user's current roles that this session may carry.
    pub fn roles(&self) -> Vec<RoleGrant> {
        let roles = self.roles.as_deref().unwrap_or_default();
        let roles = roles.split(' ').filter_map(RoleGrant::from_stored);
        let method = self.method.as_deref().and_then(SignInMethod::parse);
        let mut roles =
            session_roles(method, lifetime(self.created_at, self.absolute_until), roles);
        roles.sort_unstable();
        roles
    }
}

/// A live session, for the person's own list.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct LiveSession {
    /// ID of the session.
    pub sid: String,
    /// Display name of the device.
    pub device: String,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_at: i64,
    /// When the person last authenticated, in milliseconds since 1970; none for a session that an
    /// earlier version of the program opened.
    pub authenticated_at: Option<i64>,
    method: Option<String>,
}

impl LiveSession {
    /// Returns how the person signed in; `None` for a session that an earlier version of the
    /// program opened.
    pub fn method(&self) -> Option<SignInMethod> {
        self.method.as_deref().and_then(SignInMethod::parse)
    }
}

/// A selection of sessions to end.
#[derive(Debug, Clone, Copy)]
pub enum SessionsToEnd<'a> {
    /// The session with this ID.
    One {
        /// ID of the session.
        sid: &'a str,
    },
    /// Every session of this user.
    AllOf {
        /// ID of the user.
        user_id: &'a str,
    },
}
