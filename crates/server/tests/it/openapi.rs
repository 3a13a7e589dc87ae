//! The API document: complete, described, and the source of the reference.

mod bodies;
mod reference;
mod rules;

use std::path::{Path, PathBuf};

use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads the checked-in document. Another test compares it with the output of the program.
fn document() -> Value {
    let text = std::fs::read_to_string(repository().join("openapi.json")).expect("it is there");
    serde_json::from_str(&text).expect("JSON")
}

struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    value: &'a Value,
}

impl<'a> Operation<'a> {
    fn text(&self, name: &str) -> &'a str {
        self.value[name].as_str().unwrap_or_default()
    }

    fn list(&self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.value[name].as_array().into_iter().flatten()
    }
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = members(&document["paths"]).into_iter();
    let all = paths.flat_map(|(path, methods)| {
        members(methods).into_iter().map(move |(method, value)| Operation { method, path, value })
    });
    all.collect()
}

fn members(value: &Value) -> Vec<(&str, &Value)> {
    let all = value.as_object().into_iter().flatten();
    all.map(|(name, member)| (name.as_str(), member)).collect()
}
