//! Tests of the flags that the demo starts with.

use std::fs;
use std::path::Path;

use musette_core::flags::typescript::types;
use musette_core::flags::{Document, Serve, Snapshot};

const DEMO: &str = include_str!("../../../demo/flags.json");

#[test]
fn the_demo_contains_each_kind_of_object() {
    let document = Document::parse(DEMO).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(document.environment, "production");
    Snapshot::compile(&document).expect("a parsed document compiles");
    let served = || document.flags.iter().flat_map(|flag| &flag.rules).map(|rule| &rule.serve);
    let in_layer = |serve: &&Serve| matches!(serve, Serve::Experiment(experiment) if experiment.layer.is_some());
    let scheduled = |serve: &&Serve| matches!(serve, Serve::Rollout(rollout) if rollout.steps.iter().any(|step| step.at.is_some()));
    assert!(document.flags.iter().any(|flag| flag.key == "start-tip" && flag.client_visible));
    assert_eq!(served().filter(in_layer).count(), 2);
    assert!(served().filter(scheduled).count() >= 1);
    assert!(!document.holdouts.is_empty() && !document.segments.is_empty());
}

/// `demo/flags.ts` is compiled with the rest of the TypeScript, which tests that generated types
/// compile.
#[test]
fn its_types_are_up_to_date() {
    let document = Document::parse(DEMO).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/flags.ts");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, types(&document)).expect("the types are written");
    }
    let stored = fs::read_to_string(&path).expect("the types");
    assert!(
        stored == types(&document),
        "`UPDATE=1 cargo test -p musette-core --test demo` updates them"
    );
}
