//! The notice that must have been served before a flag may serve its rules.

use serde::Serialize;

use super::metric::Number;

/// A notice that riders must have been served. Until then the flag serves its off variation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RequiresNotice {
    /// ID of the published version of the notice.
    pub term_id: u64,
    /// How many days the notice must have been in effect; 15 by default.
    pub days: u32,
    /// Share of the riders of its market that it must have been served to; 0.9 by default.
    pub share_served: Number,
}

impl RequiresNotice {
    pub(in crate::flags) const DAYS: u32 = 15;
    pub(in crate::flags) const SHARE_SERVED: Number = Number::new(0.9);
    /// Ten years.
    pub(in crate::flags) const DAYS_MAX: u32 = 3650;
}
