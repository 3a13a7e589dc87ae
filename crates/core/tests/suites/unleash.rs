use std::fs;
use std::path::PathBuf;

use musette_core::flags::import;
use musette_core::flags::{AttributeType, Document};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::listed::Outcome;
use super::{Imported, root};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suite {
    name: String,
    state: Value,
    #[serde(default)]
    tests: Vec<Case>,
    #[serde(default)]
    variant_tests: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    description: String,
    context: Map<String, Value>,
    toggle_name: String,
    expected_result: Value,
}

pub fn specifications() -> PathBuf {
    let folder = root().join("node_modules/@unleash/client-specification/specifications");
    assert!(folder.exists(), "the suite is missing: run `npm ci`");
    folder
}

#[test]
fn supported_cases_give_the_same_result_as_unleash() {
    let folder = specifications();
    let index = fs::read_to_string(folder.join("index.json")).expect("the list of suites");
    let names: Vec<String> = serde_json::from_str(&index).expect("the list of suites");
    let mut outcome = Outcome::default();
    let mut cases = 0;
    for name in names {
        let text = fs::read_to_string(folder.join(name)).expect("a suite");
        let suite: Suite = serde_json::from_str(&text).expect("a suite");
        cases += suite.tests.len() + suite.variant_tests.len();
        run(&suite, &mut outcome);
    }
    assert!(cases >= 279, "only {cases} cases were found");
    outcome.check("unleash", 240);
}

fn run(suite: &Suite, outcome: &mut Outcome) {
    let state = suite.state.to_string();
    for case in suite.tests.iter().chain(&suite.variant_tests) {
        // The import resolves the environment that the case evaluates in.
        let environment = case.context.get("environment").and_then(Value::as_str);
        let imported = import::unleash(&state, environment.unwrap_or("production"))
            .map(|imported| imported.document);
        let name = format!("{}: {}", suite.name, case.description);
        let result = match &imported {
            Ok(document) => check(document, case),
            Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
        };
        outcome.add(name, result);
    }
}

fn check(document: &Document, case: &Case) -> Result<(), String> {
    let imported = Imported::of(document);
    let mut attributes = attributes(document, &case.context);
    let now = case.context.get("currentTime").and_then(Value::as_str);
    if now.is_some() {
        // A rollout, which has times, needs a user to draw.
        attributes["userId"] = "somebody".into();
    }
    let now = now.unwrap_or("2026-11-21T09:00:00Z");
    let answer = imported
        .flag(&case.toggle_name)
        .and_then(|flag| imported.answer_at(now, flag, &attributes));
    let expected = &case.expected_result;
    if let Some(enabled) = expected.as_bool() {
        let is_enabled = answer.as_ref().is_some_and(|(key, _)| !is_disabled(key));
        return if is_enabled == enabled {
            Ok(())
        } else {
            Err(format!("{is_enabled}, {answer:?}"))
        };
    }
    let enabled = expected["feature_enabled"] == true;
    let is_correct = match (&answer, expected["name"].as_str()) {
        (None, _) => !enabled,
        (Some((key, _)), Some("disabled")) => {
            is_disabled(key) != enabled && (!enabled || matches!(key.as_str(), "on" | "enabled"))
        }
        (Some((key, value)), Some(name)) => key == name && has_payload(value, &expected["payload"]),
        _ => false,
    };
    if is_correct { Ok(()) } else { Err(format!("{answer:?}, not {expected}")) }
}

fn is_disabled(key: &str) -> bool {
    matches!(key, "off" | "disabled")
}

/// Compares a payload, which is a text in Unleash and a value of its type in Musette.
fn has_payload(value: &Value, payload: &Value) -> bool {
    let text = payload["value"].as_str().unwrap_or_default();
    match payload["type"].as_str() {
        Some("number") => value.as_f64() == text.parse().ok(),
        Some("json") => serde_json::from_str::<Value>(text).ok().as_ref() == Some(value),
        _ => value.as_str() == Some(text),
    }
}

/// Converts a context, whose values are texts in Unleash. Clients of Musette send values of the
/// declared types.
fn attributes(document: &Document, context: &Map<String, Value>) -> Value {
    let mut attributes = context.clone();
    if let Some(Value::Object(properties)) = attributes.remove("properties") {
        attributes.extend(properties);
    }
    for attribute in &document.attributes {
        if let Some(value) = attributes.get_mut(&attribute.name)
            && attribute.r#type == AttributeType::Number
            && let Some(number) = value.as_str().and_then(|text| text.parse::<f64>().ok())
        {
            *value = number.into();
        }
    }
    Value::Object(attributes)
}
