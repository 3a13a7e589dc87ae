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
        requires_notice: None,
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
    let mut objects = diff(&with(before), &with(after));
    objects.pop().map(|object| object.changes).unwrap_or_default()
}

#[test]
fn ignores_versions_and_the_order_of_objects() {
    let one = document(vec![flag("a"), flag("b")]);
    let other = Document { version: 7, ..document(vec![flag("b"), flag("a")]) };
    assert_eq!(diff(&one, &other), []);
}

#[test]
fn matches_objects_by_their_keys() {
    let name = |name: &str| Attribute {
        name: name.into(),
        r#type: AttributeType::String,
        description: None,
    };
    let before = Document { attributes: vec![name("x")], ..document(vec![flag("a"), flag("b")]) };
    let on = Flag { on: false, ..flag("b") };
    let after = Document { attributes: vec![name("y")], ..document(vec![flag("c"), on]) };
    let objects = diff(&before, &after);
    let actual: Vec<_> = objects
        .iter()
        .map(|object| (object.section, object.key.as_str(), object.how, object.pointer.as_str()))
        .collect();
    assert_eq!(
        actual,
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
    assert_eq!(objects[3].changes, [change("/flags/1/on")]);
    assert!([0, 1, 2, 4].iter().all(|at| objects[*at].changes.is_empty()));

    let whole = diff_with_members(&before, &after);
    let value = |at: usize, pointer: &str| {
        let change = whole[at].changes.iter().find(|change| change.pointer == pointer);
        let change = change.expect("a member");
        (change.before.clone(), change.after.clone())
    };
    assert_eq!(value(0, "/attributes/0/name"), (Some(json!("x")), None));
    assert_eq!(value(4, "/flags/0/on"), (None, Some(json!(true))));
    assert!(whole[4].changes.iter().any(|change| change.pointer == "/flags/0/variations"));
}

#[test]
fn an_inserted_rule_does_not_change_the_following_ones() {
    let changed = changes(
        vec![rule("r1", "a"), rule("r2", "b")],
        vec![rule("r0", "a"), rule("r1", "a"), rule("r2", "b")],
    );
    let pointers: Vec<_> = changed.iter().map(|change| change.pointer.as_str()).collect();
    assert_eq!(pointers, ["/flags/0/rules/0"]);
    assert_eq!(changed[0].before, None);
}

#[test]
fn reports_a_changed_order_of_rules() {
    let changed =
        changes(vec![rule("r1", "a"), rule("r2", "b")], vec![rule("r2", "b"), rule("r1", "a")]);
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].pointer, "/flags/0/rules");
    assert_eq!(changed[0].before, Some(json!(["r1", "r2"])));
    assert_eq!(changed[0].after, Some(json!(["r2", "r1"])));
}

#[test]
fn compares_elements_without_an_id_by_their_index() {
    let tags = |tags: &[&str]| {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        document(vec![Flag { tags, ..flag("f") }])
    };
    let objects = diff(&tags(&["x", "y"]), &tags(&["x", "z", "w"]));
    let actual: Vec<_> = objects[0]
        .changes
        .iter()
        .map(|change| (change.pointer.as_str(), change.before.clone(), change.after.clone()))
        .collect();
    assert_eq!(
        actual,
        [
            ("/flags/0/tags/1", Some(json!("y")), Some(json!("z"))),
            ("/flags/0/tags/2", None, Some(json!("w"))),
        ]
    );
}

#[test]
fn compares_metrics_and_settings() {
    let text = r#"{"schema":"musette.flags/1","environment":"e","clientMetrics":true,
        "metrics":[{"key":"late","direction":"decrease"},{"key":"new"}]}"#;
    let after = Document::parse(text).expect("valid");
    let text = r#"{"schema":"musette.flags/1","environment":"e","metrics":[{"key":"late"}]}"#;
    let before = Document::parse(text).expect("valid");
    let objects = diff(&before, &after);
    let actual: Vec<_> = objects
        .iter()
        .map(|object| (object.section, object.key.as_str(), object.how, object.pointer.as_str()))
        .collect();
    assert_eq!(
        actual,
        [
            ("metrics", "late", ChangeKind::Changed, "/metrics/0"),
            ("metrics", "new", ChangeKind::Added, "/metrics/1"),
            ("settings", "clientMetrics", ChangeKind::Changed, "/clientMetrics"),
        ]
    );
    assert_eq!(objects[0].changes[0].pointer, "/metrics/0/direction");
    assert_eq!(objects[2].changes[0].after, Some(true.into()));
    assert!(diff(&after, &after).is_empty());
}
