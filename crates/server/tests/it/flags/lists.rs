//! Evaluation of several flags in one request, and the cache of requested lists.

use serde_json::json;

use super::fixture::{Flags, etag, everything, explanation, with};
use crate::store::Engine;

on_both!(evaluates_lists_of_flags, caches_a_list_that_many_users_request,);

fn evaluates_lists_of_flags(engine: Engine) {
    let flags = Flags::start(engine);
    for version in ["v1", "v2"] {
        for body in [json!({}), json!({"featureList": []}), json!({"featureList": null})] {
            flags.many(version, &body).refused(400, "feature_list_required");
        }
        let list = json!({"featureList": ["plain", "number"], "userId": "u1"});
        let answer = flags.many(version, &list).gives(200).json();
        let names: Vec<_> = answer.as_object().expect("an object").keys().cloned().collect();
        assert_eq!(names, ["number", "plain"]);
        assert_eq!(answer["number"], flags.one(version, "number", &json!({})).gives(200).json());
    }
    let all = flags.many("v3", &json!({"userId": "u1"})).gives(200).json();
    let document = everything();
    let visible = document["flags"].as_array().expect("flags").len() - 1;
    assert_eq!(all["flags"].as_object().expect("an object").len(), visible);
    assert_eq!(all["version"], 1);
    let group = flags.result("held", &json!({"userId": "u1"}));
    let group = &group["holdoutsEvaluations"][0]["group"];
    assert_eq!(all["holdouts"], json!([{"key": "quarter", "group": group}]));
    for bad in [json!("plain"), json!([1]), json!({"a": 1}), json!([["plain"]])] {
        let answer = flags.many("v3", &json!({"featureList": bad})).refused(422, "invalid_request");
        assert_eq!(answer.pointers(), ["/featureList"]);
    }
    let many: Vec<String> = (0..3000).map(|i| format!("f{}", i % 2000)).collect();
    let answer = flags.many("v3", &json!({"featureList": many})).gives(200).json();
    assert_eq!(answer["flags"].as_object().expect("an object").len(), 2000);
}

/// From the second request on, the list comes from the cache.
fn caches_a_list_that_many_users_request(engine: Engine) {
    let flags = Flags::start(engine);
    let list = json!(["tested", "plain", "hidden", "nope", "tested", "held"]);
    let ask = |key: &str, version: &str, user: &str| {
        let body = json!({"userId": user, "country": "UY", "featureList": list});
        let path = format!("/api/flags/{version}/features");
        flags.app.request("PUT", &path).token(key).json(&body)
    };
    for version in ["v1", "v2", "v3"] {
        let mut tags = Vec::new();
        for user in ["u1", "u2", "u1", "u2", "u1", "u2"] {
            let answer = ask(&flags.client, version, user).gives(200);
            tags.push(etag(&answer));
            let answer = answer.json();
            let results = if version == "v3" { &answer["flags"] } else { &answer };
            assert_eq!(results.as_object().expect("an object").len(), 5);
            for flag in ["tested", "plain", "held"] {
                let alone = flags.one(version, flag, &json!({"userId": user, "country": "UY"}));
                assert_eq!(results[flag], alone.gives(200).json(), "{version} {flag}");
            }
            assert_eq!(
                explanation(&results["hidden"]),
                ("ERROR", "error:FLAG_NOT_FOUND"),
                "{version}"
            );
            let servers = ask(&flags.server, version, user).gives(200).json();
            let servers = if version == "v3" { &servers["flags"] } else { &servers };
            assert_eq!(explanation(&servers["hidden"]), ("DEFAULT", "default"), "{version}");
        }
        assert!(tags.iter().step_by(2).all(|tag| *tag == tags[0]), "known or not: {tags:?}");
        assert_ne!(tags[0], tags[1]);
        ask(&flags.client, version, "u1").header("if-none-match", &tags[0]).gives(304);
    }
    let put = || flags.app.request("PUT", "/api/flags/v3/features").token(&flags.client);
    for more in ["]}", ",\"featureList\":[]}", "", "} x"] {
        let body = format!("{{\"featureList\":{list}{more}");
        put().body("application/json", body.as_bytes()).refused(400, "malformed_json");
    }
    let longer = format!("{{\"featureList\" : {list} , \"userId\":\"u1\"}}");
    put().body("application/json", longer.as_bytes()).gives(200);
    // The next version has other flags.
    let one_flag = json!([everything()["flags"][0]]);
    let fewer = with(with(everything(), "flags", one_flag), "holdouts", json!([]));
    flags.app.import("production", &fewer);
    let answer = ask(&flags.client, "v3", "u1").gives(200).json();
    assert_eq!(explanation(&answer["flags"]["tested"]), ("ERROR", "error:FLAG_NOT_FOUND"));
    assert_eq!(explanation(&answer["flags"]["plain"]), ("DEFAULT", "default"));
    assert_eq!(answer["version"], 2);
}
