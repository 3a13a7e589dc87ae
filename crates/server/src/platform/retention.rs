//! The time for which each kind of row is kept.

use std::time::Duration;

const DAY_S: u64 = 24 * 60 * 60;

pub const IDEMPOTENCY_KEYS: Duration = Duration::from_secs(7 * DAY_S);
/// Events for programs of the company.
pub const EVENTS: Duration = Duration::from_secs(90 * DAY_S);
/// The previous secret of a webhook, which signs in addition to the new one.
pub const FORMER_SECRET: Duration = Duration::from_secs(DAY_S);
/// Ended sessions. While they are stored, the response to a client with their tokens
/// says why they are rejected.
pub const SESSIONS: Duration = Duration::from_secs(30 * DAY_S);
/// Counts of sent codes by hour.
pub const DELIVERIES: Duration = Duration::from_secs(30 * DAY_S);
/// Views of terms: thirteen months, like flag events.
pub const VIEWS: Duration = Duration::from_secs(396 * DAY_S);
/// Counts of rejected sign-ins of unknown callers.
pub const AUDIT_COUNTS: Duration = VIEWS;
/// Browsers that users have signed in with.
pub const BROWSERS: Duration = Duration::from_secs(180 * DAY_S);
/// Flag events, in days: thirteen months, so that a quarter can be compared with that of the
/// previous year.
pub const FLAG_EVENTS_DAYS: i64 = 396;
/// Counts of evaluations, in days: twice the 30 days that are shown.
pub const FLAG_USAGE_DAYS: i64 = 60;
