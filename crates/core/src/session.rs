//! Tokens: what a session proves itself with, and for how long.
//!
//! Not here: where sessions and keys are kept, and the wire.

mod access;
mod lifetime;
mod refresh;

pub use access::{AUDIENCE, Claims, TokenFault, sign, sign_exactly, verify};
pub use lifetime::{Lifetimes, Role};
pub use refresh::{RefreshToken, RefreshTokenFault};
