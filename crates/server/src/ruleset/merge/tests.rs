use musette_core::flags::{Document, Flag};

use super::{Unmerged, merge};
use crate::ruleset::diff::tests::{document, flag};

fn off(key: &str) -> Flag {
    Flag { on: false, ..flag(key) }
}

fn renamed(key: &str) -> Flag {
    Flag { description: Some("another".into()), ..flag(key) }
}

fn keys(document: &Document) -> Vec<(&str, bool)> {
    document.flags.iter().map(|it| (it.key.as_str(), it.on)).collect()
}

#[test]
fn both_sides_keep_what_they_changed() {
    let base = document(vec![flag("a"), flag("b"), flag("c"), flag("d")]);
    let current = document(vec![off("a"), flag("b"), flag("c"), flag("e")]);
    let changed = document(vec![flag("a"), off("b"), flag("d"), flag("f")]);
    let merged = merge(&base, &current, &changed).expect("no object on both sides");
    assert_eq!(keys(&merged), [("a", false), ("b", false), ("e", true), ("f", true)]);
}

#[test]
fn what_both_changed_is_a_conflict() {
    let base = document(vec![flag("a"), flag("b"), flag("c")]);
    let current = document(vec![off("a"), flag("b")]);
    let changed = document(vec![renamed("a"), flag("b"), renamed("c")]);
    let both = Unmerged::Both(vec!["flags/a".into(), "flags/c".into()]);
    assert_eq!(merge(&base, &current, &changed), Err(both));
}

#[test]
fn the_same_change_on_both_sides_is_none() {
    let base = document(vec![flag("a"), flag("b")]);
    let both = document(vec![off("a"), flag("c")]);
    let merged = merge(&base, &both, &both).expect("they agree");
    assert_eq!(merged, both);
}

#[test]
fn together_they_may_be_wrong() {
    use musette_core::flags::Prerequisite;
    let base = document(vec![flag("a"), flag("b")]);
    let current = document(vec![flag("b")]);
    let needs = Prerequisite { flag: "a".into(), r#in: vec!["a".into()] };
    let changed = document(vec![flag("a"), Flag { prerequisites: vec![needs], ..flag("b") }]);
    let Err(Unmerged::Faulty(faults)) = merge(&base, &current, &changed) else {
        panic!("the flag that is needed is gone");
    };
    assert!(
        faults.iter().any(|it| it.pointer.starts_with("/flags/0/prerequisites/0")),
        "{faults:?}"
    );
}

#[test]
fn together_they_may_be_too_much() {
    let with = |key: &str| {
        let tests = vec![r#"{"attr":"email","op":"matches","value":"^a[0-9]+$"}"#; 300].join(",");
        let segment = format!(r#"{{"key":"{key}","match":{{"any":[{tests}]}}}}"#);
        let text =
            format!(r#"{{"schema":"musette.flags/1","environment":"e","segments":[{segment}]}}"#);
        Document::parse(&text).expect("valid")
    };
    let Err(Unmerged::Faulty(faults)) = merge(&document(vec![]), &with("a"), &with("b")) else {
        panic!("600 expressions are more than one document may have");
    };
    assert_eq!(faults[0].code, "pattern_budget");
}

#[test]
fn metrics_and_who_may_report_them_are_merged() {
    let read = |more: &str| {
        let text = format!(r#"{{"schema":"musette.flags/1","environment":"e"{more}}}"#);
        Document::parse(&text).expect("valid")
    };
    let base = read(r#","metrics":[{"key":"a"}]"#);
    let current = read(r#","metrics":[{"key":"a","unit":"min"}]"#);
    let changed = read(r#","metrics":[{"key":"a"},{"key":"b"}],"clientMetrics":true"#);
    let merged = merge(&base, &current, &changed).expect("they go together");
    let wanted = r#","metrics":[{"key":"a","unit":"min"},{"key":"b"}],"clientMetrics":true"#;
    assert_eq!(merged, read(wanted));
    let other = read(r#","metrics":[{"key":"a","unit":"s"}]"#);
    let both = merge(&base, &current, &other).expect_err("both changed it");
    assert_eq!(both, Unmerged::Both(vec!["metrics/a".into()]));
}
