use serde_json::{Value, json};

use super::flagd;
use crate::flags::import::Imported;

fn import_targeting(targeting: &Value) -> Imported {
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
fn converts_a_chain_of_ifs_to_rules() {
    let imported = import_targeting(&json!({ "if": [
        { "$ref": "staff" }, "red",
        { "and": [{ "==": [{ "var": "country" }, "UY"] }, { "<": [18, { "var": "age" }, 30] }] }, "true",
        "false",
    ] }));
    let rules = rules(&imported);
    let variations: Vec<&Value> = rules.iter().map(|rule| &rule["serve"]["variation"]).collect();
    assert_eq!(variations, ["red", "true", "false"]);
    let staff = json!({ "attr": "email", "op": "ends", "value": "@larkspur.example" });
    assert_eq!(rules[0]["when"], json!({ "all": [staff] }));
    assert_eq!(
        rules[1]["when"]["all"][0]["all"],
        json!([
            { "attr": "country", "op": "eq", "value": "UY" },
            // flagd reads a missing number as 0.
            { "all": [
                { "attr": "age", "op": "gt", "value": 18 },
                { "any": [
                    { "attr": "age", "op": "lt", "value": 30 },
                    { "not": { "attr": "age", "op": "exists" } },
                ] },
            ] },
        ])
    );
    assert_eq!(left_out(&imported), [""; 0]);
}

#[test]
fn users_matched_by_an_inner_if_do_not_reach_the_next_rule() {
    let is = |value: &str| json!({ "==": [{ "var": "x" }, value] });
    let imported =
        import_targeting(&json!({ "if": [is("a"), { "if": [is("b"), "red"] }, is("c"), "true"] }));
    let rules = rules(&imported);
    let a = json!({ "attr": "x", "op": "eq", "value": "a" });
    let variations: Vec<&Value> = rules.iter().map(|rule| &rule["serve"]["variation"]).collect();
    // The inner `if` has no else, so both it and the outer one end with the default.
    assert_eq!(variations, ["red", "blue", "true", "blue"]);
    assert_eq!(rules[2]["when"]["all"][0], json!({ "not": a }));
}

#[test]
fn a_condition_alone_selects_the_variant_named_after_its_result() {
    let imported = import_targeting(&json!({ "in": ["beta", { "var": "targetingKey" }] }));
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
fn converts_a_fractional_evaluation_to_an_experiment() {
    for (fractional, unit, place, weights) in [
        (json!([["red", 25], ["blue", 75]]), "key", 0, json!({ "red": 25_000, "blue": 75_000 })),
        (
            json!([{ "var": "email" }, ["red"], ["blue"]]),
            "email",
            0,
            json!({ "red": 50_000, "blue": 50_000 }),
        ),
        (
            json!([{ "cat": [{ "var": "$flagd.flagKey" }, { "var": "email" }] }, ["red", 1], ["blue", 3]]),
            "email",
            // After the rule for users without an address.
            1,
            json!({ "red": 25_000, "blue": 75_000 }),
        ),
    ] {
        let imported = import_targeting(&json!({ "fractional": fractional }));
        let rules = rules(&imported);
        let experiment = &rules[place]["serve"]["experiment"];
        assert_eq!((&experiment["unit"], &experiment["weights"]), (&json!(unit), &weights));
        assert_eq!(rules[place + 1]["serve"], json!({ "variation": "blue" }));
    }
}

#[test]
fn leaves_out_a_whole_tree_with_an_unsupported_part() {
    for (targeting, reason) in [
        (
            json!({ "if": [{ "%": [{ "var": "n" }, 2] }, "red"] }),
            "the operator % has no counterpart for these operands",
        ),
        (
            json!({ "if": [{ "==": [{ "var": "a.b" }, 1] }, "red"] }),
            "a.b is nested in another attribute, but attributes must be flat",
        ),
        (
            json!({ "if": [{ ">": [{ "var": "$flagd.timestamp" }, 1] }, "red"] }),
            "$flagd.timestamp has no counterpart",
        ),
        (json!({ "if": [true, "green"] }), "there is no variant green"),
        (json!({ "if": [{ "$ref": "unknown" }, "red"] }), "there is no evaluator unknown"),
    ] {
        let imported = import_targeting(&targeting);
        assert_eq!(rules(&imported), [Value::Null; 0], "{targeting}");
        assert_eq!(
            left_out(&imported),
            [format!("/flags/f/targeting {reason}; everyone gets the default")]
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
fn rejects_documents_of_other_formats() {
    for text in ["", "{}", r#"{"flags":{"f":{"state":"MAYBE","variants":{}}}}"#] {
        assert_eq!(flagd(text).expect_err(text)[0].code, "malformed_json", "{text}");
    }
}

/// flagd's own operators have no result for a missing attribute, so the flag gets its default.
#[test]
fn a_condition_without_a_result_selects_the_default() {
    let version = json!({ "sem_ver": [{ "var": "app" }, "!=", "1.0.0"] });
    let imported = import_targeting(&version);
    let variations: Vec<Value> =
        rules(&imported).iter().map(|rule| rule["serve"]["variation"].clone()).collect();
    assert_eq!(variations, ["true", "blue", "false"]);
    let imported = import_targeting(&json!({ "or": [version, true] }));
    assert!(rules(&imported).is_empty());
}

#[test]
fn switches_off_a_flag_whose_default_is_true_if_its_targeting_is_left_out() {
    for (default, is_on) in [("yes", false), ("no", true)] {
        let document = json!({ "flags": { "f": {
            "state": "ENABLED",
            "variants": { "yes": true, "no": false },
            "defaultVariant": default,
            "targeting": { "if": [{ "%": [{ "var": "n" }, 2] }, "no", "yes"] },
        } } });
        let imported = flagd(&document.to_string()).expect("flagd's definitions");
        assert_eq!(imported.document.flags[0].on, is_on, "{default}");
    }
}

/// The SDK compares a missing attribute as null, which JavaScript reads as 0.
#[test]
fn conditions_hold_for_a_missing_attribute_as_in_flagd() {
    for (operator, operand, is_met) in [
        ("==", json!(false), true),
        ("==", json!(0), true),
        ("==", json!(true), false),
        ("==", json!(""), false),
        ("===", json!(0), false),
        ("<", json!(18), true),
        ("<", json!(0), false),
        (">=", json!(0), true),
    ] {
        let test = json!({ operator: [{ "var": "x" }, operand] });
        let when = rules(&import_targeting(&json!({ "if": [test, "red"] })))[0]["when"].to_string();
        assert_eq!(when.contains("exists"), is_met, "{test}: {when}");
    }
}
