use std::collections::HashMap;

use super::{ApiVersion, Evaluation, ExplanationKind, Group};
use crate::flags::{
    Assigned, Diagnostic, Document, EvaluationInputs, NoStickyAssignments, Snapshot, StickyLookup,
};
use crate::instant::Instant;

mod answers;
mod experiments;
mod holdouts;
mod notices;
mod order;
mod properties;
mod rollouts;

/// Parses a document with these parts, as JSON, and defaults for the rest.
fn document(parts: &str) -> Result<Document, Vec<Diagnostic>> {
    Document::parse(&format!(r#"{{"schema":"musette.flags/1","environment":"test",{parts}}}"#))
}

#[track_caller]
fn snapshot(parts: &str) -> Snapshot {
    let document = document(parts).expect("a valid document");
    Snapshot::compile(&document).expect("what was parsed compiles")
}

/// 2026-11-21T09:30:00Z.
const NOW: Instant = Instant::from_millis(1_795_253_400_000);

fn at(now: Instant) -> EvaluationInputs<'static> {
    EvaluationInputs { now, sticky: &NoStickyAssignments }
}

/// Assignments by experiment, kind of unit and unit.
#[derive(Debug, Default)]
struct StoredAssignments(HashMap<(String, String, String), Assigned>);

impl StoredAssignments {
    fn with(mut self, place: [&str; 3], variation: &str, bucket_version: u32) -> Self {
        let [experiment, kind, unit] = place.map(str::to_owned);
        let variation = variation.to_owned();
        self.0.insert((experiment, kind, unit), Assigned { variation, bucket_version });
        self
    }
}

impl StickyLookup for StoredAssignments {
    fn assigned(&self, experiment: &str, unit_kind: &str, unit: &str) -> Option<Assigned> {
        let place = [experiment, unit_kind, unit].map(str::to_owned);
        self.0.get(&place.into()).cloned()
    }
}

/// Describes a result for a table as `KIND from key`.
fn describe(evaluation: &Evaluation<'_>) -> String {
    let key = evaluation.variation().map_or("-", |variation| variation.key);
    format!("{} {} {key}", evaluation.kind().as_str(), evaluation.from())
}

#[track_caller]
fn answer(snapshot: &Snapshot, flag: &str, attributes: &str) -> String {
    let context = snapshot.context(attributes).expect("attributes");
    describe(&snapshot.evaluate(snapshot.flag(flag).expect(flag), &context, &at(NOW)))
}

fn write(snapshot: &Snapshot, flag: &str, attributes: &str, version: ApiVersion) -> String {
    let context = snapshot.context(attributes).expect("attributes");
    let mut out = Vec::new();
    snapshot
        .evaluate(snapshot.flag(flag).expect(flag), &context, &at(NOW))
        .write(version, &mut out);
    String::from_utf8(out).expect("UTF-8")
}
