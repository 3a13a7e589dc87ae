//! Short descriptions of schemas.

use std::collections::BTreeMap;

use serde_json::Value;

/// The page on which each schema is described.
pub type Home = BTreeMap<String, String>;

pub fn link(name: &str, home: &Home, page: &str) -> String {
    let anchor = name.to_lowercase();
    match home.get(name) {
        Some(there) if there != page => format!("[{name}]({there}.md#{anchor})"),
        _ => format!("[{name}](#{anchor})"),
    }
}

pub fn kind(schema: &Value, home: &Home, page: &str) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return link(name.rsplit('/').next().unwrap_or_default(), home, page);
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let each: Vec<String> = choices.iter().map(|choice| kind(choice, home, page)).collect();
            return each.join(" or ");
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", plain(word))).collect();
        return words.join(", ");
    }
    if !schema["const"].is_null() {
        return format!("`{}`", plain(&schema["const"]));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return object(schema, home, page),
    };
    let one = |name: &str| match name {
        "array" => match &schema["items"] {
            Value::Null => "array".to_owned(),
            items => format!("array of {}", kind(items, home, page)),
        },
        "object" => object(schema, home, page),
        "string" if schema["format"].is_string() => plain(&schema["format"]),
        other => other.to_owned(),
    };
    types.into_iter().map(one).collect::<Vec<_>>().join(" or ")
}

fn object(schema: &Value, home: &Home, page: &str) -> String {
    let members: Vec<&String> = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(|properties| properties.keys())
        .collect();
    if let [only] = members.as_slice() {
        return format!(
            "{{ `{only}`: {} }}",
            kind(&schema["properties"][only.as_str()], home, page)
        );
    }
    match &schema["additionalProperties"] {
        values @ Value::Object(some) if !some.is_empty() => {
            format!("map of {}", kind(values, home, page))
        }
        _ if schema["type"] == "object" => "object".to_owned(),
        _ => "JSON".to_owned(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Formats the constraints of a value in addition to its type.
pub fn limits(schema: &Value) -> String {
    let number = |name: &str| schema[name].as_f64().map(|value| value.to_string());
    let mut limits = Vec::new();
    for (least, most, of) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ] {
        match (number(least), number(most)) {
            (Some(least), Some(most)) => limits.push(format!("{least} to {most}{of}")),
            (Some(least), None) => limits.push(format!("at least {least}{of}")),
            (None, Some(most)) => limits.push(format!("at most {most}{of}")),
            (None, None) => {}
        }
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        limits.push(format!("`{}`", pattern.replace('|', "\\|")));
    }
    if !schema["default"].is_null() {
        limits.push(format!("`{}` by default", schema["default"]));
    }
    if limits.is_empty() { String::new() } else { format!(" ({})", limits.join("; ")) }
}

/// Formats text for a table cell.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
