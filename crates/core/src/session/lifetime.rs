use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A person's powers. No role includes those of another: people may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Works for the company through the application.
    Rider,
    /// Works at the company, without the console.
    Worker,
    /// Uses the console.
    Operator,
    /// Uses the console and manages people.
    Admin,
}

impl Role {
    /// Every role, from the least powerful on.
    pub const ALL: [Self; 4] = [Self::Rider, Self::Worker, Self::Operator, Self::Admin];

    /// Reads the name of a role.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == text)
    }

    /// Name of the role on the wire and in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rider => "rider",
            Self::Worker => "worker",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }
}

/// Limit of sessions at once; one more ends the one that was not used for longest. It is more than
/// anybody has devices, and few enough for a list that a person can read.
pub fn sessions_max(roles: &[Role]) -> u32 {
    match roles.iter().max() {
        Some(Role::Operator | Role::Admin) => 5,
        _ => 10,
    }
}

/// How long a session of this role lives; it ends at the earlier of idle and absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetimes {
    /// Until an access token expires.
    pub access: Duration,
    /// Until an unused session ends.
    pub idle: Duration,
    /// Until a session ends, however it is used.
    pub absolute: Duration,
}

impl Lifetimes {
    /// Lifetimes of a person with these roles: the most powerful role decides, and it has the
    /// shortest.
    pub fn of(roles: &[Role]) -> Self {
        let lifetimes = |access, idle, absolute| Self {
            access: Duration::from_secs(access),
            idle: Duration::from_secs(idle),
            absolute: Duration::from_secs(absolute),
        };
        match roles.iter().max() {
            None | Some(Role::Rider) => lifetimes(15 * MINUTE, 14 * DAY, 90 * DAY),
            Some(Role::Worker) => lifetimes(15 * MINUTE, 12 * HOUR, 7 * DAY),
            Some(Role::Operator | Role::Admin) => lifetimes(5 * MINUTE, 30 * MINUTE, 12 * HOUR),
        }
    }

    /// Up to 5 % less, so that a fleet that signed in together does not refresh together. `jitter`
    /// is a random byte.
    pub fn access_jittered(&self, jitter: u8) -> Duration {
        let cut = self.access.as_secs() * u64::from(jitter) / (20 * 256);
        self.access - Duration::from_secs(cut)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lifetimes, Role, sessions_max};

    #[test]
    fn who_has_more_power_has_fewer_sessions() {
        assert_eq!(sessions_max(&[Role::Rider]), 10);
        assert_eq!(sessions_max(&[Role::Rider, Role::Operator]), 5);
    }

    #[test]
    fn the_most_powerful_role_decides() {
        let minutes = |roles: &[Role]| Lifetimes::of(roles).access.as_secs() / 60;
        assert_eq!(minutes(&[]), 15);
        assert_eq!(minutes(&[Role::Rider]), 15);
        assert_eq!(minutes(&[Role::Admin, Role::Rider]), 5);
    }

    #[test]
    fn jitter_takes_at_most_five_percent() {
        let lifetimes = Lifetimes::of(&[Role::Rider]);
        assert_eq!(lifetimes.access_jittered(0).as_secs(), 900);
        assert!((855..860).contains(&lifetimes.access_jittered(255).as_secs()));
    }
}
