use std::fs;
use std::path::PathBuf;
use std::process::Command;

use musette_core::flags::import::{self, OmittedItem};
use serde_json::{Map, Value, json};

use super::listed::Outcome;
use super::{Imported, root, sticky};

/// Cargo manifest to fetch the package `growthbook-rust`, which contains the cases that GrowthBook
/// publishes with its clients.
const MANIFEST: &str = r#"
[package]
name = "suites"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

# For a target that does not exist: fetched, and never compiled.
[target.'cfg(any())'.dependencies]
growthbook-rust = "=0.4.0"
"#;

fn cases() -> Value {
    let folder = root().join("target/suites");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("src/lib.rs"), "").expect("an empty library");
    fs::write(folder.join("Cargo.toml"), MANIFEST).expect("a manifest");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package_entry = packages.iter().find(|package| package["name"] == "growthbook-rust");
    let manifest =
        package_entry.and_then(|package| package["manifest_path"].as_str()).expect("a manifest");
    let text = fs::read_to_string(PathBuf::from(manifest).with_file_name("tests/cases/cases.json"));
    serde_json::from_str(&text.expect("the cases")).expect("JSON")
}

/// The other suites in the file test parts of GrowthBook's clients: their hash, decryption, page
/// URLs, and compressed payloads.
#[test]
fn supported_cases_give_the_same_result_as_growthbook() {
    let cases = cases();
    let mut outcome = Outcome::default();
    let suite = |name: &str| cases[name].as_array().expect("a suite").clone();
    for case in suite("evalCondition") {
        outcome.add(format!("evalCondition: {}", text(&case[0])), condition(&case));
    }
    for case in suite("feature") {
        outcome.add(format!("feature: {}", text(&case[0])), feature(&case));
    }
    for case in suite("run") {
        outcome.add(format!("run: {}", text(&case[0])), run(&case));
    }
    for case in suite("stickyBucket") {
        outcome.add(format!("stickyBucket: {}", text(&case[0])), sticky::check(&case));
    }
    outcome.check("growthbook", 449);
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Tests a case `[name, condition, attributes, expected, groups?]` as the condition of a rule.
fn condition(case: &Value) -> Result<(), String> {
    let rule = json!({ "condition": case[1], "force": true });
    let mut payload = payload(&json!({ "f": { "defaultValue": false, "rules": [rule] } }));
    if case[4].is_object() {
        payload["savedGroups"] = case[4].clone();
    }
    let (value, _) = answer(&payload, &case[2], "f")?;
    if value == case[3] { Ok(()) } else { Err(format!("{value}, not {}", case[3])) }
}

/// Tests a case `[name, context, feature, expected]`.
fn feature(case: &Value) -> Result<(), String> {
    let context = &case[1];
    reject_options(
        context,
        &["forcedVariations", "contextualBandits", "url", "qaMode", "enabled"],
    )?;
    let mut payload = payload(context.get("features").unwrap_or(&json!({})));
    if context["savedGroups"].is_object() {
        payload["savedGroups"] = context["savedGroups"].clone();
    }
    let (value, _) = answer(&payload, &attributes(context), text(&case[2]))?;
    let expected = &case[3]["value"];
    if value == *expected { Ok(()) } else { Err(format!("{value}, not {expected}")) }
}

/// Tests a case `[name, context, experiment, value, in the experiment, drawn]` as a rule of a
/// feature.
fn run(case: &Value) -> Result<(), String> {
    let (context, experiment) = (&case[1], &case[2]);
    reject_options(
        context,
        &["forcedVariations", "url", "qaMode", "enabled", "overrides", "groups"],
    )?;
    reject_options(
        experiment,
        &["force", "active", "status", "url", "urlPatterns", "groups", "include"],
    )?;
    let first = &experiment["variations"][0];
    let payload = payload(&json!({ "f": { "defaultValue": first, "rules": [experiment] } }));
    let (value, _) = answer(&payload, &attributes(context), "f")?;
    if value == case[3] { Ok(()) } else { Err(format!("{value}, not {}", case[3])) }
}

/// Rejects cases with options of GrowthBook's client, which are not part of an import.
fn reject_options(value: &Value, options: &[&str]) -> Result<(), String> {
    match options.iter().find(|option| value.get(**option).is_some()) {
        Some(option) => Err(format!("an option of the client: {option}")),
        None => Ok(()),
    }
}

fn payload(features: &Value) -> Value {
    json!({ "features": features })
}

fn attributes(context: &Value) -> Value {
    context.get("attributes").cloned().unwrap_or_else(|| Value::Object(Map::new()))
}

fn answer(payload: &Value, attributes: &Value, key: &str) -> Result<(Value, String), String> {
    let imported = import::growthbook(&payload.to_string())
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<String>())?;
    // The first note is the same for all imports: that users are selected with another hash.
    if let Some(left_out) = imported.left_out.get(1) {
        return Err(format!("left out: {}", reason(left_out)));
    }
    let imported = Imported::of(&imported.document);
    let Some(flag) = imported.flag(key) else { return Ok((Value::Null, String::new())) };
    Ok(imported
        .answer(flag, attributes)
        .map_or((Value::Null, String::new()), |(key, value)| (value, key)))
}

fn reason(left_out: &OmittedItem) -> &str {
    &left_out.reason
}
