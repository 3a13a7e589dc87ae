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
}

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
fn network(address: IpAddr) -> IpAddr {
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
    pub fn new(limits: PublicLimits) -> Self {
        let (submissions, reads) = limits.0.unzip();
        Self {
            submissions: submissions.and_then(Limit::per_minute),
            reads: reads.and_then(Limit::per_minute),
        }
    }

    pub fn submission(&self, address: IpAddr) -> Result<(), Problem> {
        self.submissions.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }

    pub fn read(&self, address: IpAddr) -> Result<(), Problem> {
        self.reads.as_ref().map_or(Ok(()), |limit| limit.check(address))
    }
}
