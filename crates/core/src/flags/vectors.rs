//! `testdata/flags-buckets.json` and `testdata/flags-evaluation.json`: the expected results of all
//! implementations, in any language. `UPDATE=1 cargo test -p musette-core flags::vectors` rewrites
//! them.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::bucket::{Draw, murmur3};
use super::{ApiVersion, Assigned, Document, EvaluationInputs, Snapshot, StickyLookup};
use crate::instant::Instant;

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(file)
}

#[track_caller]
fn assert_up_to_date(file: &str, vectors: &Value) {
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(vectors).expect("JSON");
        std::fs::write(path(file), format!("{text}\n")).expect("written");
    }
    let stored = std::fs::read_to_string(path(file)).expect(file);
    let stored: Value = serde_json::from_str(&stored).expect("JSON");
    assert!(stored == *vectors, "testdata/{file} is out of date: run with UPDATE=1");
}

#[test]
fn buckets() {
    let salts = ["k2", "91b2", "", "ключ", "a:b"];
    let units = [
        "",
        "u1",
        "rider-00000042",
        "42",
        "-0.5",
        "é",
        "😀",
        "0192f7c4-5f0c-7000-8000-0242ac120002",
    ];
    let mut cases = Vec::new();
    for salt in salts {
        for unit in units {
            for (draw, input) in [
                (Draw::rollout(salt, "r1"), format!("r:{salt}:r1:{unit}")),
                (Draw::split(salt), format!("v:{salt}:{unit}")),
                (Draw::layer(salt), format!("l:{salt}:{unit}")),
                (Draw::holdout(salt), format!("h:{salt}:{unit}")),
            ] {
                let hash = murmur3(input.as_bytes());
                cases.push(json!({"input": input, "hash": hash, "bucket": draw.bucket(unit)}));
            }
        }
    }
    // The limits of the hash range are the limits of the bucket range.
    for input in ["ejOoVL", "bY9fO-", "SI7p-", "6LvT0", "ceQdGm"] {
        let hash = murmur3(input.as_bytes());
        let bucket = (u64::from(hash) * 100_000) >> 32;
        cases.push(json!({"input": input, "hash": hash, "bucket": bucket}));
    }
    let rule = "bucket = (murmur3_x86_32(input as UTF-8, seed 0) * 100000) >> 32";
    assert_up_to_date("flags-buckets.json", &json!({"rule": rule, "cases": cases}));
}

/// The sticky assignments of the vectors.
struct StoredAssignments<'v>(&'v Value);

impl StickyLookup for StoredAssignments<'_> {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        let mut all = self.0.as_array()?.iter();
        let entry = all.find(|entry| {
            entry["experiment"] == experiment
                && entry["unitKind"] == unit_kind
                && entry["unit"] == unit
        })?;
        let bucket_version = entry["bucketVersion"].as_u64()? as u32;
        Some(Assigned { variation: entry["variation"].as_str()?.to_owned(), bucket_version })
    }
}

#[test]
fn evaluation() {
    let document: Value =
        serde_json::from_str(include_str!("vectors/document.json")).expect("JSON");
    let parsed = Document::parse(&document.to_string()).expect("valid");
    let snapshot = Snapshot::compile(&parsed).expect("valid");
    let cases: Vec<Value> = serde_json::from_str(include_str!("vectors/cases.json")).expect("JSON");
    let mut kinds = std::collections::BTreeSet::new();
    let evaluated = cases.into_iter().map(|mut case| {
        let now = Instant::parse(case["now"].as_str().expect("an instant")).expect("an instant");
        let flag = snapshot.flag(case["flag"].as_str().expect("a flag")).expect("a flag");
        let attributes = case["attributes"].to_string();
        let context = snapshot.context(&attributes).expect("attributes");
        let moment = EvaluationInputs { now, sticky: &StoredAssignments(&case["remembered"]) };
        let answer = snapshot.evaluate(flag, &context, &moment);
        kinds.insert(answer.kind().as_str());
        let mut out = Vec::new();
        answer.write(ApiVersion::V3, &mut out);
        let assign = answer.assign().map(|assignment| {
            json!({"unitKind": assignment.unit_kind, "unit": assignment.unit, "variation": assignment.variation,
                   "bucketVersion": assignment.bucket_version, "copied": assignment.copied})
        });
        case["answer"] = serde_json::from_slice(&out).expect("JSON");
        case["assign"] = assign.into();
        // The author of the case states the expected answer.
        assert_eq!(case["answer"]["explanation"]["kind"], case["expect"], "{}", case["case"]);
        case
    });
    let evaluated: Vec<Value> = evaluated.collect();
    assert_eq!(kinds.len(), 9, "each kind has a case: {kinds:?}");
    assert_up_to_date("flags-evaluation.json", &json!({"document": document, "cases": evaluated}));
}
