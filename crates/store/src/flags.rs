//! Configurations of flags: environments with their versions, keys, scheduled changes, and usage
//! counts.

mod changes;
mod environments;
mod history;
mod keys;
mod notices;
mod usage;
mod versions;

pub use changes::{FlagChange, NewFlagChange, PROPOSED, WaitingChange};
pub use environments::{EnvironmentHead, FlagEnvironment};
pub use history::{ChangedObject, VersionObject};
pub use keys::{FlagKey, LiveFlagKey, NewFlagKey};
pub use notices::{ReleasedFlag, Releases};
pub use usage::FlagUsage;
pub use versions::{FlagVersion, NewFlagVersion, VersionFilter};

pub(crate) use changes::CHANGES;
pub(crate) use environments::ENVIRONMENTS;
pub(crate) use history::VERSION_OBJECTS;
pub(crate) use keys::KEYS;
pub(crate) use notices::NOTICES;
pub(crate) use usage::USAGE;
pub(crate) use versions::VERSIONS;

#[cfg(test)]
pub(crate) const ALL: &[&[&str]] = &[
    changes::ALL,
    environments::ALL,
    history::ALL,
    keys::ALL,
    notices::ALL,
    usage::ALL,
    versions::ALL,
];
#[cfg(test)]
pub(crate) const LISTS: &[&str] = usage::LISTS;

/// Raises the third revision, which covers everything that the flag service serves.
pub(crate) const RAISE_FLAGS: &str = "UPDATE revision SET n = n + 1 WHERE id = 3 RETURNING n";
