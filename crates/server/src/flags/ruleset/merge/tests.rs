use musette_core::flags::{Document, Flag};

use super::{Unmerged, merge};
use crate::flags::ruleset::diff::tests::{document, flag};

fn off(key: &str) -> Flag {
    Flag { on: false, ..flag(key) }
}

fn renamed(key: &str) -> Flag {
    Flag { description: Some("another".into()), ..flag(key) }
}

fn keys(document: &Document) -> Vec<(&str, bool)> {
    document.flags.iter().map(|flag| (flag.key.as_str(), flag.on)).collect()
}

#[test]
fn keeps_the_changes_of_both_sides() {
    let base = document(vec![flag("a"), flag("b"), flag("c"), flag("d")]);
    let current = document(vec![off("a"), flag("b"), flag("c"), flag("e")]);
    let changed = document(vec![flag("a"), off("b"), flag("d"), flag("f")]);
    let merged = merge(&base, &current, &changed).expect("no object on both sides");
    assert_eq!(keys(&merged), [("a", false), ("b", false), ("e", true), ("f", true)]);
}

#[test]
fn rejects_changes_of_the_same_object() {
    let base = document(vec![flag("a"), flag("b"), flag("c")]);
    let current = document(vec![off("a"), flag("b")]);
    let changed = document(vec![renamed("a"), flag("b"), renamed("c")]);
    let both = Unmerged::Both(vec!["flags/a".into(), "flags/c".into()]);
    assert_eq!(merge(&base, &current, &changed), Err(both));
}

#[test]
fn accepts_the_same_change_on_both_sides() {
    let base = document(vec![flag("a"), flag("b")]);
    let both = document(vec![off("a"), flag("c")]);
    let merged = merge(&base, &both, &both).expect("they agree");
    assert_eq!(merged, both);
}

#[test]
fn rejects_an_invalid_result() {
    use musette_core::flags::Prerequisite;
    let base = document(vec![flag("a"), flag("b")]);
    let current = document(vec![flag("b")]);
    let needs = Prerequisite { flag: "a".into(), r#in: vec!["a".into()] };
    let changed = document(vec![flag("a"), Flag { prerequisites: vec![needs], ..flag("b") }]);
    let Err(Unmerged::Invalid(errors)) = merge(&base, &current, &changed) else {
        panic!("the required flag was removed");
    };
    assert!(
        errors.iter().any(|error| error.pointer.starts_with("/flags/0/prerequisites/0")),
        "{errors:?}"
    );
}

#[test]
fn rejects_a_result_beyond_the_budget() {
    let with = |key: &str| {
        let tests = vec![r#"{"attr":"email","op":"matches","value":"^a[0-9]+$"}"#; 300].join(",");
        let segment = format!(r#"{{"key":"{key}","match":{{"any":[{tests}]}}}}"#);
        let text =
            format!(r#"{{"schema":"musette.flags/1","environment":"e","segments":[{segment}]}}"#);
        Document::parse(&text).expect("valid")
    };
    let Err(Unmerged::Invalid(errors)) = merge(&document(vec![]), &with("a"), &with("b")) else {
        panic!("600 expressions are more than one document may have");
    };
    assert_eq!(errors[0].code, "pattern_budget");
}

#[test]
fn merges_metrics_and_client_metrics() {
    let read = |more: &str| {
        let text = format!(r#"{{"schema":"musette.flags/1","environment":"e"{more}}}"#);
        Document::parse(&text).expect("valid")
    };
    let base = read(r#","metrics":[{"key":"a"}]"#);
    let current = read(r#","metrics":[{"key":"a","unit":"min"}]"#);
    let changed = read(r#","metrics":[{"key":"a"},{"key":"b"}],"clientMetrics":true"#);
    let merged = merge(&base, &current, &changed).expect("they go together");
    let expected = r#","metrics":[{"key":"a","unit":"min"},{"key":"b"}],"clientMetrics":true"#;
    assert_eq!(merged, read(expected));
    let other = read(r#","metrics":[{"key":"a","unit":"s"}]"#);
    let both = merge(&base, &current, &other).expect_err("both changed it");
    assert_eq!(both, Unmerged::Both(vec!["metrics/a".into()]));
}
