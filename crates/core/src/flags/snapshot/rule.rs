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
    /// Where other rules have the same condition.
    pub memo: Option<MemoId>,
    /// The first of its answers among the flag's.
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
    /// From when on, in milliseconds, how many buckets are in.
    pub steps: Box<[(i64, u32)]>,
    pub variation: u16,
}

impl Rollout {
    pub fn steps(rollout: &document::Rollout) -> Box<[(i64, u32)]> {
        let steps = rollout.steps.iter().map(|step| {
            let at = step.at.as_deref().and_then(|at| Instant::parse(at).ok());
            (at.map_or(i64::MIN, Instant::millis), step.percent.thousandths())
        });
        steps.collect()
    }

    /// How many buckets are in now.
    #[inline]
    pub fn reach(&self, now: Instant) -> u32 {
        // Most rollouts have one step, and it has begun.
        match &self.steps[..] {
            [(at, buckets)] if *at <= now.millis() => *buckets,
            steps => {
                let begun = steps.iter().rev().find(|(at, _)| *at <= now.millis());
                begun.map_or(0, |(_, buckets)| *buckets)
            }
        }
    }

    /// Whether anybody is in, at any time.
    pub fn reaches_somebody(&self) -> bool {
        self.steps.iter().any(|(_, buckets)| *buckets > 0)
    }

    #[inline]
    pub fn takes(&self, unit: &str, reach: u32) -> bool {
        reach >= BUCKETS || self.draw.bucket(unit) < reach
    }
}
