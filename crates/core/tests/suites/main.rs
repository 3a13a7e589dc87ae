//! The suites that other flag services publish for their own clients, run through our importers.
//!
//! What their model and ours share must give their answer. Every other case stands in a list, under
//! the reason; a case that is missing from its list, and one that need not be in it, both fail.

mod growthbook;
mod listed;
mod shares;
mod sticky;
mod unleash;

use std::path::PathBuf;

use musette_core::flags::{Document, FlagId, Moment, NoStickyAssignments, Snapshot};
use musette_core::instant::Instant;
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A snapshot that answers without a memory.
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

    /// The key of the variation and its value.
    fn answer(&self, flag: FlagId, attributes: &Value) -> Option<(String, Value)> {
        let attributes = attributes.to_string();
        let context = self.snapshot.context(&attributes).expect("attributes are an object");
        let now = Instant::parse("2026-11-21T09:00:00Z").expect("an instant");
        let moment = Moment { now, sticky: &NoStickyAssignments };
        let evaluation = self.snapshot.evaluate(flag, &context, &moment);
        let served = evaluation.variation()?;
        Some((served.key.to_owned(), serde_json::from_str(served.json).expect("JSON")))
    }
}
