//! Rate limits of client addresses and of reports with flag keys. The limits of open connections,
//! requests and streams are in `held`.

pub mod held;

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use ipnet::Ipv6Net;

use crate::flags::ruleset::{Access, KeyKind};
use crate::settings::PublicLimits;
use held::OpenRequests;

/// Too many calls from one address or with one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// Seconds until the next call may succeed.
    pub retry_after_s: u64,
}

struct RateLimit {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
}

/// All rate limits. None means that there is no limit.
pub struct RateLimits {
    submissions: Option<RateLimit>,
    reads: Option<RateLimit>,
    /// Requested codes, and attempts with passwords.
    sign_ins: Option<RateLimit>,
    /// Invalid tokens; valid ones are not counted.
    guesses: Option<RateLimit>,
    reports: Option<Reports>,
    codes: Option<CodeGuesses>,
    held: Option<Arc<OpenRequests>>,
}

/// High, because a depot or a mobile network has one address, and many people start their shift at
/// the same time.
const SIGN_INS_A_MINUTE: u32 = 60;
const GUESSES_A_MINUTE: u32 = 60;

/// Limits of reported events and metrics, in rows. An app reports a handful per visit, a depot with
/// a thousand riders a few thousand at once; all apps share one client key.
struct Reports {
    by_address: RateLimit,
    by_client_key: DefaultKeyedRateLimiter<Arc<str>>,
    by_server_key: DefaultKeyedRateLimiter<Arc<str>>,
    /// New sticky assignments.
    assignments: RateLimit,
}

/// Rows per second, and the burst.
const ROWS_PER_ADDRESS: (u32, u32) = (2_000, 20_000);
const ROWS_PER_CLIENT_KEY: (u32, u32) = (20_000, 200_000);
const ROWS_PER_SERVER_KEY: (u32, u32) = (200_000, 1_000_000);
const ASSIGNMENTS_PER_ADDRESS: (u32, u32) = (50, 1_000);

fn quota((per_second, burst): (u32, u32)) -> Option<Quota> {
    Some(Quota::per_second(NonZeroU32::new(per_second)?).allow_burst(NonZeroU32::new(burst)?))
}

impl Reports {
    fn new() -> Option<Self> {
        let limit = |rate| Some(RateLimit { limiter: RateLimiter::keyed(quota(rate)?) });
        Some(Self {
            by_address: limit(ROWS_PER_ADDRESS)?,
            by_client_key: RateLimiter::keyed(quota(ROWS_PER_CLIENT_KEY)?),
            by_server_key: RateLimiter::keyed(quota(ROWS_PER_SERVER_KEY)?),
            assignments: limit(ASSIGNMENTS_PER_ADDRESS)?,
        })
    }
}

/// The number of addresses in memory above which those with a full quota are dropped.
const ADDRESSES_MAX: usize = 50_000;

impl RateLimit {
    fn per_minute(calls: u32) -> Option<Self> {
        let quota = Quota::per_minute(NonZeroU32::new(calls)?);
        Some(Self { limiter: RateLimiter::keyed(quota) })
    }

    fn check(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.drop_unused();
        self.limiter.check_key(&network(address)).map_err(|until| rate_limited(&until))
    }

    fn check_rows(&self, address: IpAddr, rows: NonZeroU32) -> Result<(), RateLimited> {
        self.drop_unused();
        check_rows(&self.limiter, &network(address), rows)
    }

    fn drop_unused(&self) {
        if self.limiter.len() > ADDRESSES_MAX {
            self.limiter.retain_recent();
        }
    }
}

fn rate_limited(
    until: &NotUntil<<DefaultClock as governor::clock::Clock>::Instant>,
) -> RateLimited {
    let wait = until.wait_time_from(DefaultClock::default().now());
    RateLimited { retry_after_s: wait.as_secs() + 1 }
}

fn check_rows<K: std::hash::Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
    rows: NonZeroU32,
) -> Result<(), RateLimited> {
    match limiter.check_key_n(key, rows) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(until)) => Err(rate_limited(&until)),
        // The request has more rows than the burst allows; request limits prevent this.
        Err(_) => Err(RateLimited { retry_after_s: 1 }),
    }
}

/// Returns the network of one customer: the /64 of an IPv6 address, or the IPv4 address, which may
/// be mapped into IPv6.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Net::new_assert(address, 64).network().into(),
    }
}

const GUESSES_WITHIN: Duration = Duration::from_secs(60);

/// Counts wrong codes of each network: after `GUESSES_A_MINUTE`, no further guess is allowed for a
/// minute. The counts are in memory of each node; the attempts for a code on all nodes are counted
/// in its row of the store.
#[derive(Default)]
struct CodeGuesses(Mutex<HashMap<IpAddr, Guesses>>);

struct Guesses {
    since: Instant,
    count: u32,
}

impl CodeGuesses {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Guesses>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a guess as wrong until it is found to be right, so that concurrent guesses cannot
    /// exceed the limit.
    fn begin(&self, network: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut networks = self.lock();
        let age = |guesses: &Guesses| now.saturating_duration_since(guesses.since);
        if networks.len() > ADDRESSES_MAX {
            networks.retain(|_, guesses| age(guesses) < GUESSES_WITHIN);
            // An attacker with this many networks gains nothing from a reset, and each guess must not
            // have to scan all of them.
            if networks.len() > ADDRESSES_MAX {
                networks.clear();
            }
        }
        let guesses = networks.entry(network).or_insert(Guesses { since: now, count: 0 });
        if age(guesses) >= GUESSES_WITHIN {
            *guesses = Guesses { since: now, count: 0 };
        }
        if guesses.count >= GUESSES_A_MINUTE {
            return Err(GUESSES_WITHIN.saturating_sub(age(guesses)));
        }
        guesses.count += 1;
        if guesses.count == GUESSES_A_MINUTE {
            // The minute without guesses starts with the last one.
            guesses.since = now;
        }
        Ok(())
    }

    fn undo_guess(&self, network: IpAddr) {
        if let Some(guesses) = self.lock().get_mut(&network) {
            guesses.count = guesses.count.saturating_sub(1);
        }
    }
}

impl RateLimits {
    pub fn new(limits: PublicLimits, throttles: bool) -> Self {
        let (submissions, reads) = limits.0.unzip();
        Self {
            submissions: submissions.and_then(RateLimit::per_minute),
            reads: reads.and_then(RateLimit::per_minute),
            sign_ins: throttles.then(|| RateLimit::per_minute(SIGN_INS_A_MINUTE)).flatten(),
            guesses: throttles.then(|| RateLimit::per_minute(GUESSES_A_MINUTE)).flatten(),
            reports: throttles.then(Reports::new).flatten(),
            codes: throttles.then(CodeGuesses::default),
            held: throttles.then(Arc::default),
        }
    }

    /// Returns the limits of open connections, requests and streams.
    pub fn held(&self) -> Option<&Arc<OpenRequests>> {
        self.held.as_ref()
    }

    pub fn submission(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.submissions.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    pub fn sign_in(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.sign_ins.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    pub fn guess(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.guesses.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    /// Counts rows of events or metrics that this address reports with this key.
    pub fn report(&self, address: IpAddr, access: &Access, rows: usize) -> Result<(), RateLimited> {
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

    /// Returns whether one more user from this address may get a sticky assignment.
    pub fn assignment(&self, address: IpAddr) -> bool {
        self.reports.as_ref().is_none_or(|reports| reports.assignments.check(address).is_ok())
    }

    /// Counts a guess before the code is checked, so that a limited client does not learn whether
    /// it is right.
    pub fn code_guess(&self, address: IpAddr) -> Result<(), RateLimited> {
        let Some(codes) = &self.codes else { return Ok(()) };
        codes
            .begin(network(address), Instant::now())
            .map_err(|wait| RateLimited { retry_after_s: wait.as_secs() + 1 })
    }

    /// Removes the guess from the count, because it was right.
    pub fn right_code(&self, address: IpAddr) {
        if let Some(codes) = &self.codes {
            codes.undo_guess(network(address));
        }
    }

    pub fn read(&self, address: IpAddr) -> Result<(), RateLimited> {
        self.reads.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeGuesses, GUESSES_A_MINUTE, GUESSES_WITHIN};
    use std::net::IpAddr;
    use std::time::{Duration, Instant};

    #[test]
    fn blocks_for_a_minute_after_too_many_wrong_guesses() {
        let (guesses, address, start) =
            (CodeGuesses::default(), IpAddr::from([10, 0, 0, 1]), Instant::now());
        let begin = |at: Duration| guesses.begin(address, start + at);
        for _ in 0..1000 {
            assert!(begin(Duration::ZERO).is_ok());
            guesses.undo_guess(address);
        }
        let second = Duration::from_secs(1);
        let accepted = (0..1000).filter(|_| begin(second).is_ok()).count();
        assert_eq!(accepted, GUESSES_A_MINUTE as usize);
        let late = Duration::from_secs(31);
        assert_eq!(begin(late), Err(Duration::from_secs(30)));
        assert!(guesses.begin(IpAddr::from([10, 0, 0, 2]), start + late).is_ok());
        assert!(begin(second + GUESSES_WITHIN).is_ok());
    }
}
