//! Relevant attributes: those that the result of a flag can depend on, through its overrides,
//! prerequisites, holdouts and rules, and everything that these refer to.

use std::collections::BTreeSet;

use crate::flags::context::SlotId;
use crate::flags::json::json_text;
use crate::flags::snapshot::{Condition, Flag, Prerequisite, Serve, Snapshot};

#[derive(Debug, Clone, Default)]
struct Relevant {
    slots: BTreeSet<SlotId>,
    /// Sticky experiments: flag and rule.
    sticky: BTreeSet<(u32, u32)>,
}

/// Computes the relevant attributes and stores them in the flags.
pub(super) fn fill(snapshot: &mut Snapshot) {
    let mut results = vec![None; snapshot.flags.len()];
    for flag in 0..snapshot.flags.len() {
        of_flag(snapshot, flag, &mut results);
    }
    let count = snapshot.slots.names.len() as u16;
    let mut by_name: Vec<SlotId> = (0..count).map(SlotId).collect();
    by_name.sort_by_key(|slot| snapshot.attribute(*slot));
    let names: Vec<String> =
        (0..count).map(|slot| json_text(snapshot.attribute(SlotId(slot)))).collect();
    for (flag, relevant) in snapshot.flags.iter_mut().zip(results) {
        let Relevant { slots, sticky } = relevant.unwrap_or_default();
        let sorted = by_name.iter().filter(|slot| slots.contains(slot));
        flag.relevant = sorted.copied().collect();
        flag.sticky = sticky.into_iter().collect();
        let mut tail = String::from(r#","relevantContext":["#);
        for (index, slot) in flag.relevant.iter().enumerate() {
            if index > 0 {
                tail.push(',');
            }
            tail.push_str(&names[usize::from(slot.0)]);
        }
        tail.push(']');
        flag.tail_of_v2 = tail.len() as u32;
        tail.push_str(r#","holdoutsEvaluations":["#);
        flag.tail = tail.into();
    }
}

fn of_flag(snapshot: &Snapshot, number: usize, results: &mut Vec<Option<Relevant>>) -> Relevant {
    if let Some(result) = &results[number] {
        return result.clone();
    }
    let flag = &snapshot.flags[number];
    let mut relevant = Relevant::default();
    relevant.slots.extend(flag.overrides.iter().map(|entry| entry.unit));
    let mut can_pass = true;
    for Prerequisite { flag: other, .. } in &flag.prerequisites {
        let of_other = of_flag(snapshot, *other as usize, results);
        relevant.slots.extend(of_other.slots);
        relevant.sticky.extend(of_other.sticky);
        if snapshot.flags[*other as usize].is_off {
            // A prerequisite that is off is never met, so nothing after it is evaluated.
            can_pass = false;
            break;
        }
    }
    if can_pass {
        of_holdouts(snapshot, flag, &mut relevant);
        of_rules(snapshot, number, flag, &mut relevant);
    }
    results[number] = Some(relevant.clone());
    relevant
}

fn of_holdouts(snapshot: &Snapshot, flag: &Flag, relevant: &mut Relevant) {
    for number in &flag.holdouts {
        let holdout = &snapshot.holdouts[usize::from(*number)];
        relevant.slots.insert(holdout.unit);
        if let Some(population) = &holdout.population {
            of_condition(snapshot, population, &mut relevant.slots);
        }
    }
}

fn of_rules(snapshot: &Snapshot, number: usize, flag: &Flag, relevant: &mut Relevant) {
    for (rule, at) in flag.rules.iter().zip(0..) {
        of_condition(snapshot, &rule.when, &mut relevant.slots);
        match &rule.serve {
            Serve::Variation(_) => {}
            Serve::Rollout(rollout) => {
                relevant.slots.insert(rollout.unit);
            }
            Serve::Experiment(experiment) => {
                relevant.slots.insert(experiment.unit);
                relevant.slots.extend(experiment.fallback_unit);
                if experiment.sticky {
                    relevant.sticky.insert((number as u32, at));
                }
            }
        }
    }
}

fn of_condition(snapshot: &Snapshot, condition: &Condition, slots: &mut BTreeSet<SlotId>) {
    match condition {
        Condition::Always(_) => {}
        Condition::All(parts) | Condition::Any(parts) => {
            for part in parts {
                of_condition(snapshot, part, slots);
            }
        }
        Condition::Not(part) => of_condition(snapshot, part, slots),
        Condition::Segment(number) => {
            of_condition(snapshot, &snapshot.segments[*number as usize], slots);
        }
        Condition::Test(slot, _) => {
            slots.insert(*slot);
        }
    }
}
