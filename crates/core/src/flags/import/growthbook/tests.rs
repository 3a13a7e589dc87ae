use serde_json::{Value, json};

use super::growthbook;
use crate::flags::import::Imported;

fn imported(payload: &Value) -> Imported {
    growthbook(&payload.to_string()).expect("a payload of GrowthBook")
}

fn one(feature: &Value) -> Imported {
    imported(&json!({ "features": { "f": feature } }))
}

fn flag(imported: &Imported) -> Value {
    serde_json::to_value(&imported.document.flags[0]).expect("JSON")
}

fn left_out(imported: &Imported) -> Vec<String> {
    assert!(imported.left_out[0].reason.contains("hash"), "{:?}", imported.left_out);
    imported.left_out[1..].iter().map(ToString::to_string).collect()
}

fn import_condition(condition: &Value) -> Imported {
    one(&json!({ "defaultValue": false, "rules": [{ "condition": condition, "force": true }] }))
}

#[test]
fn values_become_variations_of_one_type() {
    for (feature, r#type, keys) in [
        (
            json!({ "defaultValue": true, "rules": [{ "force": false }] }),
            "boolean",
            vec!["on", "off"],
        ),
        (
            json!({ "defaultValue": "a b", "rules": [{ "force": "red" }] }),
            "string",
            vec!["v0", "red"],
        ),
        (
            json!({ "defaultValue": 1, "rules": [{ "force": 2.5 }, { "force": 1 }] }),
            "number",
            vec!["v0", "v1"],
        ),
        (json!({ "defaultValue": 1, "rules": [{ "force": "v0" }] }), "json", vec!["v0", "v0-1"]),
    ] {
        let flag = flag(&one(&feature));
        let variation_keys: Vec<&str> = flag["variations"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|v| v["key"].as_str())
            .collect();
        assert_eq!((flag["type"].as_str(), variation_keys), (Some(r#type), keys), "{feature}");
    }
}

#[test]
fn conditions_keep_their_meaning() {
    for (condition, converted) in [
        (json!({ "a": 1 }), json!([{ "all": [] }, { "attr": "a", "op": "eq", "value": 1 }])),
        (json!({ "a": null }), json!([{ "all": [] }, { "not": { "attr": "a", "op": "exists" } }])),
        (json!({ "$or": [] }), json!([{ "all": [] }, { "all": [] }])),
        (
            json!({ "$nor": [{ "a": true }] }),
            json!([{ "all": [] }, { "not": { "any": [{ "all": [{ "attr": "a", "op": "eq", "value": true }] }] } }]),
        ),
        (
            json!({ "a": { "$gt": 1, "$lte": 2.5 } }),
            json!([{ "all": [] }, { "all": [
                { "attr": "a", "op": "gt", "value": 1 },
                { "any": [
                    { "attr": "a", "op": "lte", "value": 2.5 },
                    { "not": { "attr": "a", "op": "exists" } },
                ] },
            ] }]),
        ),
        (
            json!({ "a": { "$vgte": "v2.1.0" } }),
            json!([{ "all": [] }, { "all": [{ "attr": "a", "op": "semver_gte", "value": "2.1.0" }] }]),
        ),
        (
            json!({ "a": { "$vgt": "2", "$vlte": "v3.1" } }),
            json!([{ "all": [] }, { "all": [
                { "attr": "a", "op": "semver_gte", "value": "2.0.0-0" },
                { "any": [
                    { "attr": "a", "op": "semver_lt", "value": "3.1.0-0" },
                    { "not": { "attr": "a", "op": "exists" } },
                ] },
            ] }]),
        ),
        (
            json!({ "a": { "$not": 1 } }),
            json!([{ "all": [] }, { "all": [
            { "not": { "attr": "a", "op": "eq", "value": 1 } },
        ] }]),
        ),
        (
            json!({ "a": { "$elemMatch": { "$eq": 3 } } }),
            json!([{ "all": [] }, { "all": [{ "attr": "a", "op": "has_any", "values": [3] }] }]),
        ),
        (
            json!({ "a": { "$ini": ["X.", "y"] } }),
            json!([{ "all": [] }, { "all": [{ "attr": "a", "op": "matches", "value": r"(?is)^(?:X\.|y)$" }] }]),
        ),
    ] {
        let imported = import_condition(&condition);
        let expected = json!({ "all": &converted.as_array().expect("a list")[1..] });
        assert_eq!(flag(&imported)["rules"][0]["when"], expected, "{condition}");
        assert_eq!(left_out(&imported), [""; 0]);
    }
}

#[test]
fn leaves_out_a_whole_rule_with_an_unsupported_part() {
    let at = "/features/f/rules/0/condition";
    for (condition, reason) in [
        (json!({ "a": { "$size": 3 } }), format!("{at}/a $size has no counterpart")),
        (
            json!({ "$not": { "a.b": 1 } }),
            format!(
                "{at}/$not/a.b a.b is nested in another attribute, but attributes must be flat"
            ),
        ),
        (
            json!({ "$and": [{ "a": 1 }, { "b": [1] }] }),
            format!("{at}/$and/1/b lists and objects cannot be compared as a whole"),
        ),
        (
            json!({ "a": { "$in": [1, "1"] } }),
            format!("{at}/a the values of a list must have one type"),
        ),
        (
            json!({ "a": { "$inGroup": "vip" } }),
            format!("{at}/a the payload does not list the group vip"),
        ),
    ] {
        let imported = import_condition(&condition);
        assert_eq!(flag(&imported)["rules"], json!([]), "{condition}");
        assert_eq!(left_out(&imported), [reason]);
    }
}

#[test]
fn an_experiment_keeps_weights_coverage_seed_and_its_place_in_a_namespace() {
    let imported = one(&json!({ "defaultValue": "a", "rules": [{
        "key": "test", "seed": "s", "variations": ["a", "b", "c"], "weights": [0.2, 0.3, 0.5], "coverage": 0.4,
        "hashAttribute": "company", "fallbackAttribute": "anonymousId", "namespace": ["pricing", 0, 0.25],
        "bucketVersion": 3, "minBucketVersion": 2, "phase": "1",
    }] }));
    assert_eq!(
        flag(&imported)["rules"][0]["serve"]["experiment"],
        json!({
            "key": "test", "layer": "pricing", "unit": "company", "fallbackUnit": "anonymousId", "seed": "s",
            "coverage": 40_000, "weights": { "a": 20_000, "b": 30_000, "c": 50_000 },
            "sticky": true, "bucketVersion": 3, "minBucketVersion": 2, "phase": 1, "status": "running",
        })
    );
    let slots = serde_json::to_value(&imported.document.layers[0].slots).expect("JSON");
    assert_eq!(slots, json!([{ "experiment": "test", "from": 0, "to": 25_000 }]));
}

#[test]
fn an_experiment_of_two_features_keeps_its_seed_and_gets_two_keys() {
    let feature = json!({ "defaultValue": 0, "rules": [{ "key": "test", "variations": [0, 1] }] });
    let imported = imported(&json!({ "features": { "f": feature, "g": feature } }));
    let experiments: Vec<Value> = imported
        .document
        .flags
        .iter()
        .map(|flag| serde_json::to_value(&flag.rules[0].serve).expect("JSON")["experiment"].clone())
        .collect();
    assert_eq!(
        (&experiments[0]["key"], &experiments[1]["key"]),
        (&json!("test"), &json!("test-g"))
    );
    assert_eq!(
        (&experiments[0]["seed"], &experiments[1]["seed"]),
        (&json!("test"), &json!("test"))
    );
    assert_eq!(
        left_out(&imported),
        ["/features/g/rules/0/key the experiment test was renamed to test-g"]
    );
}

#[test]
fn leaves_out_overlapping_ranges_of_a_namespace() {
    let rule = |key: &str, from: f64, to: f64| json!({ "key": key, "variations": [0, 1], "namespace": ["n", from, to] });
    let rules = [rule("a", 0.0, 0.5), rule("b", 0.4, 0.6), rule("c", 0.5, 1.0)];
    let imported = one(&json!({ "defaultValue": 0, "rules": rules }));
    assert_eq!(imported.document.layers[0].slots.len(), 1);
    assert_eq!(
        left_out(&imported),
        [
            "/features/f/rules/1 its range in n overlaps that of another experiment, but slots must not overlap",
            "/features/f/rules/1 its users would reach the rules after it, so these are left out too",
        ]
    );
}

#[test]
fn prerequisites_before_all_rules_become_prerequisites_of_the_flag() {
    let parent =
        json!({ "defaultValue": "silver", "rules": [{ "force": "green" }, { "force": "red" }] });
    let child = |condition: Value, gate: bool| {
        json!({ "defaultValue": 0, "rules": [
            { "parentConditions": [{ "id": "parent", "condition": condition, "gate": gate }] },
            { "force": 1 },
        ] })
    };
    let imported = imported(&json!({ "features": {
        "a": child(json!({ "value": { "$ne": "red" } }), true),
        "b": child(json!({ "value": { "$regex": "r" } }), true),
        "parent": parent,
    } }));
    assert_eq!(imported.document.flags[0].prerequisites[0].r#in, ["silver", "green"]);
    assert!(imported.document.flags[0].on && !imported.document.flags[1].on);
    assert_eq!(
        left_out(&imported),
        [
            r#"/features/b/rules/0/parentConditions/0 {"$regex":"r"} has no counterpart; the flag is switched off"#
        ]
    );
}

#[test]
fn leaves_out_null_values() {
    let imported = one(&json!({ "defaultValue": 1, "rules": [{ "force": null }, { "force": 2 }] }));
    assert_eq!(flag(&imported)["rules"], json!([]));
    assert_eq!(
        left_out(&imported),
        [
            "/features/f/rules/0 null is not allowed as a value",
            "/features/f/rules/0 its users would reach the rules after it, so these are left out too",
        ]
    );
    let imported = one(&json!({ "rules": [{ "force": 2 }] }));
    assert!(imported.document.flags.is_empty());
    assert_eq!(
        left_out(&imported),
        [
            "/features/f/defaultValue the feature has no default value, which Musette requires; it is left out"
        ]
    );
}

#[test]
fn leaves_out_a_flag_with_an_invalid_name_and_flags_that_depend_on_it() {
    let gate = json!([{ "id": " ", "condition": { "value": 1 }, "gate": true }]);
    let imported = imported(&json!({ "features": {
        " ": { "defaultValue": 1, "rules": [{ "key": "x", "variations": [1, 2], "namespace": ["n", 0, 1] }] },
        "child": { "defaultValue": 1, "rules": [{ "parentConditions": gate }, { "force": 2 }] },
        "other": { "defaultValue": 1 },
    } }));
    let keys: Vec<&str> = imported.document.flags.iter().map(|flag| flag.key.as_str()).collect();
    assert_eq!(keys, ["other"]);
    assert!(imported.document.layers.iter().all(|layer| layer.slots.is_empty()));
    let left_out = left_out(&imported);
    assert!(left_out[0].starts_with(r#" the flag " " is left out"#), "{left_out:?}");
    assert!(left_out[1].starts_with(r#" the flag "child" is left out"#), "{left_out:?}");
}

#[test]
fn leaves_out_flags_with_values_that_the_parser_rejects() {
    let nested = (0..40).fold(json!(1), |inner, _| json!([inner]));
    let imported = imported(&json!({ "features": {
        "deep": { "defaultValue": nested },
        "large": { "defaultValue": 1e300 },
        "small": { "defaultValue": 1, "rules": [{ "condition": { "n": { "$lt": 1e300 } }, "force": 2 }] },
    } }));
    let keys: Vec<&str> = imported.document.flags.iter().map(|flag| flag.key.as_str()).collect();
    assert_eq!(keys, ["small"]);
    let left_out = left_out(&imported);
    assert!(left_out[0].starts_with("/features/small/rules/0/condition/n "), "{left_out:?}");
    assert!(left_out.iter().any(|line| line.contains("32 deep")), "{left_out:?}");
    assert_eq!(left_out.len(), 4);
}

#[test]
fn rejects_documents_of_other_formats() {
    for text in ["", "[]", "{}", r#"{"encryptedFeatures":"x"}"#] {
        assert_eq!(growthbook(text).expect_err(text)[0].code, "malformed_json", "{text}");
    }
}

/// Users of a rule that was left out would get what the rules after it serve, or the default.
#[test]
fn a_rule_that_is_left_out_gives_its_users_nothing_more() {
    let unknown = |value: bool| json!({ "condition": { "a": { "$size": 3 } }, "force": value });
    let serves = |value: bool| json!({ "condition": { "b": 1 }, "force": value });
    for (default, rules, is_on, kept) in [
        (false, json!([serves(true), unknown(false), serves(true)]), true, 1),
        (false, json!([unknown(true), serves(true)]), true, 1),
        (true, json!([unknown(true), serves(false)]), true, 1),
        (true, json!([unknown(false), serves(false)]), false, 0),
    ] {
        let imported = one(&json!({ "defaultValue": default, "rules": rules }));
        let flag = &imported.document.flags[0];
        assert_eq!((flag.on, flag.rules.len()), (is_on, kept), "{default} {rules}");
    }
}

#[test]
fn switches_off_a_flag_that_depends_on_an_incomplete_one() {
    let gate = json!([{ "id": "parent", "condition": { "value": false }, "gate": true }]);
    let imported = imported(&json!({ "features": {
        "child": { "defaultValue": false, "rules": [{ "parentConditions": gate }, { "force": true }] },
        "parent": { "defaultValue": false, "rules": [
            { "condition": { "a": { "$size": 3 } }, "force": true },
        ] },
    } }));
    assert!(!imported.document.flags[0].on);
    assert!(left_out(&imported).iter().any(|line| line.contains("a part of parent was left out")));
}

/// GrowthBook's SDK reads a missing attribute as null: 0, the version `0`, or the text `null`.
#[test]
fn conditions_hold_for_a_missing_attribute_as_in_growthbook() {
    for (condition, is_met) in [
        (json!({ "a": 0 }), true),
        (json!({ "a": { "$eq": 0 } }), false),
        (json!({ "a": "null" }), true),
        (json!({ "a": { "$lt": 18 } }), true),
        (json!({ "a": { "$gte": 0 } }), true),
        (json!({ "a": { "$gte": 1 } }), false),
        (json!({ "a": { "$vlt": "1.0.0" } }), true),
        (json!({ "a": { "$vgte": "1.0.0" } }), false),
        (json!({ "a": { "$regex": "." } }), true),
        (json!({ "a": { "$regex": "^B" } }), false),
    ] {
        let imported = import_condition(&condition);
        let when = flag(&imported)["rules"][0]["when"].to_string();
        assert_eq!(when.contains("exists"), is_met, "{condition}: {when}");
    }
}

#[test]
fn a_prerequisite_compares_values_as_growthbook() {
    for (expected, accepted) in [
        (json!(true), json!(["b", "c"])),
        (json!(false), json!(["v0"])),
        (json!("b"), json!(["b"])),
        (json!({ "$eq": true }), json!(null)),
    ] {
        let gate = json!([{ "id": "parent", "condition": { "value": expected }, "gate": true }]);
        let imported = imported(&json!({ "features": {
            "child": { "defaultValue": 0, "rules": [{ "parentConditions": gate }, { "force": 1 }] },
            "parent": { "defaultValue": "", "rules": [{ "variations": ["b", "c"] }] },
        } }));
        let flag = serde_json::to_value(&imported.document.flags[0]).expect("JSON");
        assert_eq!(flag["prerequisites"][0]["in"], accepted, "{expected}");
    }
}
