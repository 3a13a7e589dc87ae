//! Tests the exact bytes of results, and that all of them are valid JSON.

use serde_json::Value;

use super::{ApiVersion, NOW, at, snapshot, write};
use crate::flags::{Snapshot, write_unknown, write_unknown_ofrep};

const DOCUMENT: &str = r#""version":412,
  "attributes":[{"name":"app \"version\"","type":"semver"}],
  "holdouts":[{"key":"q4 \"x\"","unit":"userId","percent":50,"salt":"s","applies":{"mode":"selected","flags":["checkin"]}}],
  "flags":[
   {"key":"checkin","type":"string","variations":[{"key":"control","value":"list"},{"key":"map \"m\"","value":"\u0001\"é"}],
    "defaultVariation":"control","baselineVariation":"control","rules":[
     {"id":"x1","when":{"attr":"app \"version\"","op":"semver_gte","value":"7.2.0"},"serve":{"experiment":{
       "key":"checkin-v2","unit":"userId","weights":{"map \"m\"":100000},"phase":3,"bucketVersion":2}}}]},
   {"key":"off","type":"boolean","on":false,"variations":[{"key":"on","value":true}],"defaultVariation":"on","rules":[
     {"id":"r","serve":{"variation":"on"}}]},
   {"key":"ruled","type":"number","variations":[{"key":"one","value":1.5},{"key":"two","value":2}],"defaultVariation":"one",
     "rules":[{"id":"r \"1\"","when":{"attr":"email","op":"exists"},"serve":{"variation":"two"}},
       {"id":"r2","serve":{"rollout":{"unit":"userId","steps":[{"percent":100}],"variation":"two"}}}]},
   {"key":"static","type":"boolean","variations":[{"key":"on","value":true}],"defaultVariation":"on"}]"#;

const COMPARED: &str = r#"{"userId":"u0","app \"version\"":"7.2.0"}"#;
const HELD_OUT: &str = r#"{"userId":"u1","app \"version\"":"7.2.0"}"#;

fn ofrep(snapshot: &Snapshot, flag: &str, attributes: &str) -> Value {
    let context = snapshot.context(attributes).expect("attributes");
    let mut out = Vec::new();
    snapshot.evaluate(snapshot.flag(flag).expect(flag), &context, &at(NOW)).write_ofrep(&mut out);
    serde_json::from_slice(&out).expect("JSON")
}

#[test]
fn writes_version_3_for_an_experiment_and_a_holdout() {
    let snapshot = snapshot(DOCUMENT);
    let [compared, held] =
        [COMPARED, HELD_OUT].map(|unit| write(&snapshot, "checkin", unit, ApiVersion::V3));
    assert_eq!(
        compared,
        r#"{"variation":"\u0001\"é","abTest":true,"explanation":{"kind":"AB_TEST","from":"experiment:checkin-v2"},"relevantContext":["app \"version\"","userId"],"holdoutsEvaluations":[{"key":"q4 \"x\"","unit":"userId","group":"COMPARISON","applied":false}],"experiment":{"key":"checkin-v2","unit":"userId","phase":3,"bucketVersion":2,"variation":"map \"m\"","sticky":false},"variationKey":"map \"m\"","version":412}"#
    );
    assert_eq!(
        held,
        r#"{"variation":"list","abTest":false,"explanation":{"kind":"HOLDOUT","from":"holdout:q4 \"x\""},"relevantContext":["app \"version\"","userId"],"holdoutsEvaluations":[{"key":"q4 \"x\"","unit":"userId","group":"HELD_OUT","applied":true}],"variationKey":"control","version":412}"#
    );
}

#[test]
fn writes_null_for_a_flag_that_is_off_without_a_variation() {
    let snapshot = snapshot(DOCUMENT);
    for (version, expected) in [
        (ApiVersion::V1, r#"{"variation":null,"explanation":{"kind":"OFF","from":"flag"}}"#),
        (
            ApiVersion::V2,
            r#"{"variation":null,"abTest":false,"explanation":{"kind":"OFF","from":"flag"},"relevantContext":[]}"#,
        ),
        (
            ApiVersion::V3,
            r#"{"variation":null,"abTest":false,"explanation":{"kind":"OFF","from":"flag"},"relevantContext":[],"holdoutsEvaluations":[],"variationKey":null,"version":412}"#,
        ),
    ] {
        assert_eq!(write(&snapshot, "off", "{}", version), expected);
    }
}

#[test]
fn members_of_several_versions_are_equal() {
    let snapshot = snapshot(DOCUMENT);
    for flag in ["checkin", "off", "ruled", "static"] {
        for attributes in ["{}", COMPARED, HELD_OUT, r#"{"email":"a@example.org"}"#] {
            let [first, second, third] = [ApiVersion::V1, ApiVersion::V2, ApiVersion::V3]
                .map(|version| write(&snapshot, flag, attributes, version))
                .map(|text| serde_json::from_str::<Value>(&text).expect("JSON"));
            for (less, more) in [(&first, &second), (&second, &third)] {
                for (name, value) in less.as_object().expect("an object") {
                    assert_eq!(&more[name], value, "{flag} {name}");
                }
            }
        }
    }
}

#[test]
fn writes_reasons_and_metadata_of_ofrep() {
    let snapshot = snapshot(DOCUMENT);
    for (flag, attributes, reason, variant) in [
        ("off", "{}", "DISABLED", None),
        ("ruled", r#"{"email":"a@example.org"}"#, "TARGETING_MATCH", Some("two")),
        ("ruled", r#"{"userId":"u"}"#, "SPLIT", Some("two")),
        ("ruled", "{}", "DEFAULT", Some("one")),
        ("static", "{}", "STATIC", Some("on")),
    ] {
        let item = ofrep(&snapshot, flag, attributes);
        assert_eq!(item["key"], flag);
        assert_eq!(item["reason"], reason, "{flag}");
        assert_eq!(item["variant"].as_str(), variant, "{flag}");
        assert_eq!(item.get("value").is_some(), variant.is_some(), "{flag}");
        assert_eq!(item["metadata"]["version"], 412);
    }
    let items = [COMPARED, HELD_OUT].map(|attributes| ofrep(&snapshot, "checkin", attributes));
    for item in &items {
        assert_eq!(item["reason"], "SPLIT");
        let metadata = item["metadata"].as_object().expect("an object");
        assert!(
            metadata.values().all(|value| value.is_string() || value.is_number()),
            "{metadata:?}"
        );
        let (name, key) = if metadata["kind"] == "HOLDOUT" {
            ("holdout", "q4 \"x\"")
        } else {
            ("experiment", "checkin-v2")
        };
        assert_eq!(metadata[name], key);
    }
    assert_ne!(items[0]["metadata"]["kind"], items[1]["metadata"]["kind"]);
}

#[test]
fn the_trace_contains_each_condition() {
    let snapshot = snapshot(DOCUMENT);
    let context = snapshot.context(r#"{"userId":"u","email":null}"#).expect("attributes");
    let flag = snapshot.flag("ruled").expect("a flag");
    let (answer, trace) = snapshot.explain(flag, &context, &at(NOW));
    let mut out = Vec::new();
    answer.write_debug(ApiVersion::V3, &context, &trace, &mut out);
    let json: Value = serde_json::from_slice(&out).expect("JSON");
    assert_eq!(json["relevantContext"], serde_json::json!({"email": null, "userId": "u"}));
    let steps = json["trace"].as_array().expect("a list");
    assert_eq!(
        steps[0],
        serde_json::json!({"step":"rule:r \"1\"","cond":"email exists","got":null,"ok":false})
    );
    assert_eq!((&steps[1]["step"], &steps[1]["ok"]), (&"rule:r2".into(), &true.into()));
    assert_eq!(steps.len(), 2);
    // Apart from the added members, the result is the same.
    let plain: Value =
        serde_json::from_str(&write(&snapshot, "ruled", r#"{"userId":"u"}"#, ApiVersion::V3))
            .expect("JSON");
    for (name, value) in plain.as_object().expect("an object") {
        assert!(name == "relevantContext" || json[name] == *value, "{name}");
    }
}

#[test]
fn writes_an_error_for_an_unknown_flag() {
    let mut out = Vec::new();
    write_unknown(ApiVersion::V1, &mut out);
    assert_eq!(
        out,
        br#"{"variation":null,"explanation":{"kind":"ERROR","from":"error:FLAG_NOT_FOUND"}}"#
    );
    out.clear();
    write_unknown_ofrep("a\"b", &mut out);
    let item: Value = serde_json::from_slice(&out).expect("JSON");
    assert_eq!((&item["key"], &item["errorCode"]), (&"a\"b".into(), &"FLAG_NOT_FOUND".into()));
}
