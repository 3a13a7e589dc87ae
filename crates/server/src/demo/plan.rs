//! The history of the demo, read from `demo/history.json`. Times are days before the first start.

use std::collections::BTreeMap;
use std::time::Duration;

use musette_core::instant::Instant;
use serde::Deserialize;
use serde_json::Value;

use super::{DemoError, file, wrong};

/// The length of the history in days.
pub const DAYS: u64 = 56;
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Deserialize)]
pub struct DemoPlan {
    pub names: Names,
    pub operators: Vec<PlannedPerson>,
    /// Metrics in addition to those of `flags.json`.
    pub metrics: Vec<Value>,
    /// Flags in addition to those of `flags.json`.
    pub flags: Vec<Value>,
    /// The history of the configuration, the oldest version first.
    pub versions: Vec<Version>,
    pub scheduled: Scheduled,
    pub experiments: Vec<PlannedExposures>,
    pub usage: DemoUsage,
}

#[derive(Deserialize)]
pub struct Names {
    pub first: Vec<String>,
    pub last: Vec<String>,
}

#[derive(Deserialize)]
pub struct PlannedPerson {
    pub user_id: String,
    pub name: String,
}

/// Values by their path in the document, in which array elements are identified by key or ID.
pub type Changes = BTreeMap<String, Value>;

#[derive(Deserialize)]
pub struct Version {
    pub days_ago: u64,
    /// The index of the operator who saves it.
    pub by: usize,
    pub comment: String,
    pub set: Changes,
}

#[derive(Deserialize)]
pub struct Scheduled {
    pub days_ahead: u64,
    pub by: usize,
    pub comment: String,
    pub set: Changes,
}

/// Exposures to an experiment or holdout, and the values that its users report.
#[derive(Deserialize)]
pub struct PlannedExposures {
    /// `experiment` or `holdout`.
    pub kind: String,
    pub key: String,
    pub phase: i64,
    pub metric: String,
    pub from_days_ago: u64,
    pub to_days_ago: u64,
    /// The key of each arm, its number of users, and how many of them have a value of 1.
    pub arms: Vec<(String, u64, u64)>,
}

/// Flags with unusual evaluation counts.
#[derive(Deserialize)]
pub struct DemoUsage {
    pub one_variation: Vec<String>,
    pub unused_since_days: BTreeMap<String, u64>,
}

impl DemoPlan {
    pub fn read() -> Result<Self, DemoError> {
        serde_json::from_slice(&file("history.json")?).map_err(|error| wrong("history.json", error))
    }
}

/// Returns the time `ago` before `now`.
pub fn before(now: Instant, ago: Duration) -> Instant {
    let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
    Instant::from_millis(now.millis().saturating_sub(ago))
}

/// Returns the time `days` days before `now`.
pub fn days_before(now: Instant, days: u64) -> Instant {
    before(now, DAY * u32::try_from(days).unwrap_or(u32::MAX))
}

/// Returns a pseudo-random number from 0 to `below - 1`, which is the same in every demo.
pub fn chance(seed: u64, below: u64) -> u64 {
    let mixed = (seed ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 29) ^ mixed).wrapping_mul(0xbf58_476d_1ce4_e5b9) % below.max(1)
}

/// Applies the changes to the document.
pub fn apply(document: &mut Value, changes: &Changes) -> Result<(), DemoError> {
    for (path, value) in changes {
        let missing = || wrong("history.json", format!("{path} is not in the configuration"));
        let (parent, last) = path.rsplit_once('/').ok_or_else(missing)?;
        let mut place = &mut *document;
        for name in parent.split('/') {
            place = member(place, name).ok_or_else(missing)?;
        }
        match place {
            Value::Object(members) => drop(members.insert(last.to_owned(), value.clone())),
            _ => return Err(missing()),
        }
    }
    Ok(())
}

fn member<'v>(place: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    match place {
        Value::Object(members) => members.get_mut(name),
        Value::Array(items) => {
            let matches = |item: &Value| item["key"] == name || item["id"] == name;
            let index = items.iter().position(matches).or_else(|| name.parse().ok())?;
            items.get_mut(index)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DemoPlan, apply};

    #[test]
    fn finds_objects_by_key_or_id() {
        let mut document =
            json!({"flags": [{"key": "a", "rules": [{"id": "r", "steps": [{"percent": 1}]}]}]});
        let changes = |path: &str| [(path.to_owned(), json!(5))].into();
        apply(&mut document, &changes("flags/a/rules/r/steps/0/percent")).expect("it is there");
        assert_eq!(document["flags"][0]["rules"][0]["steps"][0]["percent"], 5);
        assert!(apply(&mut document, &changes("flags/b/on")).is_err());
    }

    #[test]
    fn the_plan_is_in_chronological_order() {
        let plan = DemoPlan::read().expect("it can be read");
        assert!(plan.versions.is_sorted_by(|a, b| a.days_ago > b.days_ago));
        assert!(plan.versions.iter().all(|version| version.by < plan.operators.len()));
    }
}
