//! The flags of a document as TypeScript, so that a program that misspells one does not compile.
//!
//! Not here: values as they are served at the moment. A type says what a flag can answer at all.

use std::fmt::Write as _;

use super::document::{Document, Flag, FlagType, Serve};
use super::json::Json;

/// A module that declares the value of each flag and what its variations are called. Archived flags
/// are not in it; what only a server sees stands apart.
pub fn types(document: &Document) -> String {
    let live = || document.flags.iter().filter(|flag| !flag.archived);
    let visible: Vec<&Flag> = live().filter(|flag| flag.client_visible).collect();
    let hidden: Vec<&Flag> = live().filter(|flag| !flag.client_visible).collect();
    let mut text =
        String::from("// Made by `musette flags types`: change the flags, not this file.\n");
    interface(&mut text, "What each flag can answer.", "Flags", &visible, value_type);
    let doc = "What each flag can answer to a server.";
    interface(&mut text, doc, "ServerFlags extends Flags", &hidden, value_type);
    interface(&mut text, "What the variations are called.", "Variations", &visible, variation_type);
    let doc = "What the variations are called, to a server.";
    interface(&mut text, doc, "ServerVariations extends Variations", &hidden, variation_type);
    let experiments = live().flat_map(|flag| &flag.rules).filter_map(|rule| match &rule.serve {
        Serve::Experiment(experiment) => Some(literal(&experiment.key)),
        _ => None,
    });
    text.push_str("\nexport type FlagKey = keyof Flags;\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "export type ExperimentKey = {};", union(experiments));
    if !document.metrics.is_empty() {
        let metrics = document.metrics.iter().map(|metric| literal(&metric.key));
        let _ = writeln!(text, "export type MetricKey = {};", union(metrics));
    }
    text
}

fn interface(text: &mut String, doc: &str, name: &str, flags: &[&Flag], of: fn(&Flag) -> String) {
    let _ = writeln!(text, "\n/** {doc} */\nexport interface {name} {{");
    for flag in flags {
        if let Some(description) = &flag.description {
            // `*/` is split, so that it does not end the comment.
            let _ =
                writeln!(text, "  /** {} */", description.replace("*/", "* /").replace('\n', " "));
        }
        let _ = writeln!(text, "  readonly {}: {};", literal(&flag.key), of(flag));
    }
    text.push_str("}\n");
}

fn value_type(flag: &Flag) -> String {
    let values = flag.variations.iter().map(|variation| &variation.value);
    match flag.r#type {
        FlagType::Json => union(values.map(widened)),
        FlagType::Boolean if flag.variations.len() > 1 => "boolean".to_owned(),
        _ => union(values.map(|value| serde_json::to_string(value).unwrap_or_default())),
    }
}

fn variation_type(flag: &Flag) -> String {
    union(flag.variations.iter().map(|variation| literal(&variation.key)))
}

/// The type that a value of JSON is an example of: of an object, which fields it has, not which text
/// stands in them.
fn widened(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(_) => "boolean".to_owned(),
        Json::Int(_) | Json::Float(_) => "number".to_owned(),
        Json::Text(_) => "string".to_owned(),
        Json::Array(values) => format!("readonly ({})[]", union(values.iter().map(widened))),
        // To TypeScript `{}` is anything but null.
        Json::Object(members) if members.is_empty() => "Readonly<Record<string, never>>".to_owned(),
        Json::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("readonly {}: {}", literal(name), widened(value)))
                .collect();
            format!("{{ {} }}", members.join("; "))
        }
    }
}

/// Each once, in their order.
fn union(types: impl Iterator<Item = String>) -> String {
    let mut once: Vec<String> = Vec::new();
    for r#type in types {
        if !once.contains(&r#type) {
            once.push(r#type);
        }
    }
    match once[..] {
        [] => "never".to_owned(),
        _ => once.join(" | "),
    }
}

/// JSON's texts are TypeScript's.
fn literal(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::types;
    use crate::flags::document::Document;
    use crate::flags::import::growthbook;

    fn document(features: &str) -> Document {
        growthbook(&format!("{{\"features\":{features}}}")).expect("a payload").document
    }

    fn named(name: &str, text: &str) -> String {
        let line = text.lines().find(|line| line.contains(&format!("readonly \"{name}\": ")));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).trim().to_owned()
    }

    #[test]
    fn values_are_literals_and_objects_are_shapes() {
        let document = document(
            r#"{"a":{"defaultValue":false,"rules":[{"force":true}]},
                "b":{"defaultValue":"x\"y","rules":[{"force":"z"}]},
                "c":{"defaultValue":1,"rules":[{"force":2.5}]},
                "d":{"defaultValue":{"open":true,"at":[8,"20"]},"rules":[{"force":{"open":false,"at":[]}}]},
                "e":{"defaultValue":[{"n":1},{"n":2}]}}"#,
        );
        let text = types(&document);
        for (name, line) in [
            ("a", r#"readonly "a": boolean;"#),
            ("b", r#"readonly "b": "x\"y" | "z";"#),
            ("c", r#"readonly "c": 1 | 2.5;"#),
            (
                "d",
                r#"readonly "d": { readonly "at": readonly (number | string)[]; readonly "open": boolean } | { readonly "at": readonly (never)[]; readonly "open": boolean };"#,
            ),
            ("e", r#"readonly "e": readonly ({ readonly "n": number })[];"#),
        ] {
            assert_eq!(named(name, &text), line);
        }
        assert!(text.contains("export type ExperimentKey = never;"));
    }

    #[test]
    fn metrics_are_named_where_they_are_declared() {
        let mut document = document(r#"{"a":{"defaultValue":1}}"#);
        assert!(!types(&document).contains("MetricKey"), "any name is taken");
        let complete = Document::parse(include_str!("schema/complete.json")).expect("valid");
        document.metrics = complete.metrics;
        let text = types(&document);
        assert!(text.contains(r#"export type MetricKey = "orders" | "late" | "pay";"#), "{text}");
    }

    #[test]
    fn hidden_flags_stand_apart_and_archived_ones_nowhere() {
        let mut document =
            document(r#"{"a":{"defaultValue":1},"b":{"defaultValue":1},"c":{"defaultValue":1}}"#);
        document.flags[1].client_visible = false;
        document.flags[2].archived = true;
        let text = types(&document);
        let server = text.find("interface ServerFlags").expect("an interface");
        assert!(text.find(r#"readonly "a": 1;"#).expect("a") < server);
        assert!(text.find(r#"readonly "b": 1;"#).expect("b") > server);
        assert!(!text.contains(r#""c""#));
    }

    #[test]
    fn a_description_does_not_end_its_comment() {
        let mut document = document(r#"{"a":{"defaultValue":1}}"#);
        document.flags[0].description = Some("ends */ here\nand goes on".to_owned());
        assert!(types(&document).contains("/** ends * / here and goes on */"));
    }

    #[test]
    fn nulls_and_empty_objects_have_types() {
        let document = document(r#"{"a":{"defaultValue":{"until":null}},"b":{"defaultValue":{}}}"#);
        let text = types(&document);
        assert_eq!(named("a", &text), r#"readonly "a": { readonly "until": null };"#);
        assert_eq!(named("b", &text), r#"readonly "b": Readonly<Record<string, never>>;"#);
    }
}
