//! Sessions: their tokens and lifetimes, one-time codes, identifiers and devices.
//!
//! Storage of sessions and keys, and the JSON format, are in other crates.

mod access;
mod code;
mod device;
mod identifier;
mod lifetime;
mod method;
mod rate_limit;
mod refresh;
mod role_grant;
mod rotation;

pub use access::{AUDIENCE, Claims, TokenError, sign, sign_exactly, verify};
pub use code::{CODE_LIFETIME, CODE_TRIES_MAX, code, keyed_hash, typed_code};
pub use device::device_name;
pub use identifier::{Identifier, is_reachable};
pub use lifetime::{Lifetimes, Role, sessions_max};
pub use method::{SignInMethod, session_roles};
pub use rate_limit::{MESSAGES, RateLimit, SlidingWindow};
pub use refresh::{RefreshToken, RefreshTokenError};
pub use role_grant::{Narrowing, RoleGrant};
pub use rotation::{PresentedToken, RefreshVerdict, ReuseRules, Rotation, judge};
