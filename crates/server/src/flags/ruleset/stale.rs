//! Finds stale flags, which could be removed from the code because they no longer decide anything.

use std::collections::BTreeMap;

use musette_core::flags::{
    Document, ExperimentStatus, Flag, Holdout, HoldoutStatus, Mode, Scope, Serve,
};
use musette_core::instant::Instant;
use musette_store::FlagUsage;
use serde::Serialize;

/// The days without a change or a second value after which a flag is stale.
pub const DAYS: i64 = 30;
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const HUNDRED_PERCENT: u32 = 100_000;

/// The reason why a flag is stale: `one_value` (all people got the same value for 30 days),
/// `unused` (not evaluated for 30 days), or `rollout_complete` (a rollout has reached 100 %).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StaleReason {
    /// All people got the same value for 30 days.
    OneValue,
    /// Not evaluated for 30 days.
    Unused,
    /// A rollout has reached 100 %.
    RolloutComplete,
}

/// A flag that can be removed from the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct StaleFlag {
    /// The key of the flag.
    pub flag: String,
    /// The owner of the flag. Absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The reasons why it is stale.
    pub reasons: Vec<StaleReason>,
    /// The key of the variation that all people got. Absent if people got several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<String>,
    /// The number of evaluations in this period.
    #[schema(minimum = 0)]
    pub asked: i64,
}

/// Returns the stale flags of `document` in its order. `before` is the document that was current 30
/// days ago, and `usage` the counts since then.
pub fn stale(
    document: &Document,
    before: Option<&Document>,
    usage: &[FlagUsage],
    now: Instant,
) -> Vec<StaleFlag> {
    let mut counted: BTreeMap<&str, Vec<&FlagUsage>> = BTreeMap::new();
    for row in usage.iter().filter(|row| row.count > 0) {
        counted.entry(&row.flag).or_default().push(row);
    }
    let is_in_use = |flag: &Flag| {
        has_running_experiment(flag)
            || document.holdouts.iter().any(|holdout| needs_flag(holdout, flag, now))
    };
    let candidates = document.flags.iter().filter(|flag| !flag.archived && !is_in_use(flag));
    candidates
        .filter_map(|flag| {
            let counted = counted.get(flag.key.as_str()).map_or(&[][..], Vec::as_slice);
            let is_old =
                before.is_some_and(|before| before.flags.iter().any(|old| old.key == flag.key));
            let mut reasons = Vec::new();
            let mut variation = None;
            match counted {
                [] if is_old => reasons.push(StaleReason::Unused),
                [one] if is_old => {
                    reasons.push(StaleReason::OneValue);
                    variation =
                        Some(one.variation.clone()).filter(|variation| !variation.is_empty());
                }
                _ => {}
            }
            if has_complete_rollout(flag, now) {
                reasons.push(StaleReason::RolloutComplete);
            }
            let evaluations = counted.iter().map(|row| row.count).sum();
            let (key, owner) = (flag.key.clone(), flag.owner.clone());
            let stale = StaleFlag { flag: key, owner, reasons, variation, asked: evaluations };
            (!stale.reasons.is_empty()).then_some(stale)
        })
        .collect()
}

fn has_running_experiment(flag: &Flag) -> bool {
    flag.rules.iter().any(|rule| match &rule.serve {
        Serve::Experiment(experiment) => experiment.status == ExperimentStatus::Running,
        _ => false,
    })
}

fn has_complete_rollout(flag: &Flag, now: Instant) -> bool {
    flag.rules.iter().any(|rule| {
        let Serve::Rollout(rollout) = &rule.serve else { return false };
        let last = rollout.steps.last();
        last.is_some_and(|step| {
            step.percent.thousandths() == HUNDRED_PERCENT && has_passed(&step.at, now)
        })
    })
}

/// Returns whether a holdout needs the flag: the code for held-out users must remain while the
/// holdout runs.
fn needs_flag(holdout: &Holdout, flag: &Flag, now: Instant) -> bool {
    let is_live = matches!(holdout.status, HoldoutStatus::Running | HoldoutStatus::Analysis)
        && holdout.schedule.as_ref().is_none_or(|schedule| {
            has_passed(&schedule.start_at, now)
                && (schedule.stop_at.is_none() || !has_passed(&schedule.stop_at, now))
        });
    let applies = match holdout.applies.mode {
        Mode::Global => !holdout.applies.except_flags.contains(&flag.key),
        Mode::Selected => {
            holdout.applies.flags.contains(&flag.key)
                || flag.tags.iter().any(|tag| holdout.applies.tags.contains(tag))
        }
    };
    // A holdout of experiments does not affect a flag without a running experiment.
    is_live && applies && holdout.scope == Scope::All
}

/// Returns whether a time has passed; an absent time counts as passed.
fn has_passed(at: &Option<String>, now: Instant) -> bool {
    at.as_deref().is_none_or(|at| Instant::parse(at).is_ok_and(|at| at <= now))
}

#[cfg(test)]
mod tests;
