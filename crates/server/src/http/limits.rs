//! How often an address without a session may call.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::problem::Problem;
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
}

/// A depot or a mobile network is one address to us: many people start their shift at once.
const SIGN_INS_A_MINUTE: u32 = 60;
const GUESSES_A_MINUTE: u32 = 60;

/// So many addresses may be remembered before those that are full again are forgotten.
const ADDRESSES_MAX: usize = 50_000;

impl Limit {
    fn per_minute(calls: u32) -> Option<Self> {
        let quota = Quota::per_minute(NonZeroU32::new(calls)?);
        Some(Self { limiter: RateLimiter::keyed(quota) })
    }

    fn check(&self, address: IpAddr) -> Result<(), Problem> {
        if self.limiter.len() > ADDRESSES_MAX {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&network(address)).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Problem::rate_limited(wait.as_secs() + 1)
        })
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

    pub fn read(&self, address: IpAddr) -> Result<(), Problem> {
        self.reads.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }
}
