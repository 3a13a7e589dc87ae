//! Members that the format does not name. They are ignored, so that this version reads what a later one wrote, and so a
//! mistyped name goes unnoticed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{DOCUMENT_SCHEMA, Document};

/// JSON pointers (RFC 6901) of the members of `text` that no object of a configuration has and that `document`, which was
/// read from it, is without. Members that begin with `$` are left out: editors put `$schema` there.
#[must_use]
pub fn unknown_members(text: &str, document: &Document) -> Vec<String> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    let mut names = BTreeSet::new();
    collect(&value(DOCUMENT_SCHEMA), &mut names);
    let mut found = Vec::new();
    compare(&value(text), &value(&document.to_json()), "", &names, &mut found);
    found
}

/// The members of every object that the schema describes.
fn collect(schema: &Value, names: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        names.extend(properties.keys().cloned());
    }
    match schema {
        Value::Object(members) => members.values().for_each(|it| collect(it, names)),
        Value::Array(items) => items.iter().for_each(|it| collect(it, names)),
        _ => {}
    }
}

fn compare(
    read: &Value,
    kept: &Value,
    at: &str,
    names: &BTreeSet<String>,
    found: &mut Vec<String>,
) {
    match (read, kept) {
        (Value::Object(members), Value::Object(others)) => {
            for (name, member) in members {
                let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                match others.get(name) {
                    Some(other) => compare(member, other, &at, names, found),
                    None if names.contains(name) || name.starts_with('$') => {}
                    None => found.push(at),
                }
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            for (i, (item, other)) in items.iter().zip(others).enumerate() {
                compare(item, other, &format!("{at}/{i}"), names, found);
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

    fn unknown(document: &Value) -> Vec<String> {
        let text = document.to_string();
        unknown_members(&text, &Document::parse(&text).expect("valid"))
    }

    #[test]
    fn members_that_no_object_has_are_found() {
        let complete = include_str!("schema/complete.json");
        let mut document: Value = serde_json::from_str(complete).expect("JSON");
        document["$schema"] = json!("../schemas/flags-1.json");
        assert_eq!(unknown(&document), [""; 0]);
        document["flgas"] = json!([]);
        document["flags"][0]["desription/~"] = json!("a typo");
        document["flags"][0]["rules"][0]["serve"]["wieght"] = json!(1);
        let found = unknown(&document);
        assert_eq!(found.len(), 3, "{found:?}");
        for at in ["/flgas", "/flags/0/desription~1~0", "/flags/0/rules/0/serve/wieght"] {
            assert!(found.iter().any(|it| it == at), "{at} is not among {found:?}");
        }
    }

    #[test]
    fn members_of_a_value_are_its_own() {
        let document = json!({"schema": "musette.flags/1", "environment": "e", "flags": [{
            "key": "limits", "type": "json", "on": true,
            "variations": [{"key": "a", "value": {"anything": {"goes": [{"here": 1}]}}}],
            "offVariation": "a", "defaultVariation": "a", "baselineVariation": "a", "rules": []
        }]});
        assert_eq!(unknown(&document), [""; 0]);
    }
}
