//! Tests that the JSON Schema matches the structs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{DOCUMENT_SCHEMA, Document};

fn schema() -> Value {
    serde_json::from_str(DOCUMENT_SCHEMA).expect("JSON")
}

/// Returns a document with every member of every object.
fn complete() -> Value {
    let text = include_str!("schema/complete.json");
    let document = Document::parse(text).expect("valid");
    let written: Value = serde_json::from_str(&document.to_json()).expect("JSON");
    let read: Value = serde_json::from_str(text).expect("JSON");
    // The file contains every member, so nothing is left out and no default is filled in.
    assert_eq!(written, read);
    written
}

/// Collects the members of each kind of object in the document, by walking through the schema and
/// the document together.
fn walk(
    schema: &Value,
    node: &Value,
    value: &Value,
    at: &str,
    members_by_kind: &mut BTreeMap<String, BTreeSet<String>>,
) {
    if let Some(reference) = node["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        return walk(schema, &schema["$defs"][name], value, name, members_by_kind);
    }
    for choice in ["oneOf", "anyOf"] {
        for option in node[choice].as_array().into_iter().flatten() {
            if fits(schema, option, value) {
                walk(schema, option, value, at, members_by_kind);
            }
        }
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if node["properties"][name].is_object() {
                    members_by_kind.entry(at.to_owned()).or_default().insert(name.clone());
                    walk(
                        schema,
                        &node["properties"][name],
                        member,
                        &format!("{at}.{name}"),
                        members_by_kind,
                    );
                } else {
                    let is_free = node["additionalProperties"].is_object()
                        || at.ends_with(".value")
                        || node["oneOf"].is_array()
                        || node["anyOf"].is_array();
                    assert!(is_free, "the schema has no {name} in {at}");
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(schema, &node["items"], item, at, members_by_kind);
            }
        }
        _ => {}
    }
}

/// Returns whether the value has the required members of the option. This is enough to distinguish
/// the options in this schema.
fn fits(schema: &Value, option: &Value, value: &Value) -> bool {
    if let Some(reference) = option["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        return fits(schema, &schema["$defs"][name], value);
    }
    if option["type"] == "null" {
        return value.is_null();
    }
    if option["oneOf"].is_array() {
        return !value.is_null();
    }
    let required = option["required"].as_array();
    required
        .is_some_and(|names| names.iter().all(|name| value.get(name.as_str().unwrap()).is_some()))
        || option["required"].as_array().is_some_and(Vec::is_empty) && value.is_object()
}

#[test]
fn the_schema_describes_exactly_the_members_of_a_document() {
    let schema = schema();
    let mut members_by_kind = BTreeMap::new();
    walk(&schema, &schema, &complete(), "document", &mut members_by_kind);
    let mut described = BTreeMap::new();
    let mut describe = |at: &str, node: &Value| {
        for part in
            [&[node.clone()][..], node["oneOf"].as_array().map_or(&[], Vec::as_slice)].concat()
        {
            for name in
                part["properties"].as_object().into_iter().flat_map(|properties| properties.keys())
            {
                described.entry(at.to_owned()).or_insert_with(BTreeSet::new).insert(name.clone());
            }
        }
    };
    describe("document", &schema);
    for (name, node) in schema["$defs"].as_object().expect("definitions") {
        describe(name, node);
    }
    assert_eq!(members_by_kind, described);
}

/// Tests each list of words: the listed words are accepted, and any other word is rejected.
#[test]
fn the_parser_accepts_exactly_the_words_of_the_schema() {
    let schema = schema();
    let text = include_str!("schema/complete.json");
    for (pointer, code, places) in [
        ("/$defs/attribute/properties/type", "unknown_type", ["/attributes/0/type"].as_slice()),
        ("/$defs/flag/properties/type", "unknown_type", &["/flags/0/type"]),
        ("/$defs/metric/properties/direction", "unknown_direction", &["/metrics/0/direction"]),
        ("/$defs/metric/properties/kind", "unknown_kind", &["/metrics/1/kind"]),
        ("/$defs/holdout/properties/status", "unknown_status", &["/holdouts/0/status"]),
        ("/$defs/holdout/properties/scope", "unknown_scope", &["/holdouts/0/scope"]),
        ("/$defs/applies/properties/mode", "unknown_mode", &["/holdouts/0/applies/mode"]),
        (
            "/$defs/experiment/properties/status",
            "unknown_status",
            &["/flags/0/rules/1/serve/experiment/status"],
        ),
        ("/$defs/operator", "unknown_operator", &["/segments/0/match/all/0/not/op"]),
    ] {
        let words = schema.pointer(pointer).expect(pointer)["enum"].as_array().expect(pointer);
        let is_rejected = |word: &Value| {
            let mut document: Value = serde_json::from_str(text).expect("JSON");
            *document.pointer_mut(places[0]).expect(places[0]) = word.clone();
            let errors = Document::parse(&document.to_string()).err().unwrap_or_default();
            errors.iter().any(|error| error.code == code)
        };
        assert!(words.iter().all(|word| !is_rejected(word)), "{pointer}");
        assert!(is_rejected(&Value::from("another")), "{pointer}");
        // The message of the error lists all accepted words, so their number shows whether the
        // schema has all.
        let mut document: Value = serde_json::from_str(text).expect("JSON");
        *document.pointer_mut(places[0]).expect(places[0]) = "another".into();
        let errors = Document::parse(&document.to_string()).expect_err("rejected");
        let reported = errors.iter().find(|error| error.code == code).expect(code);
        let count = reported.detail.split(", ").count();
        assert_eq!(count, words.len(), "{pointer}: {}", reported.detail);
    }
}
