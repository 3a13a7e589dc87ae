//! What answers have. An optional member of an answer is absent, never null, which the structs say by
//! `skip_serializing_if` and the generator does not see; in a request null is as good as absent.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Members of answers that are absent in some cases and null in others.
const ABSENT_OR_NULL: [(&str, &str); 2] =
    [("ResultBody", "variationKey"), ("GateItemBody", "changes_at")];

pub fn complete(document: &mut Value) {
    let sent = reachable(document, "requestBody");
    let answered = reachable(document, "responses");
    each_parameter(document, |parameter| drop_null(&mut parameter["schema"]));
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (name, schema) in schemas {
        let is_answer = answered.contains(name) && !sent.contains(name);
        each_object(schema, &mut |required, properties| {
            for (member, property) in properties {
                let is_exception = ABSENT_OR_NULL.contains(&(name.as_str(), member.as_str()));
                if is_answer && !is_exception && !required.contains(member) {
                    drop_null(property);
                } else {
                    raise_description(property);
                }
            }
        });
    }
}

/// The schema itself, and those that it is put together from.
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
    let parameters = operations.filter_map(|it| it.get_mut("parameters")?.as_array_mut());
    parameters.flatten().for_each(visit);
}

fn drop_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|it| it != "null");
        if let [only] = types.as_mut_slice() {
            schema["type"] = only.take();
        }
    }
    let Some(choices) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    choices.retain(|it| it["type"] != "null");
    if let [only] = choices.as_mut_slice() {
        *schema = only.take();
    }
}

/// Moves the description of a reference in "reference or null" up to the member.
fn raise_description(schema: &mut Value) {
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    let said = choices.filter_map(|it| it.as_object_mut()).filter(|it| it.contains_key("$ref"));
    let said = said.filter_map(|it| it.remove("description")).next();
    if let Some(said) = said {
        schema["description"] = said;
    }
}

/// The schemas that this part of an operation leads to.
fn reachable(document: &Value, part: &str) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = paths.filter_map(Value::as_object).flat_map(Map::values);
    let mut waiting: Vec<&Value> = operations.filter_map(|it| it.get(part)).collect();
    let mut found = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(members) => {
                waiting.extend(members.values());
                let reference = members.get("$ref").and_then(Value::as_str).unwrap_or_default();
                let Some(name) = reference.strip_prefix("#/components/schemas/") else { continue };
                if found.insert(name.to_owned()) {
                    waiting.push(&document["components"]["schemas"][name]);
                }
            }
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    found
}
