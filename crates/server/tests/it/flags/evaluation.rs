//! `PUT features/{flagKey}`, `PUT features` and `GET features-list/keys` in all three versions.

use serde_json::{Value, json};

use super::fixture::{Flags, etag, explanation, with};
use crate::store::Engine;

on_both!(
    returns_results_in_three_versions,
    names_the_reason_of_a_result,
    answers_unknown_flags,
    lists_the_keys_of_flags,
    a_debug_key_gets_the_evaluation_trace,
    serves_the_json_schema_of_a_configuration,
);

fn returns_results_in_three_versions(engine: Engine) {
    let flags = Flags::start(engine);
    let person = json!({"userId": "u1", "country": "UY", "other": {"a": [1]}});
    let v1 = flags.one("v1", "targeted", &person).gives(200);
    assert_eq!(
        v1.json(),
        json!({"variation": true, "explanation": {"kind": "TARGET", "from": "rule:r1"}})
    );
    let v2 = flags.one("v2", "targeted", &person).gives(200).json();
    assert_eq!(
        v2,
        json!({"variation": true, "explanation": {"kind": "TARGET", "from": "rule:r1"},
            "abTest": false, "relevantContext": ["country"]})
    );
    let v3 = flags.result("targeted", &person);
    assert_eq!(
        (&v3["variation"], &v3["abTest"], &v3["relevantContext"]),
        (&json!(true), &json!(false), &json!(["country"]))
    );
    assert_eq!(v3["holdoutsEvaluations"], json!([]));
    assert_eq!((&v3["variationKey"], &v3["version"]), (&json!("on"), &json!(1)));
    assert_eq!(v3.get("experiment"), None);

    let tested = flags.result("tested", &person);
    let experiment = &tested["experiment"];
    assert_eq!(experiment["key"], "tested-test");
    assert_eq!(experiment["variation"], tested["variationKey"]);
    assert_eq!(
        (&experiment["phase"], &experiment["bucketVersion"], &experiment["sticky"]),
        (&json!(3), &json!(1), &json!(false))
    );
    assert_eq!(tested["abTest"], true);
    for headers in [&v1, &flags.many("v3", &json!({})).gives(200)] {
        assert_eq!(headers.header("content-type"), "application/json");
        assert_eq!(headers.header("cache-control"), "private, no-store");
        assert_eq!(headers.header("vary"), "Authorization, Accept-Encoding");
        assert!(!headers.header("x-request-id").is_empty());
    }
    for (flag, value) in [
        ("number", json!(42)),
        ("words", json!("“¡Hola!” \u{1f6f5}")),
        ("shape", json!({"a": [1, {"b": null}], "c": "d"})),
    ] {
        for version in ["v1", "v2", "v3"] {
            let result = flags.one(version, flag, &json!({})).gives(200).json();
            assert_eq!(result["variation"], value, "{version}");
        }
    }
}

fn names_the_reason_of_a_result(engine: Engine) {
    let flags = Flags::start(engine);
    let person = |more: Value| with(more, "userId", json!("u1"));
    for (flag, attributes, variation, kind, from) in [
        ("off", json!({}), false, "OFF", "flag"),
        ("overridden", json!({"userId": "u-qa"}), true, "OVERRIDE", "override"),
        ("overridden", json!({"userId": "u"}), false, "DEFAULT", "default"),
        ("dependent", json!({}), false, "PREREQUISITE_FAILED", "flag:plain"),
        ("targeted", person(json!({"country": "UY"})), true, "TARGET", "rule:r1"),
        ("ruled", person(json!({"hours": 10})), true, "RULE", "rule:r1"),
        ("ruled", person(json!({"hours": "10"})), false, "DEFAULT", "default"),
        ("ramped", person(json!({})), true, "ROLLOUT", "rule:r1"),
        ("ramped", json!({"userId": ""}), false, "DEFAULT", "default"),
        ("ramped", json!({"userId": null}), false, "DEFAULT", "default"),
        ("ramped", json!({"userId": 17}), true, "ROLLOUT", "rule:r1"),
        ("plain", json!({}), false, "DEFAULT", "default"),
    ] {
        let result = flags.result(flag, &attributes);
        assert_eq!(explanation(&result), (kind, from), "{flag} {attributes}");
        assert_eq!(result["variation"], variation, "{flag} {attributes}");
    }
    let result = flags.result("tested", &person(json!({})));
    assert_eq!(explanation(&result), ("AB_TEST", "experiment:tested-test"));
    let groups: Vec<Value> = (0..40)
        .map(|i| flags.result("held", &json!({"userId": format!("u{i}")})))
        .inspect(|result| {
            let holdout = &result["holdoutsEvaluations"][0];
            assert_eq!(holdout["key"], "quarter");
            let is_held = holdout["group"] == "HELD_OUT";
            assert_eq!(holdout["applied"], is_held);
            let expected =
                if is_held { ("HOLDOUT", "holdout:quarter") } else { ("DEFAULT", "default") };
            assert_eq!(explanation(result), expected);
        })
        .map(|result| result["holdoutsEvaluations"][0]["group"].clone())
        .collect();
    assert!(groups.contains(&json!("HELD_OUT")) && groups.contains(&json!("COMPARISON")));
}

fn answers_unknown_flags(engine: Engine) {
    let flags = Flags::start(engine);
    let expected = json!({"variation": null,
        "explanation": {"kind": "ERROR", "from": "error:FLAG_NOT_FOUND"}});
    for (version, status) in [("v1", 404), ("v2", 404), ("v3", 200)] {
        for flag in ["nope", "hidden", "a%2Fb"] {
            let answer = flags.one(version, flag, &json!({})).gives(status);
            assert_eq!(answer.json(), expected, "{version}");
            assert_eq!(answer.header("content-type"), "application/json");
        }
        let list = json!({"featureList": ["nope", "plain", "nope"]});
        let answer = flags.many(version, &list).gives(200).json();
        let results = if version == "v3" { &answer["flags"] } else { &answer };
        assert_eq!(results["nope"], expected, "{version}");
        assert_eq!(results["plain"]["variation"], false, "the list did not fail as a whole");
        assert_eq!(results.as_object().expect("an object").len(), 2, "each once");
    }
    for path in ["/api/flags/v4/features/plain", "/api/flags/v1/nothing", "/api/flags/v2/events"] {
        flags
            .app
            .request("PUT", path)
            .token(&flags.client)
            .json(&json!({}))
            .refused(404, "not_found");
    }
    for (method, path, allow) in [
        ("GET", "/api/flags/v3/features/plain", "PUT"),
        ("POST", "/api/flags/v3/features", "PUT"),
        ("PUT", "/api/flags/v3/features-list/keys", "GET, HEAD"),
        ("GET", "/api/flags/v3/events", "POST"),
        ("POST", "/api/flags/v3/stream", "GET"),
        ("GET", "/ofrep/v1/evaluate/flags", "POST"),
    ] {
        let answer = flags.app.request(method, path).refused(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), allow);
    }
}

fn lists_the_keys_of_flags(engine: Engine) {
    let flags = Flags::start(engine);
    let keys = |version: &str| {
        flags.app.get(&format!("/api/flags/{version}/features-list/keys")).token(&flags.client)
    };
    let v1 = keys("v1").gives(200);
    let names = v1.json();
    let names = names.as_array().expect("an array");
    assert!(names.contains(&json!("plain")) && !names.contains(&json!("hidden")));
    assert_eq!(keys("v2").gives(200).json(), v1.json());
    let v3 = keys("v3").gives(200);
    let listed = v3.json();
    assert_eq!(listed["version"], 1);
    let of = |key: &str| {
        let keys = listed["keys"].as_array().expect("keys").iter();
        keys.clone().find(|entry| entry["key"] == key).cloned().unwrap_or_default()
    };
    assert_eq!(of("targeted")["relevantContext"], json!(["country"]));
    assert_eq!(of("tested")["relevantContext"], json!(["anonymousId", "userId"]));
    assert_eq!(of("plain")["relevantContext"], json!([]));
    keys("v3").header("if-none-match", &etag(&v3)).gives(304);
    keys("v1").header("if-none-match", &etag(&v3)).gives(200);
    let head = flags.app.request("HEAD", "/api/flags/v1/features-list/keys");
    let head = head.token(&flags.client).gives(200);
    assert!(head.body.is_empty());
    flags.app.get("/api/flags/v1/features-list/keys").refused(401, "unauthenticated");
}

fn a_debug_key_gets_the_evaluation_trace(engine: Engine) {
    let flags = Flags::start(engine);
    let debug = flags.app.flag_key("production", "client", &["--debug"]);
    let person = json!({"userId": "u1", "country": "DE"});
    let ask = |key: &str| {
        let path = "/api/flags/v3/features/targeted";
        flags.app.request("PUT", path).token(key).header("x-musette-debug", "1").json(&person)
    };
    let without = ask(&flags.client).gives(200).json();
    assert_eq!(without.get("trace"), None, "traces show rules");
    let answer = ask(&debug).gives(200);
    let with = answer.json();
    assert_eq!(with["relevantContext"], json!({"country": "DE"}));
    let trace = with["trace"].as_array().expect("a trace");
    let step = trace.iter().find(|step| step["step"] == "rule:r1").expect("the rule");
    assert_eq!((&step["ok"], &step["got"]), (&json!(false), &json!("DE")), "{step}");
    assert!(step["cond"].as_str().is_some_and(|text| text.contains("country")), "{step}");
    assert_eq!(with["variation"], without["variation"]);
    let plain = flags.app.request("PUT", "/api/flags/v3/features/targeted").token(&debug);
    let plain = plain.json(&person).gives(200);
    assert_eq!(plain.json().get("trace"), None, "the key does not request it");
    assert_ne!(etag(&plain), etag(&answer));
    let all = flags.app.request("PUT", "/api/flags/v3/features").token(&debug);
    let all = all.header("x-musette-debug", "1").json(&person).gives(200).json();
    assert!(all["flags"]["ruled"]["trace"].is_array());
}

fn serves_the_json_schema_of_a_configuration(engine: Engine) {
    let flags = Flags::start(engine);
    let answer = flags.app.get("/schemas/flags-1.json").gives(200);
    let schema = answer.json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["properties"]["flags"].is_object());
    let again =
        flags.app.get("/schemas/flags-1.json").header("if-none-match", answer.header("etag"));
    again.gives(304);
    flags.app.get("/schemas/flags-2.json").refused(404, "not_found");
}
