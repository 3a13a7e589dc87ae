//! A rule with everything resolved.

use super::condition::Condition;
use super::experiment::Experiment;
use super::pieces::Explanation;
use crate::flags::bucket::{BUCKETS, Draw};
use crate::flags::context::{MemoId, SlotId};
use crate::flags::document;
use crate::instant::Instant;

#[derive(Debug)]
pub(in crate::flags) struct Rule {
    /// `rule:r1`
    pub step: Box<str>,
    pub when: Condition,
    pub serve: Serve,
    pub explanation: Explanation,
    /// Set where other rules have the same condition.
    pub memo: Option<MemoId>,
    /// The first of its answers among the snapshot's.
    pub whole: u32,
}

#[derive(Debug)]
pub(in crate::flags) enum Serve {
    Variation(u16),
    Rollout(Rollout),
    Experiment(Box<Experiment>),
}

#[derive(Debug)]
pub(in crate::flags) struct Rollout {
    pub unit: SlotId,
    pub draw: Draw,
    pub variation: u16,
    /// From when on, in milliseconds, how many buckets are in. Most rollouts have one step: it is found
    /// without a look elsewhere.
    first: (i64, u32),
    later: Box<[(i64, u32)]>,
}

impl Rollout {
    /// None where nobody is in, at any time.
    pub fn new(
        rollout: &document::Rollout,
        unit: SlotId,
        draw: Draw,
        variation: u16,
    ) -> Option<Self> {
        let mut steps = rollout.steps.iter().map(|step| {
            let at = step.at.as_deref().and_then(|at| Instant::parse(at).ok());
            (at.map_or(i64::MIN, Instant::millis), step.percent.thousandths())
        });
        let rollout = Self { unit, draw, variation, first: steps.next()?, later: steps.collect() };
        let reaches_somebody = rollout.steps().any(|(_, buckets)| buckets > 0);
        reaches_somebody.then_some(rollout)
    }

    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (i64, u32)> + '_ {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// How many buckets are in now.
    #[inline]
    pub fn reach(&self, now: Instant) -> u32 {
        let begun = self.later.iter().rev().find(|(at, _)| *at <= now.millis());
        let (at, buckets) = begun.unwrap_or(&self.first);
        if *at <= now.millis() { *buckets } else { 0 }
    }

    #[inline]
    pub fn takes(&self, unit: &str, reach: u32) -> bool {
        reach >= BUCKETS || self.draw.bucket(unit) < reach
    }
}
