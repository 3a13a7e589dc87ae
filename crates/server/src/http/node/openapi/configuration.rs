//! Adds the flag configuration to the components: `flags-1.json` with a component for each of its
//! `$defs`, once as a client sends it and once as the server returns it.

use serde_json::{Map, Value, json};

use crate::http::flags::schema::SCHEMA;

type Object = Map<String, Value>;

/// Members that a response omits when they are not set, by definition; `*` means all definitions. A
/// response has all other members, with their defaults.
const ABSENT: [(&str, &[&str]); 7] = [
    ("*", &["description", "goal", "guardrails", "secondary"]),
    ("root", &["metrics", "clientMetrics"]),
    ("metric", &["name", "denominator", "unit", "min", "max", "cap"]),
    ("flag", &["owner", "requires_notice"]),
    ("rule", &["name"]),
    ("step", &["at"]),
    (
        "experiment",
        &["layer", "fallbackUnit", "winner", "hypothesis", "primaryMetric", "minimumEffect"],
    ),
];
/// The definition of a test. It has one operand, several or none, so no member is always present.
const TEST: &str = "test";

/// Adds the definitions to the components.
pub fn add(components: &mut Object) {
    let Ok(Value::Object(mut root)) = serde_json::from_str(SCHEMA) else { return };
    let Some(Value::Object(mut definitions)) = root.remove("$defs") else { return };
    root.remove("$schema");
    root.remove("$id");
    root.remove("title");
    definitions.insert("root".to_owned(), Value::Object(root));
    let differs = differing(&definitions);
    for (name, definition) in &definitions {
        if is_scalar(definition) {
            continue;
        }
        for served in [true, false] {
            let mut schema = definition.clone();
            if served {
                fill_required(name, &mut schema);
            }
            let names = |name: &str| component(name, served || !differs.contains(&name.to_owned()));
            refer(&mut schema, &definitions, &names);
            components.insert(names(name), schema);
        }
    }
}

/// Returns whether a definition is a string, a timestamp or a number. These are inlined and get no
/// component.
fn is_scalar(definition: &Value) -> bool {
    ["properties", "oneOf", "enum"].iter().all(|keyword| definition.get(keyword).is_none())
}

fn component(definition: &str, served: bool) -> String {
    let (first, rest) = definition.split_at(1);
    let name = match definition {
        "root" => "FlagConfiguration".to_owned(),
        "flag" => "Flag".to_owned(),
        _ => format!("Flag{}{rest}", first.to_uppercase()),
    };
    if served { name } else { format!("New{name}") }
}

/// Marks every member as required that a response always has.
fn fill_required(name: &str, schema: &mut Value) {
    if name == TEST {
        return;
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let is_absent = |member: &str| {
        ABSENT.iter().any(|(of, members)| (*of == "*" || *of == name) && members.contains(&member))
    };
    let required: Vec<&String> = properties.keys().filter(|member| !is_absent(member)).collect();
    schema["required"] = json!(required);
}

/// Returns the definitions that differ between requests and responses, or refer to one that does.
fn differing(definitions: &Object) -> Vec<String> {
    let mut differing: Vec<String> = Vec::new();
    loop {
        let before = differing.len();
        for (name, definition) in definitions {
            let mut served = definition.clone();
            fill_required(name, &mut served);
            let refers = || differing.iter().any(|other| refers_to(definition, other));
            if !differing.contains(name) && (!same_members(definition, &served) || refers()) {
                differing.push(name.clone());
            }
        }
        if differing.len() == before {
            return differing;
        }
    }
}

fn same_members(one: &Value, other: &Value) -> bool {
    let count = |schema: &Value| schema["required"].as_array().map_or(0, Vec::len);
    count(one) == count(other)
}

fn refers_to(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(members) => {
            members.get("$ref").and_then(definition_of) == Some(name)
                || members.values().any(|member| refers_to(member, name))
        }
        Value::Array(items) => items.iter().any(|item| refers_to(item, name)),
        _ => false,
    }
}

fn definition_of(reference: &Value) -> Option<&str> {
    reference.as_str()?.strip_prefix("#/$defs/")
}

/// Rewrites the references: to components, or to the inlined definition of a scalar.
fn refer(schema: &mut Value, definitions: &Object, names: &impl Fn(&str) -> String) {
    match schema {
        Value::Object(members) => {
            let name = members.get("$ref").and_then(definition_of).map(str::to_owned);
            if let Some(name) = name {
                match definitions.get(&name) {
                    Some(Value::Object(scalar)) if is_scalar(&definitions[&name]) => {
                        members.remove("$ref");
                        for (keyword, value) in scalar {
                            members.entry(keyword.clone()).or_insert_with(|| value.clone());
                        }
                    }
                    _ => {
                        let reference = format!("#/components/schemas/{}", names(&name));
                        members.insert("$ref".to_owned(), reference.into());
                    }
                }
            }
            if members.contains_key("enum") && !members.contains_key("type") {
                members.insert("type".to_owned(), "string".into());
            }
            for member in members.values_mut() {
                refer(member, definitions, names);
            }
        }
        Value::Array(items) => {
            for item in items {
                refer(item, definitions, names);
            }
        }
        _ => {}
    }
}
