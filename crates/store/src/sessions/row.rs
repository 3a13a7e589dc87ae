//! Sessions as the store takes and gives them.

use std::time::Duration;

use musette_core::instant::Instant;
use musette_core::session::{RoleGrant, SignInMethod, session_roles};

/// One sign-in on one device.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Hex of 16 random bytes.
    pub sid: String,
    /// Id of the user.
    pub user_id: String,
    /// Hex of 16 random bytes, part of what refresh tokens are derived from.
    pub salt: String,
    /// When it ends unless it is used.
    pub idle_until: Instant,
    /// When it ends at the latest.
    pub absolute_until: Instant,
    /// Name of the device for people, such as `Chrome · Android`.
    pub device: String,
    /// How the person signed in.
    pub method: SignInMethod,
}

/// State of a session, to judge a token by.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct Session {
    /// Id of the user.
    pub user_id: String,
    /// Subject by which consents name them.
    pub subject: String,
    /// When it ends at the latest, in milliseconds since 1970.
    pub absolute_until: i64,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: Option<i64>,
    /// The newest generation whose tokens the client has shown to have.
    pub acked_generation: i64,
    /// When it was opened, in milliseconds since 1970.
    pub created_at: i64,
    /// When the person last proved who they are, in milliseconds since 1970; none for a session that an earlier
    /// version of the program opened.
    pub authenticated_at: Option<i64>,
    method: Option<String>,
}

fn lifetime(created_at: i64, absolute_until: i64) -> Duration {
    let lifetime_ms = absolute_until.saturating_sub(created_at);
    Duration::from_millis(u64::try_from(lifetime_ms).unwrap_or(0))
}

impl Session {
    /// How the person signed in; none for a session that an earlier version of the program opened.
    pub fn method(&self) -> Option<SignInMethod> {
        self.method.as_deref().and_then(SignInMethod::parse)
    }

    /// Returns those of `roles` that this session may carry.
    pub fn carried_roles(&self, roles: impl IntoIterator<Item = RoleGrant>) -> Vec<RoleGrant> {
        session_roles(self.method(), lifetime(self.created_at, self.absolute_until), roles)
    }
}

/// State of a session, to judge a refresh by.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub struct SessionRotation {
    pub(crate) sid: String,
    /// Id of the user.
    pub user_id: String,
    /// Subject by which consents name them.
    pub subject: String,
    /// Hex of 16 random bytes, part of what refresh tokens are derived from.
    pub salt: String,
    /// The current generation.
    pub generation: i64,
    /// The newest generation whose tokens the client has shown to have.
    pub acked_generation: i64,
    /// When it first showed that, in milliseconds since 1970.
    pub acked_at: Option<i64>,
    /// How often the former token was taken since then.
    pub repeats: i64,
    /// Instance of the client that rotated last, as it names itself.
    pub instance: Option<String>,
    /// When it ends unless it is used, in milliseconds since 1970.
    pub idle_until: i64,
    /// When it ends at the latest, in milliseconds since 1970.
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
    /// Id of the session.
    pub sid: String,
    /// Name of the device for people.
    pub device: String,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was last used, in milliseconds since 1970.
    pub last_used_at: i64,
    /// When the person last proved who they are, in milliseconds since 1970; none for a session that an earlier
    /// version of the program opened.
    pub authenticated_at: Option<i64>,
    method: Option<String>,
}

impl LiveSession {
    /// How the person signed in; none for a session that an earlier version of the program opened.
    pub fn method(&self) -> Option<SignInMethod> {
        self.method.as_deref().and_then(SignInMethod::parse)
    }
}

/// Selection of sessions to end.
#[derive(Debug, Clone, Copy)]
pub enum Ending<'a> {
    /// The session of this id.
    One {
        /// Id of the session.
        sid: &'a str,
    },
    /// Every session of this user.
    AllOf {
        /// Id of the user.
        user_id: &'a str,
    },
}
