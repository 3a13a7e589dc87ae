//! How long each kind of row is kept before it is deleted.

use std::time::Duration;

const DAY_S: u64 = 24 * 60 * 60;

pub const IDEMPOTENCY_KEYS: Duration = Duration::from_secs(7 * DAY_S);
/// Events for other programs.
pub const EVENTS: Duration = Duration::from_secs(90 * DAY_S);
/// A webhook's former secret signs beside the new one.
pub const FORMER_SECRET: Duration = Duration::from_secs(DAY_S);
/// Ended sessions: until then their tokens are told why they are refused.
pub const SESSIONS: Duration = Duration::from_secs(30 * DAY_S);
/// How many codes were sent in an hour.
pub const DELIVERIES: Duration = Duration::from_secs(30 * DAY_S);
/// Views of terms: thirteen months, like events of flags.
pub const VIEWS: Duration = Duration::from_secs(396 * DAY_S);
/// How often strangers were refused.
pub const AUDIT_COUNTS: Duration = VIEWS;
/// Browsers that have signed somebody in.
pub const BROWSERS: Duration = Duration::from_secs(180 * DAY_S);
/// Thirteen months, in days: a quarter can be compared with that of the year before.
pub const FLAG_EVENTS_DAYS: i64 = 396;
/// Counts of evaluations, in days: they are shown for 30, twice that is kept.
pub const FLAG_USAGE_DAYS: i64 = 60;
