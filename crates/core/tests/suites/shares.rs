//! Tests that the shares of users agree with Unleash. Musette selects users with another hash than
//! Unleash, so Unleash's cases about single users cannot be compared.

use std::collections::BTreeMap;
use std::fs;

use musette_core::flags::import;
use serde_json::{Value, json};

use super::Imported;
use super::unleash::specifications;

const PEOPLE: u32 = 20_000;

/// Returns the percentage of users that get each variation.
fn shares(suite: &str, feature: &str, attribute: &str) -> BTreeMap<String, f64> {
    let text = fs::read_to_string(specifications().join(suite)).expect("a suite");
    let suite: Value = serde_json::from_str(&text).expect("JSON");
    let imported = import::unleash(&suite["state"].to_string(), "production").expect("a document");
    let imported = Imported::of(&imported.document);
    let flag = imported.flag(feature).expect(feature);
    let mut shares = BTreeMap::new();
    for person in 0..PEOPLE {
        let (key, _) =
            imported.answer(flag, &json!({ attribute: person.to_string() })).expect("an answer");
        *shares.entry(key).or_default() += 100.0 / f64::from(PEOPLE);
    }
    shares
}

#[test]
fn imports_percentages() {
    let rollouts = "10-flexible-rollout-strategy.json";
    for (suite, feature, attribute, expected) in [
        (rollouts, "Feature.flexibleRollout.10", "userId", &[("on", 10.0)][..]),
        (rollouts, "Feature.flexibleRollout.10", "sessionId", &[("on", 10.0)]),
        (rollouts, "Feature.flexibleRollout.userId.55", "userId", &[("on", 55.0)]),
        (rollouts, "Feature.flexibleRollout.sessionId.42", "sessionId", &[("on", 42.0)]),
        (
            "12-custom-stickiness.json",
            "Feature.flexible.rollout.custom.stickiness_50",
            "customField",
            &[("on", 50.0)],
        ),
        (
            "08-variants.json",
            "Feature.Variants.D",
            "userId",
            &[("variant1", 1.0), ("variant2", 49.0), ("variant3", 50.0)],
        ),
        (
            "12-custom-stickiness.json",
            "Feature.flexible.rollout.custom.stickiness_100",
            "customField",
            &[("blue", 25.0), ("green", 25.0), ("red", 25.0), ("yellow", 25.0)],
        ),
    ] {
        let actual = shares(suite, feature, attribute);
        for (variation, percent) in expected {
            let share = actual.get(*variation).copied().unwrap_or_default();
            // Four standard deviations of a draw of this many users.
            let allowed = 4.0 * (percent * (100.0 - percent) / f64::from(PEOPLE)).sqrt();
            assert!((share - percent).abs() < allowed, "{feature} {variation}: {share}");
        }
    }
}
