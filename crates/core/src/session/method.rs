use std::time::Duration;

use super::{Lifetimes, Role, RoleGrant};

/// How a user signed in to open a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignInMethod {
    /// A one-time code that was sent by e-mail or text message.
    Code,
    /// A password.
    Password,
    /// A password and the digits of an authenticator.
    PasswordOtp,
    /// The company's OpenID Connect provider.
    Provider,
    /// A one-time sign-in link with which the user set a password.
    Link,
    /// `musette token issue` on the server's command line.
    Command,
    /// A choice from the list of demo users, without proof of identity.
    Demo,
}

impl SignInMethod {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Code,
        Self::Password,
        Self::PasswordOtp,
        Self::Provider,
        Self::Link,
        Self::Command,
        Self::Demo,
    ];

    /// Parses the name of a method.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == text)
    }

    /// Returns the name of the method in the store, the audit log and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Password => "password",
            Self::PasswordOtp => "password_otp",
            Self::Provider => "oidc",
            Self::Link => "link",
            Self::Command => "command",
            Self::Demo => "demo",
        }
    }

    /// Returns whether the user proved their identity at the time of the sign-in. A provider may
    /// accept an older sign-in and reports the time of it.
    pub const fn is_fresh_proof(self) -> bool {
        !matches!(self, Self::Provider)
    }

    /// Returns the authentication method references (RFC 8176 §2) for log entries. `otp`, `pwd` and
    /// `mfa` are registered. The others are Musette's own, which RFC 8176 §1 permits.
    pub const fn amr(self) -> &'static [&'static str] {
        match self {
            Self::Code => &["otp"],
            Self::Password => &["pwd"],
            Self::PasswordOtp => &["pwd", "otp", "mfa"],
            Self::Provider => &["oidc"],
            Self::Link => &["link"],
            Self::Command => &["command"],
            Self::Demo => &["demo"],
        }
    }

    /// Returns whether a session opened this way may have roles of the console. A message to a
    /// phone must not bypass the password and the authenticator.
    pub const fn opens_console(self) -> bool {
        !matches!(self, Self::Code | Self::Demo)
    }
}

/// Returns the user's roles that a session may have.
///
/// `method` is `None` for a session that an earlier version of the program opened. `lifetime` is
/// the time from the opening to the latest end of the session. If it is longer than that of a
/// console session, the session was opened without console roles.
pub fn session_roles(
    method: Option<SignInMethod>,
    lifetime: Duration,
    roles: impl IntoIterator<Item = RoleGrant>,
) -> Vec<RoleGrant> {
    let opens_console = match method {
        Some(method) => method.opens_console(),
        None => lifetime <= Lifetimes::of(&[Role::Admin.into()]).absolute,
    };
    roles.into_iter().filter(|grant| opens_console || !grant.role.opens_console()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Lifetimes, Role, RoleGrant, SignInMethod, session_roles};

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn carried(method: Option<SignInMethod>, lifetime: Duration) -> Vec<RoleGrant> {
        session_roles(method, lifetime, [Role::Rider, Role::Admin].map(RoleGrant::from))
    }

    #[test]
    fn parses_every_method_by_its_name() {
        for method in SignInMethod::ALL {
            assert_eq!(SignInMethod::parse(method.as_str()), Some(method));
            assert!(!method.amr().is_empty(), "{method:?}");
        }
        assert_eq!(SignInMethod::parse(""), None);
    }

    #[test]
    fn a_session_opened_by_code_has_no_console_roles() {
        let rider = [RoleGrant::from(Role::Rider)];
        for method in SignInMethod::ALL {
            let expected: Vec<RoleGrant> = match method {
                SignInMethod::Code | SignInMethod::Demo => rider.to_vec(),
                _ => [Role::Rider, Role::Admin].map(RoleGrant::from).to_vec(),
            };
            assert_eq!(carried(Some(method), HOUR), expected, "{method:?}");
        }
    }

    #[test]
    fn a_session_of_an_unknown_method_has_console_roles_only_with_a_short_lifetime() {
        let lifetime = |role: Role| Lifetimes::of(&[role.into()]).absolute;
        assert_eq!(carried(None, lifetime(Role::Viewer)).len(), 2);
        for role in [Role::Rider, Role::Worker] {
            assert_eq!(carried(None, lifetime(role)), [RoleGrant::from(Role::Rider)], "{role:?}");
        }
    }
}
