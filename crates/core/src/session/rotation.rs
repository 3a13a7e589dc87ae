//! Refresh token rotation with reuse detection (RFC 9700 §4.14.2). It is pure code: the row and the
//! time are arguments.
//!
//! A lost response and a race between tabs look the same to the server: the previous token arrives
//! a second time. Both get the same successor, so that neither signs the user out.

use std::time::Duration;

use crate::instant::Instant;

/// How often, and for how long after the use of its successor, the previous token is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReuseRules {
    /// How long after the acknowledgement it is accepted.
    pub window: Duration,
    /// How many times it is accepted.
    pub repeats_max: u32,
}

impl ReuseRules {
    /// The rules that the API promises: 30 seconds and 16 times.
    pub const CONTRACT: Self = Self { window: Duration::from_secs(30), repeats_max: 16 };
}

/// The state of a session that a refresh depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation<'a> {
    /// The current generation.
    pub generation: u32,
    /// When the client first showed that it received the current generation.
    pub acknowledged_at: Option<Instant>,
    /// How often the previous token was accepted since then.
    pub repeats: u32,
    /// Instance of the client that rotated to the current generation.
    pub instance: Option<&'a str>,
    /// When the session ends if it is not used.
    pub idle_until: Instant,
    /// When it ends at the latest.
    pub absolute_until: Instant,
    /// Whether the session was ended already.
    pub ended: bool,
}

/// A genuine token that a client presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresentedToken<'a> {
    /// Generation of the token.
    pub generation: u32,
    /// Instance of the client that presented it, as the client named itself.
    pub instance: Option<&'a str>,
}

/// The outcome of presenting a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshVerdict {
    /// The token is current: the next generation begins.
    Rotate,
    /// The previous response was lost: the same successor is sent, without a limit.
    Repeat,
    /// Two tabs raced: the same successor is sent, and the attempt is counted.
    RepeatCounted,
    /// Another party has the token too: the session ends.
    Reused,
    /// The token is newer than the stored generation: the store was restored from a backup. This is
    /// not evidence of theft.
    Ahead,
    /// The session has expired.
    Expired,
    /// The session was ended before.
    Ended,
}

/// Decides what happens with a genuine refresh token, based on the session's row (RFC 9700 §4.14.2:
/// rotation with reuse detection).
pub fn judge(
    session: &Rotation<'_>,
    shown: &PresentedToken<'_>,
    rules: &ReuseRules,
    now: Instant,
) -> RefreshVerdict {
    if session.ended {
        return RefreshVerdict::Ended;
    }
    if session.idle_until <= now || session.absolute_until <= now {
        return RefreshVerdict::Expired;
    }
    if shown.generation == session.generation {
        return RefreshVerdict::Rotate;
    }
    if shown.generation > session.generation {
        return RefreshVerdict::Ahead;
    }
    if shown.generation + 1 < session.generation {
        return RefreshVerdict::Reused;
    }
    let Some(acknowledged_at) = session.acknowledged_at else { return RefreshVerdict::Repeat };
    let in_window = now < acknowledged_at.plus(rules.window);
    let same_instance = session.instance == shown.instance;
    if in_window && same_instance && session.repeats < rules.repeats_max {
        RefreshVerdict::RepeatCounted
    } else {
        RefreshVerdict::Reused
    }
}

#[cfg(test)]
mod tests;
