//! Numbers by which a server sees that something changed.

/// Numbers of which at least one differs after every change that running servers follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ChangeNumbers {
    /// The revision of terms, keys, markets and approval rules.
    pub revision: i64,
    /// The revision of ended sessions.
    pub ended_sessions: i64,
    /// The revision of flags, their keys and scheduled changes.
    pub flags: i64,
    /// The newest event.
    pub events: i64,
    /// The newest sticky assignment.
    pub assignments: i64,
    /// The newest change of the gate; none while the gate is not kept.
    pub gate: Option<i64>,
    /// The newest change of a role or market that the gate has not seen.
    pub gate_touched: Option<i64>,
    /// How many webhooks are enabled.
    pub webhooks: i64,
    /// When the next message about a changed address is due, in milliseconds since 1970.
    pub contact_notices: Option<i64>,
    /// The revision of campaigns: it changes when a sender may have something to do.
    pub campaigns: i64,
}
