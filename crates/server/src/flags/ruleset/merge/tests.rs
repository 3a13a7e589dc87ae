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

mod within_an_object {
    use std::collections::HashSet;

    use musette_core::flags::Document;
    use serde_json::{Value, json};

    use crate::flags::ruleset::diff::tree;
    use crate::flags::ruleset::merge::{self, Merged};

    fn combine(
        base: &Document,
        theirs: &Document,
        mine: &Document,
        chosen: &HashSet<String>,
    ) -> Merged {
        merge::combine(&tree(base), tree(theirs), &tree(mine), chosen)
    }

    fn with(change: &Value) -> Document {
        let mut flag = json!({"key": "a", "type": "boolean", "on": true, "salt": "s",
            "variations": [{"key": "on", "value": true}, {"key": "off", "value": false}],
            "offVariation": "off", "defaultVariation": "off", "baselineVariation": "off",
            "rules": rules(&[("x", "on"), ("y", "on")])});
        for (name, value) in change.as_object().expect("members") {
            flag[name] = value.clone();
        }
        let text = json!({"schema": "musette.flags/1", "environment": "e", "flags": [flag]});
        Document::parse(&text.to_string()).expect("valid")
    }

    fn rules(rules: &[(&str, &str)]) -> Value {
        let rule = |(id, variation): &(&str, &str)| json!({"id": id, "when": {"all": []}, "serve": {"variation": variation}});
        rules.iter().map(rule).collect()
    }

    fn merged(theirs: &Value, mine: &Value, chosen: &[&str]) -> (Document, Merged) {
        let chosen: HashSet<String> = chosen.iter().map(|id| (*id).to_owned()).collect();
        let merged = combine(&with(&json!({})), &with(theirs), &with(mine), &chosen);
        (Document::parse(&merged.document.to_string()).expect("valid"), merged)
    }

    fn parts(merged: &Merged) -> Vec<&str> {
        merged.conflicts.iter().map(|conflict| conflict.part.as_str()).collect()
    }

    #[test]
    fn keeps_changes_of_different_members() {
        let (theirs, ours) = (json!({"on": false}), json!({"owner": "mine", "description": "new"}));
        let (document, merged) = merged(&theirs, &ours, &[]);
        assert_eq!(document, with(&json!({"on": false, "owner": "mine", "description": "new"})));
        assert_eq!((parts(&merged), merged.both.as_slice()), (vec![], &["flags/a".to_owned()][..]));
    }

    #[test]
    fn keeps_changes_of_different_rules() {
        let theirs = json!({"rules": rules(&[("x", "off"), ("y", "on"), ("new", "off")])});
        let ours = json!({"rules": rules(&[("mine", "on"), ("x", "on"), ("y", "off")])});
        let (document, merged) = merged(&theirs, &ours, &[]);
        let both = rules(&[("mine", "on"), ("x", "off"), ("y", "off"), ("new", "off")]);
        assert_eq!((document, parts(&merged)), (with(&json!({"rules": both})), vec![]));
    }

    #[test]
    fn removes_a_rule_that_one_side_removed_and_the_other_did_not_change() {
        let theirs = json!({"rules": rules(&[("y", "on")])});
        let ours = json!({"rules": rules(&[("x", "on"), ("y", "off")])});
        let (document, merged) = merged(&theirs, &ours, &[]);
        let remaining = json!({"rules": rules(&[("y", "off")])});
        assert_eq!((document, parts(&merged)), (with(&remaining), vec![]));
    }

    #[test]
    fn reports_an_order_that_both_changed() {
        let order = |ids: [&'static str; 3]| json!({"rules": rules(&ids.map(|id| (id, "on")))});
        let base = with(&order(["x", "y", "z"]));
        let (theirs, ours) = (with(&order(["y", "x", "z"])), with(&order(["x", "z", "y"])));
        let merged = combine(&base, &theirs, &ours, &HashSet::new());
        assert_eq!(parts(&merged), ["rules"]);
        let turned = combine(&base, &theirs, &base, &HashSet::new());
        assert_eq!(Document::parse(&turned.document.to_string()), Ok(theirs));
    }

    #[test]
    fn reports_only_the_rule_that_both_changed() {
        let theirs = json!({"rules": rules(&[("x", "off"), ("y", "on")]), "owner": "theirs"});
        let ours = json!({"description": "mine", "rules": [
            {"id": "x", "when": {"all": []}, "serve": {"variation": "on"}, "name": "mine"},
            {"id": "y", "when": {"all": []}, "serve": {"variation": "off"}}]});
        let (document, result) = merged(&theirs, &ours, &[]);
        assert_eq!(parts(&result), ["rules/x"]);
        let merged_rules = rules(&[("x", "off"), ("y", "off")]);
        let expected = json!({"rules": merged_rules, "owner": "theirs", "description": "mine"});
        assert_eq!(document, with(&expected));
        let conflict = &result.conflicts[0];
        let theirs = conflict.theirs.as_ref().expect("it exists");
        assert_eq!(theirs["rules"][0]["serve"], json!({"variation": "off"}));
        assert_eq!(
            (&theirs["rules"][1], theirs.get("owner")),
            (&conflict.base.as_ref().expect("it exists")["rules"][1], None)
        );

        let (document, _) =
            merged(&json!({"owner": "theirs"}), &json!({"owner": "mine"}), &["flags/a/owner"]);
        assert_eq!(document, with(&json!({"owner": "mine"})));
    }

    #[test]
    fn reports_a_removal_beside_a_change() {
        let empty = Document::parse(r#"{"schema":"musette.flags/1","environment":"e"}"#);
        let empty = empty.expect("valid");
        let (base, theirs) = (with(&json!({})), with(&json!({"owner": "theirs"})));
        let merged = combine(&base, &theirs, &empty, &HashSet::new());
        assert_eq!((parts(&merged), &merged.conflicts[0].mine), (vec![""], &None));
        assert_eq!(Document::parse(&merged.document.to_string()), Ok(theirs.clone()));
        let chosen = HashSet::from(["flags/a/".to_owned()]);
        let merged = combine(&base, &theirs, &empty, &chosen);
        assert_eq!(merged.document["flags"], json!([]));
    }
}
