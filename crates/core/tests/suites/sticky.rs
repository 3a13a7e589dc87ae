//! GrowthBook's cases about sticky assignments.
//!
//! If GrowthBook draws a user, only three things must be the same: that Musette draws too, the
//! attribute, and the assignment to store. If GrowthBook uses a stored assignment or excludes the
//! user, the result must be the same too.

use std::collections::HashMap;

use musette_core::flags::{
    Assigned, Assignment, Evaluation, EvaluationInputs, Flag, Participation, Snapshot,
    StickyLookup, import,
};
use musette_core::instant::Instant;
use serde_json::{Value, json};

/// The latest assignments by experiment and unit.
struct StoredAssignments(HashMap<(String, String, String), Assigned>);

impl StoredAssignments {
    fn of(documents: &Value, variations: &[String]) -> Self {
        let mut assignments = HashMap::new();
        for document in documents.as_array().expect("documents") {
            let text = |name: &str| document[name].as_str().expect("a text").to_owned();
            for (versioned_key, variation) in
                document["assignments"].as_object().expect("assignments")
            {
                let (experiment, version) = versioned_key.rsplit_once("__").expect("a version");
                let index: usize =
                    variation.as_str().and_then(|text| text.parse().ok()).expect("an index");
                let assigned = Assigned {
                    variation: variations[index].clone(),
                    bucket_version: version.parse().expect("a version"),
                };
                let key = (experiment.to_owned(), text("attributeName"), text("attributeValue"));
                assignments.insert(key, assigned);
            }
        }
        Self(assignments)
    }
}

impl StickyLookup for StoredAssignments {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        self.0.get(&(experiment.to_owned(), unit_kind.to_owned(), unit.to_owned())).cloned()
    }
}

/// Tests a case `[name, context, assignments, feature, result or null, assignments afterwards]`.
pub fn check(case: &Value) -> Result<(), String> {
    let (context, key) = (&case[1], case[3].as_str().expect("a feature"));
    let payload = json!({ "features": context["features"] });
    let imported = import::growthbook(&payload.to_string()).expect("a payload");
    let flag = imported.document.flags.iter().find(|flag| flag.key == key).expect("a flag");
    let rule = &context["features"][key]["rules"][0];
    let variations: Vec<String> = rule["variations"]
        .as_array()
        .expect("variations")
        .iter()
        .map(|value| variation_key(flag, value))
        .collect();
    let sticky = StoredAssignments::of(&case[2], &variations);
    let snapshot = Snapshot::compile(&imported.document).expect("an import is a valid document");
    let attributes = context["attributes"].to_string();
    let attributes = snapshot.context(&attributes).expect("attributes");
    let moment = EvaluationInputs { now: Instant::from_millis(0), sticky: &sticky };
    let id = snapshot.flag(key).expect("a flag");
    let evaluation = snapshot.evaluate(id, &attributes, &moment);
    check_participation(&evaluation, &case[4])?;
    check_assignment(&evaluation, &case[2], &case[5])
}

fn variation_key(flag: &Flag, value: &Value) -> String {
    let same = |json| serde_json::to_value(json).expect("JSON") == *value;
    let variation = flag.variations.iter().find(|variation| same(&variation.value));
    variation.expect("a variation").key.clone()
}

fn check_participation(evaluation: &Evaluation<'_>, expected: &Value) -> Result<(), String> {
    let part: Option<Participation<'_>> = evaluation.experiment();
    if expected.is_null() {
        return if part.is_none() { Ok(()) } else { Err(format!("{part:?}, not excluded")) };
    }
    let Some(part) = part else { return Err("takes no part".to_owned()) };
    let sticky = expected["stickyBucketUsed"] == true;
    let value: Option<Value> =
        evaluation.variation().and_then(|served| serde_json::from_str(served.json).ok());
    if part.sticky != sticky {
        return Err(format!("sticky is {}", part.sticky));
    }
    if expected["hashAttribute"] != part.unit_kind {
        return Err(format!("drawn by {}", part.unit_kind));
    }
    if sticky && value.as_ref() != Some(&expected["value"]) {
        return Err(format!("{value:?}, not {}", expected["value"]));
    }
    Ok(())
}

/// Checks that the assignment to store is the one that is new in GrowthBook's assignments
/// afterwards.
fn check_assignment(
    evaluation: &Evaluation<'_>,
    before: &Value,
    after: &Value,
) -> Result<(), String> {
    let existed = |name: &str, value: &str, assignment: &str| {
        before.as_array().expect("documents").iter().any(|document| {
            document["attributeName"] == name
                && document["attributeValue"] == value
                && document["assignments"].get(assignment).is_some()
        })
    };
    let mut new = Vec::new();
    for document in after.as_object().expect("documents").values() {
        let text = |name: &str| document[name].as_str().expect("a text");
        let (name, value) = (text("attributeName"), text("attributeValue"));
        for assignment in document["assignments"].as_object().expect("assignments").keys() {
            if !existed(name, value, assignment) {
                new.push(format!("{name}={value} {assignment}"));
            }
        }
    }
    let describe = |assignment: Assignment<'_>| {
        format!(
            "{}={} {}__{}",
            assignment.unit_kind, assignment.unit, assignment.experiment, assignment.bucket_version
        )
    };
    let returned: Vec<String> = evaluation.assign().map(describe).into_iter().collect();
    if returned == new { Ok(()) } else { Err(format!("returns {returned:?}, not {new:?}")) }
}
