use serde_json::{Value, json};

use super::flagd;
use crate::flags::import::Imported;

fn targeted(targeting: &Value) -> Imported {
    let document = json!({
        "flags": { "f": {
            "state": "ENABLED",
            "variants": { "red": "#f00", "blue": "#00f", "true": "yes", "false": "no" },
            "defaultVariant": "blue",
            "targeting": targeting,
        } },
        "$evaluators": { "staff": { "ends_with": [{ "var": "email" }, "@larkspur.example"] } },
    });
    flagd(&document.to_string()).expect("flagd's definitions")
}

fn rules(imported: &Imported) -> Vec<Value> {
    let rule = |rule| serde_json::to_value(rule).expect("JSON");
    imported.document.flags[0].rules.iter().map(rule).collect()
}

fn left_out(imported: &Imported) -> Vec<String> {
    assert!(imported.left_out[0].reason.contains("hash"), "{:?}", imported.left_out);
    imported.left_out[1..].iter().map(ToString::to_string).collect()
}

#[test]
fn a_chain_of_ifs_is_a_list_of_rules() {
    let imported = targeted(&json!({ "if": [
        { "$ref": "staff" }, "red",
        { "and": [{ "==": [{ "var": "country" }, "UY"] }, { "<": [18, { "var": "age" }, 30] }] }, "true",
        "false",
    ] }));
    let rules = rules(&imported);
    let served: Vec<&Value> = rules.iter().map(|rule| &rule["serve"]["variation"]).collect();
    assert_eq!(served, ["red", "true", "false"]);
    let staff = json!({ "attr": "email", "op": "ends", "value": "@larkspur.example" });
    assert_eq!(rules[0]["when"], json!({ "all": [staff] }));
    assert_eq!(
        rules[1]["when"]["all"][0]["all"],
        json!([
            { "attr": "country", "op": "eq", "value": "UY" },
            { "all": [{ "attr": "age", "op": "gt", "value": 18 }, { "attr": "age", "op": "lt", "value": 30 }] },
        ])
    );
    assert_eq!(left_out(&imported), [""; 0]);
}

#[test]
fn whoever_an_inner_tree_decides_for_does_not_come_to_the_next_rule() {
    let is = |value: &str| json!({ "==": [{ "var": "x" }, value] });
    let imported =
        targeted(&json!({ "if": [is("a"), { "if": [is("b"), "red"] }, is("c"), "true"] }));
    let rules = rules(&imported);
    let a = json!({ "attr": "x", "op": "eq", "value": "a" });
    let served: Vec<&Value> = rules.iter().map(|rule| &rule["serve"]["variation"]).collect();
    // The inner `if` without an else, and the outer one, end at the default.
    assert_eq!(served, ["red", "blue", "true", "blue"]);
    assert_eq!(rules[2]["when"]["all"][0], json!({ "not": a }));
}

#[test]
fn a_condition_alone_picks_the_variant_of_its_truth() {
    let imported = targeted(&json!({ "in": ["beta", { "var": "targetingKey" }] }));
    let rules = rules(&imported);
    assert_eq!(
        rules[0]["when"],
        json!({ "all": [{ "attr": "key", "op": "contains", "value": "beta" }] })
    );
    assert_eq!(
        (&rules[0]["serve"], &rules[1]["serve"]),
        (&json!({ "variation": "true" }), &json!({ "variation": "false" }))
    );
}

#[test]
fn a_fractional_evaluation_is_an_experiment() {
    for (fractional, unit, weights) in [
        (json!([["red", 25], ["blue", 75]]), "key", json!({ "red": 25_000, "blue": 75_000 })),
        (
            json!([{ "var": "email" }, ["red"], ["blue"]]),
            "email",
            json!({ "red": 50_000, "blue": 50_000 }),
        ),
        (
            json!([{ "cat": [{ "var": "$flagd.flagKey" }, { "var": "email" }] }, ["red", 1], ["blue", 3]]),
            "email",
            json!({ "red": 25_000, "blue": 75_000 }),
        ),
    ] {
        let imported = targeted(&json!({ "fractional": fractional }));
        let rules = rules(&imported);
        let experiment = &rules[0]["serve"]["experiment"];
        assert_eq!((&experiment["unit"], &experiment["weights"]), (&json!(unit), &weights));
        assert_eq!(rules[1]["serve"], json!({ "variation": "blue" }));
    }
}

#[test]
fn a_tree_with_a_part_that_we_do_not_have_is_left_out_as_a_whole() {
    for (targeting, reason) in [
        (
            json!({ "if": [{ "%": [{ "var": "n" }, 2] }, "red"] }),
            "no counterpart of % as it is used",
        ),
        (
            json!({ "if": [{ "==": [{ "var": "a.b" }, 1] }, "red"] }),
            "a.b lies inside another attribute, and attributes here are flat",
        ),
        (
            json!({ "if": [{ ">": [{ "var": "$flagd.timestamp" }, 1] }, "red"] }),
            "no counterpart of $flagd.timestamp",
        ),
        (json!({ "if": [true, "green"] }), "there is no variant green"),
        (json!({ "if": [{ "$ref": "nobody" }, "red"] }), "there is no evaluator nobody"),
    ] {
        let imported = targeted(&targeting);
        assert_eq!(rules(&imported), [Value::Null; 0], "{targeting}");
        assert_eq!(
            left_out(&imported),
            [format!("/flags/f/targeting {reason}; everybody gets the default")]
        );
    }
}

#[test]
fn a_disabled_flag_serves_nothing() {
    let document = json!({ "flags": { "f": {
        "state": "DISABLED", "variants": { "on": true, "off": false }, "defaultVariant": "on",
    } } });
    let imported = flagd(&document.to_string()).expect("flagd's definitions");
    let flag = &imported.document.flags[0];
    assert_eq!((flag.on, flag.off_variation.as_deref()), (false, None));
}

#[test]
fn what_is_none_of_flagds_is_refused() {
    for text in ["", "{}", r#"{"flags":{"f":{"state":"MAYBE","variants":{}}}}"#] {
        assert_eq!(flagd(text).expect_err(text)[0].code, "malformed_json", "{text}");
    }
}
