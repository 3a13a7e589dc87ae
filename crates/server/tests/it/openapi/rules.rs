//! Rules for every part of the API document.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::{document, members, operations, repository};

/// Verbs with which the summary of an operation may begin.
const VERBS: [&str; 37] = [
    "Add", "Archive", "Cancel", "Check", "Claim", "Compare", "Complete", "Copy", "Count", "Create",
    "Delete", "End", "Erase", "Evaluate", "Export", "Get", "List", "Look", "Offer", "Open",
    "Publish", "Read", "Record", "Redeem", "Refresh", "Reorder", "Replace", "Report", "Revert",
    "Revoke", "Save", "Schedule", "Send", "Set", "Sign", "Start", "Stream",
];
const MORE_VERBS: [&str; 22] = [
    "Answer", "Apply", "Approve", "Assign", "Change", "Confirm", "Contest", "Decide", "Impose",
    "Lift", "Merge", "Pause", "Propose", "Reject", "Request", "Resume", "Retire", "Switch", "Undo",
    "Upload", "Verify", "Withdraw",
];

/// Members that always have a closed set of values.
const CLOSED: [&str; 15] = [
    "concern",
    "direction",
    "engine",
    "event",
    "evidence",
    "group",
    "how",
    "kind",
    "method",
    "reasons",
    "role",
    "roles",
    "section",
    "status",
    "user_type",
];

fn every_property(document: &Value, mut visit: impl FnMut(&str, &str, &Value)) {
    for (name, schema) in members(&document["components"]["schemas"]) {
        let parts = ["allOf", "oneOf"].iter().flat_map(|word| schema[word].as_array());
        for part in std::iter::once(schema).chain(parts.flatten()) {
            for (member, property) in members(&part["properties"]) {
                visit(name, member, property);
            }
        }
    }
}

fn is_described(value: &Value) -> bool {
    value["description"].as_str().is_some_and(|text| text.len() > 1)
}

#[test]
fn every_part_is_described() {
    let document = document();
    let mut bare = Vec::new();
    let mut count = 0;
    every_property(&document, |name, member, property| {
        count += 1;
        if !is_described(property) {
            bare.push(format!("{name}.{member}"));
        }
    });
    for (name, schema) in members(&document["components"]["schemas"]) {
        // Pages of lists and enums need a description like any other schema.
        if !is_described(schema) {
            bare.push(name.to_owned());
        }
    }
    for operation in operations(&document) {
        let (method, path) = (operation.method, operation.path);
        for parameter in operation.list("parameters").filter(|parameter| !is_described(parameter)) {
            bare.push(format!("{method} {path} {}", parameter["name"]));
        }
    }
    assert!(count > 400 && bare.is_empty(), "of {count}, not described: {bare:#?}");
}

#[test]
fn a_summary_is_verb_and_object_on_one_line() {
    let document = document();
    let operations = operations(&document);
    let mut bad = Vec::new();
    for operation in &operations {
        let summary = operation.text("summary");
        let verb = summary.split([' ', ':']).next().unwrap_or_default();
        let is_verb = VERBS.contains(&verb) || MORE_VERBS.contains(&verb);
        if !is_verb || summary.contains('\n') || !summary.ends_with('.') || summary.len() > 80 {
            bad.push(format!("{} {}: {summary}", operation.method, operation.path));
        }
    }
    assert!(operations.len() > 60 && bad.is_empty(), "{bad:#?}");
}

#[test]
fn timestamps_and_enums_are_not_plain_strings() {
    let document = document();
    let mut instants = 0;
    let mut bad = Vec::new();
    every_property(&document, |name, member, property| {
        let is_text = property["type"] == "string" || property["type"][0] == "string";
        let is_instant = member == "at"
            || ["_at", "_until", "_from", "At", "asOf"].iter().any(|end| member.ends_with(end));
        if is_instant && property["$ref"].is_null() && property["anyOf"].is_null() {
            instants += 1;
            // `inherited_from` is a version.
            if is_text && property["format"] != "date-time" {
                bad.push(format!("{name}.{member} is an instant"));
            }
        }
        let items = &property["items"];
        let is_free = |value: &Value| value["type"] == "string" && value["enum"].is_null();
        // The status of a receiving server is any code of RFC 3463.
        let is_code = name == "MessageBody" && member == "status";
        if CLOSED.contains(&member) && !is_code && (is_free(property) || is_free(items)) {
            bad.push(format!("{name}.{member} is a closed set"));
        }
    });
    assert!(instants > 40 && bad.is_empty(), "{bad:#?}");
}

#[test]
fn every_reference_resolves() {
    fn walk(value: &Value, document: &Value, bad: &mut Vec<String>) {
        if let Some(reference) = value["$ref"].as_str() {
            let pointer = reference.trim_start_matches('#');
            if document.pointer(pointer).is_none() {
                bad.push(reference.to_owned());
            }
        }
        for child in value.as_array().into_iter().flatten() {
            walk(child, document, bad);
        }
        for (_, child) in members(value) {
            walk(child, document, bad);
        }
    }
    let document = document();
    let mut bad = Vec::new();
    walk(&document, &document, &mut bad);
    assert!(bad.is_empty(), "{bad:?}");
}

/// The generator silently uses the last of two structs with the same name.
#[test]
fn every_struct_has_a_unique_name() {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    read(&repository().join("crates/server/src"), &mut definitions);
    let twice: Vec<_> = definitions.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(definitions.len() > 100 && twice.is_empty(), "{twice:#?}");
}

fn read(folder: &Path, definitions: &mut BTreeMap<String, Vec<String>>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read(&path, definitions);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut derived = false;
        for line in text.lines() {
            if line.starts_with("#[derive(") {
                derived = line.contains("ToSchema");
            }
            let named =
                ["pub struct ", "pub enum "].iter().find_map(|keyword| line.strip_prefix(keyword));
            if let Some(rest) = named {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                if derived {
                    definitions.entry(name).or_default().push(path.display().to_string());
                }
                derived = false;
            }
        }
    }
}
