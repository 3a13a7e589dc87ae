//! Runs the suites that other flag services publish for their clients through Musette's importers.
//!
//! Cases that use only common features must give the same result. All other cases are in a list,
//! grouped by reason. The test fails if a case is missing in its list, or if a listed case passes.

mod growthbook;
mod listed;
mod shares;
mod sticky;
mod unleash;

use std::path::PathBuf;

use musette_core::flags::{Document, EvaluationInputs, FlagId, NoStickyAssignments, Snapshot};
use musette_core::instant::Instant;
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A snapshot without sticky assignments.
struct Imported {
    snapshot: Snapshot,
}

impl Imported {
    fn of(document: &Document) -> Self {
        Self { snapshot: Snapshot::compile(document).expect("an import is a valid document") }
    }

    fn flag(&self, key: &str) -> Option<FlagId> {
        self.snapshot.flag(key)
    }

    /// Returns the key of the variation and its value.
    fn answer(&self, flag: FlagId, attributes: &Value) -> Option<(String, Value)> {
        self.answer_at("2026-11-21T09:00:00Z", flag, attributes)
    }

    fn answer_at(&self, now: &str, flag: FlagId, attributes: &Value) -> Option<(String, Value)> {
        let attributes = attributes.to_string();
        let context = self.snapshot.context(&attributes).expect("attributes are an object");
        let now = Instant::parse(now).expect("an instant");
        let moment = EvaluationInputs { now, sticky: &NoStickyAssignments };
        let evaluation = self.snapshot.evaluate(flag, &context, &moment);
        let served = evaluation.variation()?;
        Some((served.key.to_owned(), serde_json::from_str(served.json).expect("JSON")))
    }
}
