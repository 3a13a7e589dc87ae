//! GrowthBook's cases about assignments that are remembered.
//!
//! Where GrowthBook draws, only this must be the same: that we draw, by which attribute, and what is
//! to be remembered. Where it goes by its memory, or excludes, the answer too.

use std::collections::HashMap;

use musette_core::flags::{
    Assigned, Assignment, Evaluation, Flag, Moment, Participation, Snapshot, StickyLookup, import,
};
use musette_core::instant::Instant;
use serde_json::{Value, json};

/// By unit and experiment, the latest.
struct Remembered(HashMap<(String, String, String), Assigned>);

impl Remembered {
    fn of(documents: &Value, variations: &[String]) -> Self {
        let mut remembered = HashMap::new();
        for document in documents.as_array().expect("documents") {
            let text = |name: &str| document[name].as_str().expect("a text").to_owned();
            for (named, variation) in document["assignments"].as_object().expect("assignments") {
                let (experiment, version) = named.rsplit_once("__").expect("a version");
                let index: usize =
                    variation.as_str().and_then(|text| text.parse().ok()).expect("an index");
                let assigned = Assigned {
                    variation: variations[index].clone(),
                    bucket_version: version.parse().expect("a version"),
                };
                let key = (experiment.to_owned(), text("attributeName"), text("attributeValue"));
                remembered.insert(key, assigned);
            }
        }
        Self(remembered)
    }
}

impl StickyLookup for Remembered {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        self.0.get(&(experiment.to_owned(), unit_kind.to_owned(), unit.to_owned())).cloned()
    }
}

/// `[name, context, remembered, feature, result or null, remembered afterwards]`.
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
        .map(|value| named(flag, value))
        .collect();
    let sticky = Remembered::of(&case[2], &variations);
    let snapshot = Snapshot::compile(&imported.document).expect("an import is a valid document");
    let attributes = context["attributes"].to_string();
    let attributes = snapshot.context(&attributes).expect("attributes");
    let moment = Moment { now: Instant::from_millis(0), sticky: &sticky };
    let id = snapshot.flag(key).expect("a flag");
    let evaluation = snapshot.evaluate(id, &attributes, &moment);
    took_part(&evaluation, &case[4])?;
    remembers(&evaluation, &case[2], &case[5])
}

fn named(flag: &Flag, value: &Value) -> String {
    let same = |json| serde_json::to_value(json).expect("JSON") == *value;
    let variation = flag.variations.iter().find(|variation| same(&variation.value));
    variation.expect("a variation").key.clone()
}

fn took_part(evaluation: &Evaluation<'_>, expected: &Value) -> Result<(), String> {
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

/// What is new in the memory afterwards is what we ask to remember.
fn remembers(evaluation: &Evaluation<'_>, before: &Value, after: &Value) -> Result<(), String> {
    let known = |name: &str, value: &str, assignment: &str| {
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
            if !known(name, value, assignment) {
                new.push(format!("{name}={value} {assignment}"));
            }
        }
    }
    let asked = |it: Assignment<'_>| {
        format!("{}={} {}__{}", it.unit_kind, it.unit, it.experiment, it.bucket_version)
    };
    let asked: Vec<String> = evaluation.assign().map(asked).into_iter().collect();
    if asked == new { Ok(()) } else { Err(format!("remembers {asked:?}, not {new:?}")) }
}
