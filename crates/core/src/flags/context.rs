//! The attributes of one person, as far as the configuration reads them.

use std::marker::PhantomData;

/// Prepared for one snapshot, and only good for it.
#[derive(Debug)]
pub struct Context<'a> {
    attributes: PhantomData<&'a str>,
}

/// The attributes are no JSON object as the contract wants it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct ContextFault {
    pub reason: &'static str,
    pub at: usize,
}

impl Context<'_> {
    /// A person of whom nothing is known.
    pub const fn empty() -> Self {
        Self { attributes: PhantomData }
    }
}
