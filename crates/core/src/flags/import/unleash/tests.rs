mod times;

use serde_json::{Value, json};

use super::unleash;
use crate::flags::import::Imported;

fn imported(document: &Value) -> Imported {
    unleash(&document.to_string(), "production").expect("a document of Unleash")
}

fn one(feature: &Value) -> Imported {
    imported(&json!({ "version": 2, "features": [feature] }))
}

fn rules(imported: &Imported) -> Value {
    serde_json::to_value(&imported.document.flags[0].rules).expect("JSON")
}

/// Returns all notes except the first, which is about hashing.
fn left_out(imported: &Imported) -> Vec<String> {
    assert!(imported.left_out[0].reason.contains("hash"), "{:?}", imported.left_out);
    imported.left_out[1..].iter().map(ToString::to_string).collect()
}

fn import_constraint(constraint: &Value) -> Imported {
    one(&json!({
        "name": "f", "enabled": true,
        "strategies": [{ "name": "default", "constraints": [constraint] }],
    }))
}

#[test]
fn a_feature_without_strategies_is_on_for_everyone() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [] }));
    assert_eq!(
        rules(&imported),
        json!([{ "id": "everybody", "when": { "all": [] }, "serve": { "variation": "on" } }])
    );
    let flag = &imported.document.flags[0];
    assert!(flag.on);
    assert_eq!((flag.default_variation.as_str(), flag.baseline_variation.as_str()), ("off", "off"));
}

#[test]
fn constraints_keep_their_meaning() {
    for (constraint, condition) in [
        (
            json!({ "operator": "IN", "values": ["a", "b"] }),
            json!({ "attr": "x", "op": "in", "values": ["a", "b"] }),
        ),
        (json!({ "operator": "IN", "values": [] }), json!({ "any": [] })),
        (
            json!({ "operator": "NOT_IN", "values": ["a"] }),
            json!({ "not": { "attr": "x", "op": "in", "values": ["a"] } }),
        ),
        (
            json!({ "operator": "STR_ENDS_WITH", "values": ["a", "b"] }),
            json!({ "any": [
                { "attr": "x", "op": "ends", "value": "a" },
                { "attr": "x", "op": "ends", "value": "b" },
            ] }),
        ),
        (
            json!({ "operator": "STR_STARTS_WITH", "values": ["a.b"], "caseInsensitive": true }),
            json!({ "any": [{ "attr": "x", "op": "matches", "value": r"(?is)^a\.b" }] }),
        ),
        (
            json!({ "operator": "NUM_GTE", "value": "12.0", "inverted": true }),
            json!({ "not": { "attr": "x", "op": "gte", "value": 12 } }),
        ),
        (
            json!({ "operator": "SEMVER_LT", "value": "2.0.0-rc.1" }),
            json!({ "attr": "x", "op": "semver_lt", "value": "2.0.0-rc.1" }),
        ),
        (
            json!({ "operator": "STR_CONTAINS", "values": ["", " a "] }),
            json!({ "any": [{ "attr": "x", "op": "contains", "value": "a" }] }),
        ),
    ] {
        let mut constraint = constraint;
        constraint["contextName"] = json!("x");
        let imported = import_constraint(&constraint);
        assert_eq!(rules(&imported)[0]["when"], json!({ "all": [condition] }), "{constraint}");
        assert_eq!(left_out(&imported), [""; 0]);
    }
}

#[test]
fn leaves_out_a_whole_strategy_with_an_unsupported_part() {
    for (constraint, reason) in [
        (
            json!({ "operator": "WITHIN_MOON_PHASE", "values": ["a"] }),
            "WITHIN_MOON_PHASE has no counterpart",
        ),
        (json!({ "operator": "NUM_EQ", "value": "twelve" }), "\"twelve\" is not a number"),
        (
            json!({ "operator": "REGEX", "value": "^(a)\\1$" }),
            "\"^(a)\\\\1$\" is not a valid operand of REGEX",
        ),
        (
            json!({ "operator": "SEMVER_EQ", "value": "v2.0.0" }),
            "\"v2.0.0\" is not a valid operand of SEMVER_EQ",
        ),
        (
            json!({ "operator": "DATE_AFTER", "value": "2026-11-21T08:00:00Z" }),
            "some of Unleash's SDKs compare x here and others the current time",
        ),
    ] {
        let mut constraint = constraint;
        constraint["contextName"] = json!("x");
        let imported = import_constraint(&constraint);
        assert_eq!(rules(&imported), json!([]), "{constraint}");
        let place = "/features/0/strategies/0/constraints/0";
        assert_eq!(left_out(&imported), [format!("{place} {reason}")]);
    }
}

#[test]
fn imports_an_attribute_of_two_types_with_the_more_specific_one() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [
        { "name": "default", "constraints": [{ "contextName": "x", "operator": "IN", "values": ["1"] }] },
        { "name": "default", "constraints": [{ "contextName": "x", "operator": "NUM_LT", "value": "3" }] },
    ] }));
    assert_eq!(rules(&imported).as_array().map(Vec::len), Some(1));
    assert_eq!(
        left_out(&imported),
        [
            "/features/0/strategies/0/constraints/0 an attribute must have one type, but x is used as a number elsewhere, not as a text"
        ]
    );
}

#[test]
fn the_default_stickiness_is_the_user_and_then_the_session() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [{
        "name": "flexibleRollout",
        "parameters": { "rollout": "12", "stickiness": "default", "groupId": "f" },
    }] }));
    assert_eq!(
        rules(&imported),
        json!([
            {
                "id": "s1-userId",
                "when": { "all": [{ "attr": "userId", "op": "exists" }] },
                "serve": { "rollout": { "unit": "userId", "steps": [{ "percent": 12 }], "variation": "on" } },
            },
            {
                "id": "s1-sessionId",
                "when": { "all": [
                    { "not": { "attr": "userId", "op": "exists" } },
                    { "attr": "sessionId", "op": "exists" },
                ] },
                "serve": { "rollout": { "unit": "sessionId", "steps": [{ "percent": 12 }], "variation": "on" } },
            },
        ])
    );
    assert_eq!(
        left_out(&imported),
        [
            "/features/0/strategies/0 users without userId and sessionId are not selected, but Unleash selects them at random"
        ]
    );
}

#[test]
fn converts_variants_to_an_experiment_after_their_overrides() {
    let imported = one(&json!({
        "name": "f", "enabled": true, "strategies": [],
        "variants": [
            { "name": "a", "weight": 500, "payload": { "type": "number", "value": "1.5" },
              "overrides": [{ "contextName": "userId", "values": ["7"] }] },
            { "name": "b", "weight": 500, "payload": { "type": "number", "value": "2" } },
        ],
    }));
    let flag = serde_json::to_value(&imported.document.flags[0]).expect("JSON");
    assert_eq!(flag["type"], "number");
    assert_eq!(
        flag["variations"],
        json!([
            { "key": "a", "value": 1.5 }, { "key": "b", "value": 2 },
            { "key": "enabled", "value": 0 }, { "key": "disabled", "value": 0 },
        ])
    );
    let chosen = json!({ "attr": "userId", "op": "in", "values": ["7"] });
    assert_eq!(flag["rules"][0]["when"], json!({ "all": [chosen] }));
    assert_eq!(flag["rules"][0]["serve"], json!({ "variation": "a" }));
    assert_eq!(flag["rules"][1]["when"], json!({ "all": [{ "not": chosen }] }));
    assert_eq!(flag["rules"][2]["serve"], json!({ "variation": "enabled" }));
    let experiment = &flag["rules"][1]["serve"]["experiment"];
    assert_eq!(experiment["weights"], json!({ "a": 50_000, "b": 50_000 }));
    assert_eq!(
        (&experiment["unit"], &experiment["fallbackUnit"]),
        (&json!("userId"), &json!("sessionId"))
    );
}

#[test]
fn reports_payloads_of_different_values_and_types() {
    let variant = |name: &str, r#type: &str, value: &str| json!({ "name": name, "weight": 1, "payload": { "type": r#type, "value": value } });
    let strategy = |variants: Value| json!({ "name": "default", "variants": variants });
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [
        strategy(json!([variant("a", "string", "x")])),
        strategy(json!([variant("a", "string", "y"), variant("b", "number", "2")])),
    ] }));
    let variations = serde_json::to_value(&imported.document.flags[0].variations).expect("JSON");
    assert_eq!(variations[0], json!({ "key": "a", "value": "a" }));
    assert_eq!(
        left_out(&imported),
        [
            "/features/0/variants the variant a has two payloads; the first one is used",
            "/features/0/variants the payloads have different types, so variants serve their names",
            "/features/0/strategies/1/variants users without userId and sessionId get no variant, but Unleash selects one at random",
        ]
    );
}

#[test]
fn an_unsupported_dependency_switches_the_flag_off() {
    let feature = |name: &str, enabled: bool, dependencies: Value| json!({ "name": name, "enabled": enabled, "strategies": [], "dependencies": dependencies });
    let imported = imported(&json!({ "features": [
        feature("parent", true, json!([])),
        feature("dark", false, json!([])),
        feature("child", true, json!([{ "feature": "parent" }])),
        feature("grandchild", true, json!([{ "feature": "child" }])),
        feature("orphan", true, json!([{ "feature": "unknown" }])),
        feature("waiting", true, json!([{ "feature": "dark", "enabled": false }])),
        feature("without", true, json!([{ "feature": "parent", "enabled": false }])),
    ] }));
    let flags = &imported.document.flags;
    let on: Vec<bool> = flags.iter().map(|flag| flag.on).collect();
    assert_eq!(on, [true, false, true, false, false, false, true]);
    assert_eq!(flags[2].prerequisites[0].r#in, ["on"]);
    assert_eq!(flags[6].prerequisites[0].r#in, ["off"]);
    assert_eq!(
        left_out(&imported),
        [
            "/features/3/dependencies/0 child itself has dependencies, and Unleash never meets such a dependency; the flag is switched off",
            "/features/4/dependencies/0 there is no feature unknown; the flag is switched off",
            "/features/5/dependencies/0 dark is switched off, so it cannot meet a prerequisite; the flag is switched off",
        ]
    );
}

#[test]
fn leaves_out_strategies_that_name_an_unsupported_segment() {
    let imported = imported(&json!({
        "features": [{ "name": "f", "enabled": true, "strategies": [
            { "name": "default", "segments": [1] },
            { "name": "default", "segments": [2] },
            { "name": "default", "segments": [3] },
        ] }],
        "segments": [
            { "id": 1, "name": "good", "constraints": [{ "contextName": "x", "operator": "IN", "values": ["1"] }] },
            { "id": 2, "name": "bad", "constraints": [{ "contextName": "x", "operator": "NOVEL", "values": ["1"] }] },
        ],
    }));
    assert_eq!(imported.document.segments.len(), 1);
    assert_eq!(rules(&imported)[0]["when"], json!({ "all": [{ "segment": "segment-1" }] }));
    assert_eq!(rules(&imported).as_array().map(Vec::len), Some(1));
    assert_eq!(
        left_out(&imported),
        [
            "/segments/1/constraints/0 NOVEL has no counterpart",
            "/features/0/strategies/1/segments the segment 2 was not imported",
            "/features/0/strategies/2/segments the segment 3 was not imported",
        ]
    );
}

#[test]
fn rejects_documents_of_other_formats() {
    for text in ["", "[]", "{}", r#"{"features":[{"enabled":true}]}"#] {
        let errors = unleash(text, "production").expect_err(text);
        assert_eq!(errors[0].code, "malformed_json", "{text}");
    }
}

#[test]
fn resolves_the_environment() {
    let (always, never) = (json!({ "all": [] }), json!({ "any": [] }));
    for (constraint, expected) in [
        (json!({ "operator": "IN", "values": ["production"] }), &always),
        (json!({ "operator": "IN", "values": ["Production"], "caseInsensitive": true }), &never),
        (json!({ "operator": "NOT_IN", "values": ["production"] }), &never),
        (json!({ "operator": "NOT_IN", "values": ["staging"] }), &always),
        (json!({ "operator": "STR_STARTS_WITH", "values": ["PROD"] }), &never),
        (
            json!({ "operator": "STR_STARTS_WITH", "values": ["PROD"], "caseInsensitive": true }),
            &always,
        ),
        (
            json!({ "operator": "IN", "values": ["production"], "inverted": true }),
            &json!({ "not": always }),
        ),
    ] {
        let mut named = constraint.clone();
        named["contextName"] = "environment".into();
        let imported = import_constraint(&named);
        assert_eq!(rules(&imported)[0]["when"]["all"][0], *expected, "{constraint}");
        // A wrong name would switch a negated constraint on for everyone.
        assert!(left_out(&imported)[0].contains("taken to be \"production\""));
    }
}

#[test]
fn leaves_out_what_depends_on_a_field_that_only_sdks_fill_in() {
    for (field, operator, reason) in [
        ("appName", "IN", "clients send no appName"),
        ("appName", "NOT_IN", "clients send no appName"),
        ("appName", "DATE_AFTER", "clients send no appName"),
        ("appName", "STR_CONTAINS", "clients send no appName"),
        ("currentTime", "IN", "the time is not compared by IN"),
        ("currentTime", "NOT_IN", "the time is not compared by NOT_IN"),
        ("currentTime", "STR_CONTAINS", "the time is not compared by STR_CONTAINS"),
        ("currentTime", "NUM_GT", "the time is not compared by NUM_GT"),
    ] {
        for inverted in [false, true] {
            let imported = import_constraint(&json!({
                "contextName": field, "operator": operator, "values": ["x"],
                "value": "2026-01-01T00:00:00Z", "inverted": inverted,
            }));
            assert_eq!(rules(&imported), json!([]), "{field} {operator} {inverted}");
            assert!(left_out(&imported)[0].contains(reason), "{:?}", left_out(&imported));
        }
    }
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [{
        "name": "flexibleRollout",
        "parameters": { "rollout": "50", "stickiness": "appName" },
    }] }));
    assert_eq!(rules(&imported), json!([]));
}

/// A parent that serves fewer people than the original would switch on what needs it to be off.
#[test]
fn switches_off_a_flag_that_depends_on_the_variation_of_an_incomplete_one() {
    let parent = json!({ "name": "parent", "enabled": true, "strategies": [{
        "name": "default",
        "constraints": [{ "contextName": "appName", "operator": "IN", "values": ["app"] }],
    }], "variants": [{ "name": "a", "weight": 1000 }] });
    for (dependency, is_on) in [
        (json!({ "feature": "parent", "enabled": false }), false),
        (json!({ "feature": "parent", "variants": ["a"] }), false),
        (json!({ "feature": "parent" }), true),
    ] {
        let child = json!({ "name": "f", "enabled": true, "dependencies": [dependency] });
        let imported = imported(&json!({ "features": [child, parent] }));
        assert_eq!(imported.document.flags[0].on, is_on, "{dependency}");
    }
}

#[test]
fn ignores_fractions_of_a_percentage() {
    for (rollout, expected) in [("0.5", Value::Null), ("12.9", json!(12))] {
        let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [{
            "name": "flexibleRollout", "parameters": { "rollout": rollout, "stickiness": "userId" },
        }] }));
        let percent = &rules(&imported)[0]["serve"]["rollout"]["steps"][0]["percent"];
        assert_eq!(*percent, expected, "{rollout}");
    }
}

#[test]
fn ignores_overrides_if_all_weights_are_0() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [], "variants": [{
        "name": "a", "weight": 0, "overrides": [{ "contextName": "userId", "values": ["7"] }],
    }] }));
    assert_eq!(rules(&imported).as_array().map(Vec::len), Some(1));
    assert_eq!(rules(&imported)[0]["serve"], json!({ "variation": "enabled" }));
}

#[test]
fn a_whole_share_leaves_out_users_with_an_empty_text_to_draw_by() {
    let imported = one(&json!({ "name": "f", "enabled": true, "strategies": [{
        "name": "flexibleRollout", "parameters": { "rollout": "100", "stickiness": "city" },
    }] }));
    assert_eq!(
        rules(&imported)[0]["when"]["all"],
        json!([
            { "attr": "city", "op": "exists" },
            { "not": { "attr": "city", "op": "in", "values": [""] } },
        ])
    );
}
