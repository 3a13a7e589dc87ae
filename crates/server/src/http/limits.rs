//! How often an address without a session may call.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};

use super::problem::Problem;
use crate::ruleset::{Access, KeyKind};
use crate::settings::PublicLimits;

struct Limit {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
}

/// None: no limit.
pub struct Limits {
    submissions: Option<Limit>,
    reads: Option<Limit>,
    /// Of codes asked for, and passwords tried.
    sign_ins: Option<Limit>,
    /// Of answers that a code or a token is wrong; right ones are not counted.
    guesses: Option<Limit>,
    reports: Option<Reports>,
}

/// A depot or a mobile network is one address to us: many people start their shift at once.
const SIGN_INS_A_MINUTE: u32 = 60;
const GUESSES_A_MINUTE: u32 = 60;

/// Rows of events and metrics. An application reports a handful a visit, a depot with a thousand riders
/// a few thousand at once; a key stands for all who use it.
struct Reports {
    by_address: Limit,
    by_client_key: DefaultKeyedRateLimiter<Arc<str>>,
    by_server_key: DefaultKeyedRateLimiter<Arc<str>>,
    /// New sticky assignments.
    assignments: Limit,
}

/// A second, and at once.
const ROWS_OF_ADDRESS: (u32, u32) = (2_000, 20_000);
const ROWS_OF_CLIENT_KEY: (u32, u32) = (20_000, 200_000);
const ROWS_OF_SERVER_KEY: (u32, u32) = (200_000, 1_000_000);
const ASSIGNMENTS_OF_ADDRESS: (u32, u32) = (50, 1_000);

fn quota((a_second, at_once): (u32, u32)) -> Option<Quota> {
    Some(Quota::per_second(NonZeroU32::new(a_second)?).allow_burst(NonZeroU32::new(at_once)?))
}

impl Reports {
    fn new() -> Option<Self> {
        let limit = |of| Some(Limit { limiter: RateLimiter::keyed(quota(of)?) });
        Some(Self {
            by_address: limit(ROWS_OF_ADDRESS)?,
            by_client_key: RateLimiter::keyed(quota(ROWS_OF_CLIENT_KEY)?),
            by_server_key: RateLimiter::keyed(quota(ROWS_OF_SERVER_KEY)?),
            assignments: limit(ASSIGNMENTS_OF_ADDRESS)?,
        })
    }
}

/// So many addresses may be remembered before those that are full again are forgotten.
const ADDRESSES_MAX: usize = 50_000;

impl Limit {
    fn per_minute(calls: u32) -> Option<Self> {
        let quota = Quota::per_minute(NonZeroU32::new(calls)?);
        Some(Self { limiter: RateLimiter::keyed(quota) })
    }

    fn check(&self, address: IpAddr) -> Result<(), Problem> {
        self.forget();
        self.limiter.check_key(&network(address)).map_err(|until| later(&until))
    }

    fn check_rows(&self, address: IpAddr, rows: NonZeroU32) -> Result<(), Problem> {
        self.forget();
        check_rows(&self.limiter, &network(address), rows)
    }

    fn forget(&self) {
        if self.limiter.len() > ADDRESSES_MAX {
            self.limiter.retain_recent();
        }
    }
}

fn later(until: &NotUntil<<DefaultClock as governor::clock::Clock>::Instant>) -> Problem {
    let wait = until.wait_time_from(DefaultClock::default().now());
    Problem::rate_limited(wait.as_secs() + 1)
}

fn check_rows<K: std::hash::Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
    rows: NonZeroU32,
) -> Result<(), Problem> {
    match limiter.check_key_n(key, rows) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(until)) => Err(later(&until)),
        // More rows than ever at once: no request may hold so many.
        Err(_) => Err(Problem::rate_limited(1)),
    }
}

/// Who has an IPv6 address has the /64 around it; an IPv4 address inside one is that address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let mut segments = address.segments();
            segments[4..].fill(0);
            IpAddr::from(segments)
        }
    }
}

impl Limits {
    pub fn new(limits: PublicLimits, throttles: bool) -> Self {
        let (submissions, reads) = limits.0.unzip();
        Self {
            submissions: submissions.and_then(Limit::per_minute),
            reads: reads.and_then(Limit::per_minute),
            sign_ins: throttles.then(|| Limit::per_minute(SIGN_INS_A_MINUTE)).flatten(),
            guesses: throttles.then(|| Limit::per_minute(GUESSES_A_MINUTE)).flatten(),
            reports: throttles.then(Reports::new).flatten(),
        }
    }

    pub fn submission(&self, address: IpAddr) -> Result<(), Problem> {
        self.submissions.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    pub fn sign_in(&self, address: IpAddr) -> Result<(), Problem> {
        self.sign_ins.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    pub fn guess(&self, address: IpAddr) -> Result<(), Problem> {
        self.guesses.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    /// Of rows of events or metrics, reported from there with this key.
    pub fn report(&self, address: IpAddr, access: &Access, rows: usize) -> Result<(), Problem> {
        let rows = u32::try_from(rows).ok().and_then(NonZeroU32::new);
        let (Some(reports), Some(rows)) = (&self.reports, rows) else { return Ok(()) };
        match access.kind {
            KeyKind::Server => check_rows(&reports.by_server_key, &access.id, rows),
            KeyKind::Client => {
                reports.by_address.check_rows(address, rows)?;
                check_rows(&reports.by_client_key, &access.id, rows)
            }
        }
    }

    /// Whether one more person from there may be remembered in an experiment.
    pub fn assignment(&self, address: IpAddr) -> bool {
        self.reports.as_ref().is_none_or(|it| it.assignments.check(address).is_ok())
    }

    pub fn read(&self, address: IpAddr) -> Result<(), Problem> {
        self.reads.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }
}
