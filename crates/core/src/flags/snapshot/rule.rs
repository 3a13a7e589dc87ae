//! A compiled rule.

use super::condition::Condition;
use super::experiment::Experiment;
use super::pieces::Explanation;
use crate::flags::bucket::{BUCKETS, Draw};
use crate::flags::context::{MemoId, SlotId};
use crate::flags::document;
use crate::instant::Instant;

#[derive(Debug)]
pub(in crate::flags) struct Rule {
    /// The step in a trace, such as `rule:r1`.
    pub step: Box<str>,
    pub when: Condition,
    pub serve: Serve,
    pub explanation: Explanation,
    /// Id of the stored result, if other rules have the same condition.
    pub memo: Option<MemoId>,
    /// Index of the rule's first prepared result in the snapshot.
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
    /// Start of the first step in milliseconds, and its number of buckets. Most rollouts have one
    /// step, which is stored here without a pointer.
    first: (i64, u32),
    later: Box<[(i64, u32)]>,
}

impl Rollout {
    /// Compiles a rollout; returns `None` if it never includes any unit.
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
        let has_users = rollout.steps().any(|(_, buckets)| buckets > 0);
        has_users.then_some(rollout)
    }

    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (i64, u32)> + '_ {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// Returns the number of buckets that are included now.
    #[inline]
    pub fn reach(&self, now: Instant) -> u32 {
        let current = self.later.iter().rev().find(|(at, _)| *at <= now.millis());
        let (at, buckets) = current.unwrap_or(&self.first);
        if *at <= now.millis() { *buckets } else { 0 }
    }

    #[inline]
    pub fn takes(&self, unit: &str, reach: u32) -> bool {
        reach >= BUCKETS || self.draw.bucket(unit) < reach
    }
}
