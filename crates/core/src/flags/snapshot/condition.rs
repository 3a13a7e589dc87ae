//! Compiled conditions.

use crate::flags::context::SlotId;
use crate::flags::matcher::Matcher;

#[derive(Debug)]
pub(in crate::flags) enum Condition {
    /// A constant, such as an empty `all` or an empty `any`.
    Always(bool),
    All(Box<[Condition]>),
    Any(Box<[Condition]>),
    Not(Box<Condition>),
    /// A segment, by its index in the document.
    Segment(u32),
    Test(SlotId, Matcher),
}

impl Condition {
    /// Returns the result if it is the same for every user.
    pub const fn always(&self) -> Option<bool> {
        match self {
            Self::Always(value) => Some(*value),
            _ => None,
        }
    }
}
