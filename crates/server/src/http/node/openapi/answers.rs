//! Corrects nullable members. In a response, an optional member is absent, never null: the structs
//! declare this with `skip_serializing_if`, which the generator does not see. In a request, null
//! means the same as absent.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Members of responses that are absent in some cases and null in others.
const ABSENT_OR_NULL: [(&str, &str); 2] =
    [("ResultBody", "variationKey"), ("GateItemBody", "changes_at")];

pub fn complete(document: &mut Value) {
    let requested = reachable(document, "requestBody");
    let returned = reachable(document, "responses");
    each_parameter(document, |parameter| remove_null(&mut parameter["schema"]));
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas {
        let is_answer = returned.contains(name) && !requested.contains(name);
        each_object(schema, &mut |required, properties| {
            for (member, property) in properties {
                let is_exception = ABSENT_OR_NULL.contains(&(name.as_str(), member.as_str()));
                if is_answer && !is_exception && !required.contains(member) {
                    remove_null(property);
                } else {
                    raise_description(property);
                }
            }
        });
    }
}

/// Visits the schema itself and the schemas that it combines with `allOf`.
fn each_object(schema: &mut Value, visit: &mut impl FnMut(&BTreeSet<String>, &mut Object)) {
    for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
        each_object(part, visit);
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required = required.filter_map(Value::as_str).map(str::to_owned).collect();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        visit(&required, properties);
    }
}

fn each_parameter(document: &mut Value, visit: impl Fn(&mut Value)) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    let operations = paths.filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    let parameters =
        operations.filter_map(|operation| operation.get_mut("parameters")?.as_array_mut());
    parameters.flatten().for_each(visit);
}

fn remove_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_mut_slice() {
            schema["type"] = only.take();
        }
    }
    let Some(choices) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    choices.retain(|choice| choice["type"] != "null");
    if let [only] = choices.as_mut_slice() {
        *schema = only.take();
    }
}

/// Moves the description of a reference in "reference or null" up to the member.
fn raise_description(schema: &mut Value) {
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    let references = choices.filter_map(|choice| choice.as_object_mut());
    let references = references.filter(|choice| choice.contains_key("$ref"));
    let mut descriptions = references.filter_map(|reference| reference.remove("description"));
    if let Some(description) = descriptions.next() {
        schema["description"] = description;
    }
}

/// Returns the names of the schemas that a part of any operation refers to, directly or indirectly.
fn reachable(document: &Value, part: &str) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = paths.filter_map(Value::as_object).flat_map(Map::values);
    let mut pending: Vec<&Value> = operations.filter_map(|operation| operation.get(part)).collect();
    let mut reached = BTreeSet::new();
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                pending.extend(members.values());
                let reference = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
                let Some(name) = reference.strip_prefix("#/components/schemas/") else { continue };
                if reached.insert(name.to_owned()) {
                    pending.push(&document["components"]["schemas"][name]);
                }
            }
            Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    reached
}
