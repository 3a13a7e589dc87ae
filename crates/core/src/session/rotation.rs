//! Refresh token rotation with reuse detection (RFC 9700 §4.14.2). Pure: the row and the time are
//! arguments.
//!
//! A lost answer and a race between tabs look alike from here: the former token comes again. Both
//! get the same successor, so that nobody is signed out for either.

use std::time::Duration;

use crate::instant::Instant;

/// How often, and for how long after its successor was used, the former token is still taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReuseRules {
    /// How long after the acknowledgement.
    pub window: Duration,
    /// How many times.
    pub repeats_max: u32,
}

impl ReuseRules {
    /// The rules that the API promises: 30 seconds and 16 times.
    pub const CONTRACT: Self = Self { window: Duration::from_secs(30), repeats_max: 16 };
}

/// State of a session, as far as a refresh depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation<'a> {
    /// The current generation.
    pub generation: u32,
    /// When the client first showed that it got the current generation.
    pub acknowledged_at: Option<Instant>,
    /// How often the former token was taken since then.
    pub repeats: u32,
    /// Instance of the client that rotated to the current generation.
    pub instance: Option<&'a str>,
    /// When it ends unless it is used.
    pub idle_until: Instant,
    /// When it ends at the latest.
    pub absolute_until: Instant,
    /// Whether it was ended already.
    pub ended: bool,
}

/// A genuine token as it was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown<'a> {
    /// Generation of the token.
    pub generation: u32,
    /// Instance of the client that shows it, as it names itself.
    pub instance: Option<&'a str>,
}

/// Outcome of showing a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshVerdict {
    /// The current token: the next generation begins.
    Rotate,
    /// The answer was lost on its way: the same successor again, as often as it takes.
    Repeat,
    /// Tabs raced: the same successor again, and it counts.
    RepeatCounted,
    /// Somebody else has the token too: the session ends.
    Reused,
    /// Ahead of what is remembered: the store was set back. Nobody's fault, and no proof of theft.
    Ahead,
    /// The session's time is up.
    Expired,
    /// The session was ended before.
    Ended,
}

/// Judges a genuine refresh token by the session's row (RFC 9700 §4.14.2: rotation with reuse
/// detection).
pub fn judge(
    session: &Rotation<'_>,
    shown: &Shown<'_>,
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
