//! Unknown members of a document. They are ignored, so that this version can read documents of a
//! later one. For the same reason, a mistyped name would not be noticed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{DOCUMENT_SCHEMA, Document};

/// Returns the JSON pointers (RFC 6901) of members in `text` that no object of a configuration can
/// have and that `document`, its parsed form, does not contain. Members that begin with `$` are
/// ignored, because editors add `$schema`.
#[must_use]
pub fn unknown_members(text: &str, document: &Document) -> Vec<String> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    let mut names = BTreeSet::new();
    collect(&value(DOCUMENT_SCHEMA), &mut names);
    let mut pointers = Vec::new();
    compare(&value(text), &value(&document.to_json()), "", &names, &mut pointers);
    pointers
}

/// Collects the member names of all objects in the schema.
fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        names.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|value| collect(value, names)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, names)),
        _ => {}
    }
}

fn compare(
    read: &Value,
    parsed: &Value,
    pointer: &str,
    names: &BTreeSet<String>,
    pointers: &mut Vec<String>,
) {
    match (read, parsed) {
        (Value::Object(members), Value::Object(others)) => {
            for (name, member) in members {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                match others.get(name) {
                    Some(other) => compare(member, other, &pointer, names, pointers),
                    None if names.contains(name) || name.starts_with('$') => {}
                    None => pointers.push(pointer),
                }
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            for (i, (item, other)) in items.iter().zip(others).enumerate() {
                compare(item, other, &format!("{pointer}/{i}"), names, pointers);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::unknown_members;
    use crate::flags::Document;

    fn find_unknown(document: &Value) -> Vec<String> {
        let text = document.to_string();
        unknown_members(&text, &Document::parse(&text).expect("valid"))
    }

    #[test]
    fn finds_members_that_no_object_can_have() {
        let complete = include_str!("schema/complete.json");
        let mut document: Value = serde_json::from_str(complete).expect("JSON");
        document["$schema"] = json!("../schemas/flags-1.json");
        assert_eq!(find_unknown(&document), [""; 0]);
        document["flgas"] = json!([]);
        document["flags"][0]["desription/~"] = json!("a typo");
        document["flags"][0]["rules"][0]["serve"]["wieght"] = json!(1);
        let unknown = find_unknown(&document);
        assert_eq!(unknown.len(), 3, "{unknown:?}");
        for at in ["/flgas", "/flags/0/desription~1~0", "/flags/0/rules/0/serve/wieght"] {
            assert!(unknown.iter().any(|pointer| pointer == at), "{at} is not among {unknown:?}");
        }
    }

    #[test]
    fn ignores_members_inside_values() {
        let document = json!({"schema": "musette.flags/1", "environment": "e", "flags": [{
            "key": "limits", "type": "json", "on": true,
            "variations": [{"key": "a", "value": {"anything": {"goes": [{"here": 1}]}}}],
            "offVariation": "a", "defaultVariation": "a", "baselineVariation": "a", "rules": []
        }]});
        assert_eq!(find_unknown(&document), [""; 0]);
    }
}
