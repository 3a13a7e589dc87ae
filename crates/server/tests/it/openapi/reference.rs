//! `docs/api/`: one page for each tag, and one for the schemas that several tags share. `UPDATE=1`
//! writes them.

mod kinds;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use super::{Operation, document, members, operations, repository};
use kinds::{Home, kind, limits, one_line};

const GENERATED: &str = "<!-- Made from openapi.json; `UPDATE=1 cargo test --workspace --test it -- openapi` writes it anew. -->\n\n";

#[test]
fn the_reference_is_current() {
    let folder = repository().join("docs/api");
    let pages = pages(&document());
    let update = std::env::var("UPDATE").is_ok_and(|value| value == "1");
    if update {
        std::fs::create_dir_all(&folder).expect("a folder");
    }
    for (name, text) in &pages {
        let file = folder.join(name);
        if update {
            std::fs::write(&file, text).expect("it is written");
        }
        let existing = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(existing == *text, "docs/api/{name} is stale: run this test again with UPDATE=1");
    }
    for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(pages.contains_key(&name), "docs/api/{name} has no tag any more");
    }
}

fn pages(document: &Value) -> BTreeMap<String, String> {
    let operations = operations(document);
    let home = homes(document, &operations);
    let mut pages = BTreeMap::new();
    let mut index = format!(
        "# HTTP API\n\n{GENERATED}{}\n\n",
        document["info"]["description"].as_str().unwrap_or_default()
    );
    index.push_str("What all routes have in common, and every error code: [api-design.md](../api-design.md). For programs: [`openapi.json`](../../openapi.json).\n\n");
    for tag in document["tags"].as_array().into_iter().flatten() {
        let (name, about) = (text(tag, "name"), text(tag, "description"));
        let of_tag = || operations.iter().filter(|operation| operation.value["tags"][0] == name);
        let _ = writeln!(index, "## [{}]({name}.md)\n\n{about}\n\n| | |\n|---|---|", title(name));
        let mut page = format!("# {}\n\n{GENERATED}{about}\n", title(name));
        for operation in of_tag() {
            let summary = operation.text("summary");
            let call = format!("`{} {}`", operation.method.to_uppercase(), operation.path);
            let _ = writeln!(index, "| {call} | [{summary}]({name}.md#{}) |", anchor(summary));
            describe(operation, &home, name, &mut page);
        }
        index.push('\n');
        schemas(document, &home, name, &mut page);
        pages.insert(format!("{name}.md"), page);
    }
    index
        .push_str("## [Shared schemas](schemas.md)\n\nBodies that routes of several pages have.\n");
    let mut shared =
        format!("# Shared schemas\n\n{GENERATED}Bodies that routes of several pages have.\n");
    schemas(document, &home, "schemas", &mut shared);
    pages.insert("schemas.md".to_owned(), shared);
    pages.insert("README.md".to_owned(), index);
    pages
}

/// Returns the page of each schema: the page of the only tag whose operations refer to it.
fn homes(document: &Value, operations: &[Operation<'_>]) -> Home {
    let mut tags: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for operation in operations {
        let tag = operation.value["tags"][0].as_str().unwrap_or_default();
        let mut waiting = vec![operation.value];
        let mut visited = BTreeSet::new();
        while let Some(value) = waiting.pop() {
            waiting.extend(value.as_array().into_iter().flatten());
            waiting.extend(members(value).into_iter().map(|(_, child)| child));
            let Some(reference) = value["$ref"].as_str() else { continue };
            if let Some(name) = reference.strip_prefix("#/components/schemas/")
                && visited.insert(name.to_owned())
            {
                tags.entry(name.to_owned()).or_default().insert(tag);
                waiting.push(&document["components"]["schemas"][name]);
            }
        }
    }
    let home = |tags: &BTreeSet<&str>| match tags.first() {
        Some(only) if tags.len() == 1 => (*only).to_owned(),
        _ => "schemas".to_owned(),
    };
    let mut homes: Home = tags.iter().map(|(name, tags)| (name.clone(), home(tags))).collect();
    for (name, _) in members(&document["components"]["schemas"]) {
        homes.entry(name.to_owned()).or_insert_with(|| "schemas".to_owned());
    }
    homes
}

fn describe(operation: &Operation<'_>, home: &Home, page: &str, out: &mut String) {
    let value = operation.value;
    let method = operation.method.to_uppercase();
    let _ = writeln!(out, "\n## {}\n\n`{method} {}`\n", operation.text("summary"), operation.path);
    if !operation.text("description").is_empty() {
        let _ = writeln!(out, "{}\n", operation.text("description"));
    }
    let _ = writeln!(out, "**Who may call:** {}\n", who(value));
    let parameters: Vec<&Value> = operation.list("parameters").collect();
    if !parameters.is_empty() {
        out.push_str("| Parameter | Type | Meaning |\n|---|---|---|\n");
        for parameter in parameters {
            let required = if parameter["required"] == true { "" } else { ", optional" };
            let (name, place) = (text(parameter, "name"), text(parameter, "in"));
            let kind = kind(&parameter["schema"], home, page);
            let meaning = one_line(text(parameter, "description"));
            let limits = limits(&parameter["schema"]);
            let _ = writeln!(out, "| `{name}` ({place}{required}) | {kind} | {meaning}{limits} |");
        }
        out.push('\n');
    }
    for (media, content) in members(&value["requestBody"]["content"]) {
        let about = one_line(text(&value["requestBody"], "description"));
        let _ = writeln!(
            out,
            "**Body:** {} as `{media}`. {about}\n",
            kind(&content["schema"], home, page)
        );
    }
    answers(value, home, page, out);
}

fn answers(value: &Value, home: &Home, page: &str, out: &mut String) {
    out.push_str("| Answer | Body |\n|---|---|\n");
    let mut errors = Vec::new();
    for (status, answer) in members(&value["responses"]) {
        if status.starts_with(['4', '5']) {
            errors.push(status);
            continue;
        }
        let bodies: Vec<String> = members(&answer["content"])
            .into_iter()
            .map(|(media, content)| match &content["schema"] {
                Value::Null => format!("`{media}`"),
                schema => format!("{} as `{media}`", kind(schema, home, page)),
            })
            .collect();
        let bodies = if bodies.is_empty() { "none".to_owned() } else { bodies.join(", or ") };
        let _ = writeln!(out, "| {status} | {bodies} |");
    }
    let problem = kinds::link("ProblemBody", home, page);
    let _ = writeln!(out, "| {} | {problem} as `application/problem+json` |", errors.join(", "));
}

fn who(value: &Value) -> String {
    let mut ways = Vec::new();
    let Some(needs) = value["security"].as_array() else { return "anybody".to_owned() };
    for (scheme, roles) in needs.iter().flat_map(|need| {
        let ways = members(need);
        if ways.is_empty() { vec![("nobody", &Value::Null)] } else { ways }
    }) {
        ways.push(match (scheme, roles[0].as_str()) {
            ("bearer", Some(role)) => format!("role `{role}`"),
            ("bearer", None) => "a session".to_owned(),
            ("flag_key", _) => "a flag key".to_owned(),
            ("flag_api_key", _) => "a flag key as `X-API-Key`".to_owned(),
            _ => "anybody".to_owned(),
        });
    }
    let keys = value["x-service-key-roles"].as_array().into_iter().flatten();
    ways.extend(keys.filter_map(Value::as_str).map(|role| format!("a service key of `{role}`")));
    ways.join(", ")
}

fn schemas(document: &Value, home: &Home, page: &str, out: &mut String) {
    let all = members(&document["components"]["schemas"]);
    let entries: Vec<_> = all.into_iter().filter(|(name, _)| home[*name] == page).collect();
    if entries.is_empty() {
        return;
    }
    out.push_str("\n# Schemas\n");
    for (name, schema) in entries {
        let _ = writeln!(out, "\n## {name}\n\n{}\n", text(schema, "description"));
        let mut rows = String::new();
        let parts = schema["allOf"].as_array();
        for part in parts.into_iter().flatten().chain([schema]) {
            if part["$ref"].is_string() {
                let _ = writeln!(out, "It has every member of {}.\n", kind(part, home, page));
            }
            let required = part["required"].as_array();
            for (member, property) in members(&part["properties"]) {
                let is_required =
                    required.is_some_and(|members| members.iter().any(|one| one == member));
                let optional = if is_required { "" } else { ", optional" };
                let (kind, limits) = (kind(property, home, page), limits(property));
                let meaning = one_line(text(property, "description"));
                let _ = writeln!(rows, "| `{member}`{optional} | {kind} | {meaning}{limits} |");
            }
        }
        if !rows.is_empty() {
            let _ = write!(out, "| Member | Type | Meaning |\n|---|---|---|\n{rows}");
        } else if parts.is_none() {
            let _ = writeln!(out, "{}{}", kind(schema, home, page), limits(schema));
        }
        if let Some(example) = schema["examples"].as_array().and_then(|examples| examples.first()) {
            let example = serde_json::to_string_pretty(example).expect("JSON");
            let _ = writeln!(out, "\n```json\n{example}\n```");
        }
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn title(tag: &str) -> String {
    match tag {
        "ofrep" => "OpenFeature (OFREP)".to_owned(),
        _ => match tag.strip_prefix("admin-") {
            Some(subject) => format!("Console: {subject}"),
            None => format!("{}{}", tag[..1].to_uppercase(), &tag[1..]),
        },
    }
}

/// Returns the anchor that Markdown renderers derive from a heading.
fn anchor(heading: &str) -> String {
    let characters =
        heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    characters.collect::<String>().to_lowercase().replace(' ', "-")
}
