//! Our engine, `musette-core`.

use std::hint::black_box;

use musette_core::flags::{
    ApiVersion, Context, Document, EvaluationInputs, NoStickyAssignments, Snapshot,
};
use musette_core::instant::Instant;
use serde_json::{Value, json};

use crate::workload::{APP_VERSION, COUNTRIES, COUNTRY, HOURS, USER, VERSION_ABOVE, WORKED, names};
use crate::{Engine, least_ns};

const NOW: Instant = Instant::from_millis(1_795_000_000_000);

pub struct Musette {
    snapshot: &'static Snapshot,
    /// Flags that share no condition. The result of a shared condition is cached in the context,
    /// and repeated evaluations of one flag must not hit that cache.
    unlike: &'static Snapshot,
    /// The context for `unlike`.
    context: Context<'static>,
    attributes: &'static str,
}

fn flag(name: &str, version_above: &str) -> Value {
    json!({
        "key": name, "type": "boolean", "on": true, "salt": name, "clientVisible": true,
        "variations": [{"key": "on", "value": true}, {"key": "off", "value": false}],
        "offVariation": "off", "defaultVariation": "off", "baselineVariation": "off",
        "rules": [{"id": "r", "when": {"all": [
            {"attr": "country", "op": "in", "values": COUNTRIES},
            {"attr": "appVersion", "op": "semver_gt", "value": version_above},
            {"attr": "hours", "op": "gte", "value": HOURS},
        ]}, "serve": {"rollout": {
            "unit": "userId", "variation": "on",
            "steps": [{"at": "2026-01-01T00:00:00Z", "percent": 50}],
        }}}],
    })
}

fn document(names: impl Iterator<Item = String>) -> Document {
    document_of(names.map(|name| flag(&name, VERSION_ABOVE)).collect())
}

fn document_of(flags: Vec<Value>) -> Document {
    let document = json!({
        "schema": "musette.flags/1", "environment": "bench", "version": 1,
        "attributes": [
            {"name": "country", "type": "string"}, {"name": "appVersion", "type": "semver"},
            {"name": "hours", "type": "number"},
        ],
        "segments": [], "layers": [], "holdouts": [], "flags": flags,
    });
    Document::parse(&document.to_string()).expect("a valid document")
}

fn compiled(document: &Document) -> &'static Snapshot {
    Box::leak(Box::new(Snapshot::compile(document).expect("compiles")))
}

fn ask(snapshot: &Snapshot, flag: &str, context: &Context<'_>) -> bool {
    let flag = snapshot.flag(flag).expect("a flag of the workload");
    let moment = EvaluationInputs { now: NOW, sticky: &NoStickyAssignments };
    let evaluation = snapshot.evaluate(flag, context, &moment);
    evaluation.variation().is_some_and(|variation| variation.key == "on")
}

impl Musette {
    pub fn new() -> Self {
        let attributes = json!({
            "userId": USER, "country": COUNTRY, "appVersion": APP_VERSION, "hours": WORKED,
        });
        let attributes: &'static str = attributes.to_string().leak();
        let unlike = names().enumerate().map(|(n, name)| flag(&name, &format!("2.1.{n}")));
        let unlike = compiled(&document_of(unlike.collect()));
        let context = unlike.context(attributes).expect("attributes");
        Self { snapshot: compiled(&document(names())), unlike, context, attributes }
    }

    /// Prepares the context in this call, so that nothing is reused from the previous one.
    fn all_of(&self, snapshot: &Snapshot) -> usize {
        let context = snapshot.context(self.attributes).expect("attributes");
        let moment = EvaluationInputs { now: NOW, sticky: &NoStickyAssignments };
        let mut out = Vec::with_capacity(64 * 1024);
        let mut on = 0;
        for flag in snapshot.flags() {
            let evaluation = snapshot.evaluate(flag, &context, &moment);
            on +=
                usize::from(evaluation.variation().is_some_and(|variation| variation.key == "on"));
            evaluation.write(ApiVersion::V3, &mut out);
        }
        black_box(&out);
        on
    }
}

impl Engine for Musette {
    fn name(&self) -> &'static str {
        "musette"
    }

    fn one(&self, flag: &str) -> bool {
        ask(self.unlike, flag, &self.context)
    }

    fn one_prepared_for_it(&self, flag: &str) -> bool {
        ask(self.snapshot, flag, &self.snapshot.context(self.attributes).expect("attributes"))
    }

    fn all(&self) -> usize {
        self.all_of(self.snapshot)
    }
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Measurements of our engine alone.
pub fn extras() {
    let engine = Musette::new();
    let mut out = Vec::new();
    let moment = EvaluationInputs { now: NOW, sticky: &NoStickyAssignments };
    let context = engine.snapshot.context(engine.attributes).expect("attributes");
    for flag in engine.snapshot.flags() {
        engine.snapshot.evaluate(flag, &context, &moment).write(ApiVersion::V3, &mut out);
    }
    println!("JSON of ours for 100 flags: {} bytes", out.len());
    let took = least_ns(200, || {
        black_box(engine.all_of(engine.unlike));
    });
    println!(
        "In this workload all flags have the same conditions, which ours works out once for a person. Where no two have the same, 100 flags take it {:.2} µs.",
        took / 1000.0
    );

    let ten_thousand = document((0..10_000).map(|n| format!("flag-{n}")));
    let text = ten_thousand.to_json();
    // Several snapshots, because the first ones fill memory that parsing the document has freed.
    let compiled = || Snapshot::compile(&ten_thousand).expect("compiles");
    let filling: Vec<Snapshot> = (0..8).map(|_| compiled()).collect();
    let before = resident_kib();
    let snapshots: Vec<Snapshot> = (0..8).map(|_| compiled()).collect();
    let each = resident_kib().saturating_sub(before) / 8;
    drop(filling);
    let compile = least_ns(1, || {
        black_box(Snapshot::compile(&ten_thousand).is_ok());
    });
    let parse = least_ns(1, || {
        black_box(Document::parse(&text).is_ok());
    });
    println!(
        "10,000 flags: snapshot built in {:.1} ms, about {} KiB; document of {} KiB read and checked in {:.1} ms",
        compile / 1e6,
        each,
        text.len() / 1024,
        parse / 1e6,
    );
    black_box(snapshots.len());
}
