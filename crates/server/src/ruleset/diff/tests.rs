use musette_core::flags::{
    Attribute, AttributeType, Condition, Document, Flag, FlagType, Json, Rule, Serve, Variation,
};
use serde_json::json;

use super::{ChangeKind, ValueDiff, diff, diff_with_members};

pub fn flag(key: &str) -> Flag {
    let variation = |key: &str| Variation { key: key.into(), value: Json::from(key) };
    Flag {
        key: key.into(),
        r#type: FlagType::String,
        description: None,
        on: true,
        salt: key.into(),
        tags: Vec::new(),
        owner: None,
        client_visible: true,
        archived: false,
        variations: vec![variation("a"), variation("b")],
        off_variation: Some("a".into()),
        default_variation: "a".into(),
        baseline_variation: "a".into(),
        prerequisites: Vec::new(),
        overrides: Vec::new(),
        rules: Vec::new(),
    }
}

pub fn document(flags: Vec<Flag>) -> Document {
    Document { flags, ..Document::new("e") }
}

fn rule(id: &str, variation: &str) -> Rule {
    let serve = Serve::Variation(variation.into());
    Rule { id: id.into(), name: None, when: Condition::always(), serve }
}

fn changes(before: Vec<Rule>, after: Vec<Rule>) -> Vec<ValueDiff> {
    let with = |rules| document(vec![Flag { rules, ..flag("f") }]);
    let mut found = diff(&with(before), &with(after));
    found.pop().map(|it| it.changes).unwrap_or_default()
}

#[test]
fn what_is_the_same_is_not_told() {
    let one = document(vec![flag("a"), flag("b")]);
    let other = Document { version: 7, ..document(vec![flag("b"), flag("a")]) };
    assert_eq!(diff(&one, &other), []);
}

#[test]
fn objects_are_known_by_their_keys() {
    let name = |name: &str| Attribute {
        name: name.into(),
        r#type: AttributeType::String,
        description: None,
    };
    let before = Document { attributes: vec![name("x")], ..document(vec![flag("a"), flag("b")]) };
    let on = Flag { on: false, ..flag("b") };
    let after = Document { attributes: vec![name("y")], ..document(vec![flag("c"), on]) };
    let found = diff(&before, &after);
    let told: Vec<_> =
        found.iter().map(|it| (it.section, it.key.as_str(), it.how, it.pointer.as_str())).collect();
    assert_eq!(
        told,
        [
            ("attributes", "x", ChangeKind::Removed, "/attributes/0"),
            ("attributes", "y", ChangeKind::Added, "/attributes/0"),
            ("flags", "a", ChangeKind::Removed, "/flags/0"),
            ("flags", "b", ChangeKind::Changed, "/flags/1"),
            ("flags", "c", ChangeKind::Added, "/flags/0"),
        ]
    );
    let change = |pointer: &str| ValueDiff {
        pointer: pointer.into(),
        before: Some(json!(true)),
        after: Some(json!(false)),
    };
    assert_eq!(found[3].changes, [change("/flags/1/on")]);
    assert!([0, 1, 2, 4].iter().all(|at| found[*at].changes.is_empty()));

    let whole = diff_with_members(&before, &after);
    let value = |at: usize, pointer: &str| {
        let it = whole[at].changes.iter().find(|it| it.pointer == pointer).expect("a member");
        (it.before.clone(), it.after.clone())
    };
    assert_eq!(value(0, "/attributes/0/name"), (Some(json!("x")), None));
    assert_eq!(value(4, "/flags/0/on"), (None, Some(json!(true))));
    assert!(whole[4].changes.iter().any(|it| it.pointer == "/flags/0/variations"));
}

#[test]
fn a_rule_in_front_changes_none_behind_it() {
    let found = changes(
        vec![rule("r1", "a"), rule("r2", "b")],
        vec![rule("r0", "a"), rule("r1", "a"), rule("r2", "b")],
    );
    let pointers: Vec<_> = found.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(pointers, ["/flags/0/rules/0"]);
    assert_eq!(found[0].before, None);
}

#[test]
fn another_order_of_rules_is_another_configuration() {
    let found =
        changes(vec![rule("r1", "a"), rule("r2", "b")], vec![rule("r2", "b"), rule("r1", "a")]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer, "/flags/0/rules");
    assert_eq!(found[0].before, Some(json!(["r1", "r2"])));
    assert_eq!(found[0].after, Some(json!(["r2", "r1"])));
}

#[test]
fn what_has_no_id_is_told_by_its_place() {
    let tags = |tags: &[&str]| {
        let tags = tags.iter().map(|it| (*it).to_owned()).collect();
        document(vec![Flag { tags, ..flag("f") }])
    };
    let found = diff(&tags(&["x", "y"]), &tags(&["x", "z", "w"]));
    let told: Vec<_> = found[0]
        .changes
        .iter()
        .map(|it| (it.pointer.as_str(), it.before.clone(), it.after.clone()))
        .collect();
    assert_eq!(
        told,
        [
            ("/flags/0/tags/1", Some(json!("y")), Some(json!("z"))),
            ("/flags/0/tags/2", None, Some(json!("w"))),
        ]
    );
}

#[test]
fn metrics_and_settings_are_told() {
    let text = r#"{"schema":"musette.flags/1","environment":"e","clientMetrics":true,
        "metrics":[{"key":"late","direction":"decrease"},{"key":"new"}]}"#;
    let after = Document::parse(text).expect("valid");
    let text = r#"{"schema":"musette.flags/1","environment":"e","metrics":[{"key":"late"}]}"#;
    let before = Document::parse(text).expect("valid");
    let found = diff(&before, &after);
    let short: Vec<_> =
        found.iter().map(|it| (it.section, it.key.as_str(), it.how, it.pointer.as_str())).collect();
    assert_eq!(
        short,
        [
            ("metrics", "late", ChangeKind::Changed, "/metrics/0"),
            ("metrics", "new", ChangeKind::Added, "/metrics/1"),
            ("settings", "clientMetrics", ChangeKind::Changed, "/clientMetrics"),
        ]
    );
    assert_eq!(found[0].changes[0].pointer, "/metrics/0/direction");
    assert_eq!(found[2].changes[0].after, Some(true.into()));
    assert!(diff(&after, &after).is_empty());
}
