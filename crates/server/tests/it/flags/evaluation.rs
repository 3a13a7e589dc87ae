//! `PUT features/{flagKey}`, `PUT features`, `GET features-list/keys` in all three versions.

use serde_json::{Value, json};

use super::wanted::{Flags, etag, everything, why, with};
use crate::app::TestApp;
use crate::store::Engine;

on_both!(
    the_three_forms_of_a_result,
    whatever_decides_is_named,
    unknown_flags,
    lists,
    keys_of_flags,
    what_a_client_sees,
    whose_key,
    bodies,
    pages_of_other_origins,
    a_debug_key_sees_why,
    an_etag_covers_what_counts,
    an_etag_follows_the_schedule,
    what_was_served_stays,
    an_applicant_becomes_a_rider,
    the_vocabulary,
);

fn the_three_forms_of_a_result(engine: Engine) {
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
        assert_eq!(headers.header("vary"), "Authorization");
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

fn whatever_decides_is_named(engine: Engine) {
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
        assert_eq!(why(&result), (kind, from), "{flag} {attributes}");
        assert_eq!(result["variation"], variation, "{flag} {attributes}");
    }
    let result = flags.result("tested", &person(json!({})));
    assert_eq!(why(&result), ("AB_TEST", "experiment:tested-test"));
    let groups: Vec<Value> = (0..40)
        .map(|i| flags.result("held", &json!({"userId": format!("u{i}")})))
        .inspect(|result| {
            let held = &result["holdoutsEvaluations"][0];
            assert_eq!(held["key"], "quarter");
            let is_held = held["group"] == "HELD_OUT";
            assert_eq!(held["applied"], is_held);
            let expected =
                if is_held { ("HOLDOUT", "holdout:quarter") } else { ("DEFAULT", "default") };
            assert_eq!(why(result), expected);
        })
        .map(|result| result["holdoutsEvaluations"][0]["group"].clone())
        .collect();
    assert!(groups.contains(&json!("HELD_OUT")) && groups.contains(&json!("COMPARISON")));
}

fn unknown_flags(engine: Engine) {
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
        let found = if version == "v3" { &answer["flags"] } else { &answer };
        assert_eq!(found["nope"], expected, "{version}");
        assert_eq!(found["plain"]["variation"], false, "the list did not fail as a whole");
        assert_eq!(found.as_object().expect("an object").len(), 2, "each once");
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

fn lists(engine: Engine) {
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

fn keys_of_flags(engine: Engine) {
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
        keys.clone().find(|it| it["key"] == key).cloned().unwrap_or_default()
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

fn what_a_client_sees(engine: Engine) {
    let flags = Flags::start(engine);
    let path = "/api/flags/v1/features/hidden";
    let by_server = flags.app.request("PUT", path).token(&flags.server).json(&json!({}));
    assert_eq!(by_server.gives(200).json()["variation"], false);
    let of = |key: &str| {
        let all = flags.app.request("PUT", "/api/flags/v3/features").token(key).json(&json!({}));
        let answer = all.gives(200);
        (answer.json()["flags"].get("hidden").is_some(), etag(&answer))
    };
    let (client, server) = (of(&flags.client), of(&flags.server));
    assert_eq!((client.0, server.0), (false, true));
    assert_ne!(client.1, server.1);
}

fn whose_key(engine: Engine) {
    let flags = Flags::start(engine);
    let asked = || flags.app.request("PUT", "/api/flags/v3/features/plain").json(&json!({}));
    asked().refused(401, "unauthenticated");
    asked().token("nobody's").refused(401, "unauthenticated");
    asked().header("authorization", &flags.client).refused(401, "unauthenticated");
    let two = asked().token(&flags.client).token(&flags.client);
    two.refused(401, "unauthenticated");
    let refused = asked().token("").refused(401, "unauthenticated");
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    // Another environment's key sees that environment only.
    flags.app.import(
        "staging",
        &json!({"schema": "musette.flags/1", "environment": "staging",
        "version": 0, "attributes": [], "segments": [], "layers": [], "holdouts": [], "flags": []}),
    );
    let staging = flags.app.flag_key("staging", "server", &[]);
    let answer = asked().token(&staging).gives(200).json();
    assert_eq!(why(&answer), ("ERROR", "error:FLAG_NOT_FOUND"));
    // A rider's token is no flag key.
    flags.app.add_user("r1", &["rider"]);
    asked().token(&flags.app.token("r1")).refused(401, "unauthenticated");
}

fn bodies(engine: Engine) {
    let flags = Flags::start(engine);
    let put = |path: &str| flags.app.request("PUT", path).token(&flags.client);
    let one = || put("/api/flags/v3/features/plain");
    for path in ["/api/flags/v3/features/plain", "/api/flags/v1/features", "/api/flags/v3/features"]
    {
        for body in [
            &b""[..],
            b"{",
            b"{} x",
            br#"{"a":1,"a":2}"#,
            br#"{"x":{"a":1,"\u0061":2}}"#,
            br#"{"userId":"\ud800"}"#,
            b"{\"a\":\"\xff\"}",
            br#"{"a":1e999}"#,
            br#"{"a":NaN}"#,
        ] {
            put(path).body("application/json", body).refused(400, "malformed_json");
            // Whose key it is comes later.
            let anonymous = flags.app.request("PUT", path).body("application/json", body);
            anonymous.refused(400, "malformed_json");
        }
        let nested = |depth: usize| {
            format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
        };
        put(path).body("application/json", &nested(32)).refused(400, "malformed_json");
        put(path).body("application/json", &nested(40_000)).refused(413, "body_too_large");
        put(path).body("text/plain", b"{}").refused(415, "unsupported_media_type");
        put(path).bytes(b"{}").refused(415, "unsupported_media_type");
        for body in [&b"[]"[..], b"5", b"null", b"\"a\""] {
            let refused = put(path).body("application/json", body);
            refused.refused(422, "invalid_request");
        }
    }
    let nested = format!("{{\"a\":{}{}}}", "[".repeat(31), "]".repeat(31));
    one().body("application/json", nested.as_bytes()).gives(200);
    let padded = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8)).into_bytes();
    one().body("application/json", &padded(65_536)).gives(200);
    one().body("application/json", &padded(65_537)).refused(413, "body_too_large");
    let odd = json!({"__proto__": {"userId": "u-qa"}, "constructor": [], "": "", "userId": {"a": 1},
        "country": ["UY"], "hours": "NaN", "appVersion": "not a version", "key": true});
    for flag in ["plain", "targeted", "ruled", "ramped", "tested", "kept", "held", "overridden"] {
        let result = flags.result(flag, &odd);
        assert_eq!(why(&result), ("DEFAULT", "default"), "{flag}");
    }
    put("/api/flags/v1/features").json(&json!({})).refused(400, "feature_list_required");
    let anonymous = flags.app.request("PUT", "/api/flags/v1/features").json(&json!({}));
    anonymous.refused(400, "feature_list_required");
}

fn pages_of_other_origins(engine: Engine) {
    let flags = Flags::start(engine);
    let page = "https://shop.example";
    let answer = flags.one("v3", "plain", &json!({})).header("origin", page).gives(200);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-expose-headers"), "ETag, Retry-After");
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let refused = flags.app.request("PUT", "/api/flags/v3/features").header("origin", page);
    let refused = refused.refused(415, "unsupported_media_type");
    assert_eq!(refused.header("access-control-allow-origin"), "*", "errors can be read as well");
    for path in ["/api/flags/v3/features/plain", "/ofrep/v1/evaluate/flags", "/api/flags/v3/events"]
    {
        let preflight = flags
            .app
            .request("OPTIONS", path)
            .header("origin", page)
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "authorization,content-type,if-none-match")
            .gives(204);
        let allowed = |name: &str| preflight.header(name).to_ascii_lowercase();
        assert_eq!(allowed("access-control-allow-origin"), "*");
        for method in ["get", "put", "post"] {
            assert!(allowed("access-control-allow-methods").contains(method));
        }
        for name in ["authorization", "content-type", "if-none-match", "x-musette-sdk", "x-api-key"]
        {
            assert!(allowed("access-control-allow-headers").contains(name), "{name}");
        }
    }
}

fn a_debug_key_sees_why(engine: Engine) {
    let flags = Flags::start(engine);
    let debug = flags.app.flag_key("production", "client", &["--debug"]);
    let person = json!({"userId": "u1", "country": "DE"});
    let asked = |key: &str| {
        let path = "/api/flags/v3/features/targeted";
        flags.app.request("PUT", path).token(key).header("x-musette-debug", "1").json(&person)
    };
    let without = asked(&flags.client).gives(200).json();
    assert_eq!(without.get("trace"), None, "traces show rules");
    let answer = asked(&debug).gives(200);
    let with = answer.json();
    assert_eq!(with["relevantContext"], json!({"country": "DE"}));
    let trace = with["trace"].as_array().expect("a trace");
    let step = trace.iter().find(|step| step["step"] == "rule:r1").expect("the rule");
    assert_eq!((&step["ok"], &step["got"]), (&json!(false), &json!("DE")), "{step}");
    assert!(step["cond"].as_str().is_some_and(|it| it.contains("country")), "{step}");
    assert_eq!(with["variation"], without["variation"]);
    let plain = flags.app.request("PUT", "/api/flags/v3/features/targeted").token(&debug);
    let plain = plain.json(&person).gives(200);
    assert_eq!(plain.json().get("trace"), None, "it is not asked for");
    assert_ne!(etag(&plain), etag(&answer));
    let all = flags.app.request("PUT", "/api/flags/v3/features").token(&debug);
    let all = all.header("x-musette-debug", "1").json(&person).gives(200).json();
    assert!(all["flags"]["ruled"]["trace"].is_array());
}

fn an_etag_covers_what_counts(engine: Engine) {
    let flags = Flags::start(engine);
    let person = json!({"userId": "u1", "country": "UY", "hours": 1});
    for version in ["v1", "v2", "v3"] {
        let list = |more: Value| {
            let mut body = with(person.clone(), "featureList", json!(["targeted", "ramped"]));
            for (name, value) in more.as_object().expect("an object") {
                body[name] = value.clone();
            }
            flags.many(version, &body)
        };
        let tag = etag(&list(json!({})).gives(200));
        let asks = |more: Value| list(more).header("if-none-match", &tag);
        let unchanged = asks(json!({})).gives(304);
        assert!(unchanged.body.is_empty());
        assert_eq!(etag(&unchanged), tag);
        assert_eq!(unchanged.header("cache-control"), "private, no-store");
        asks(json!({"hours": 40, "unknown": [1], "email": "x@example.com"})).gives(304);
        list(json!({})).header("if-none-match", &format!("\"x\", W/{tag}")).gives(304);
        list(json!({})).header("if-none-match", "\"x\"").gives(200);
        for relevant in [
            json!({"country": "DE"}),
            json!({"country": null}),
            json!({"userId": "u2"}),
            json!({"featureList": ["targeted"]}),
            json!({"featureList": ["ramped", "targeted", "nope"]}),
        ] {
            let answer = asks(relevant.clone()).gives(200);
            assert_ne!(etag(&answer), tag, "{relevant}");
        }
        let one = flags.one(version, "targeted", &person).gives(200);
        let again = flags.one(version, "targeted", &with(person.clone(), "userId", json!("u2")));
        again.header("if-none-match", &etag(&one)).gives(304);
        let other = flags.one(version, "targeted", &with(person.clone(), "country", json!("DE")));
        other.header("if-none-match", &etag(&one)).gives(200);
    }
    let tags: Vec<String> = ["v1", "v2", "v3"]
        .map(|version| etag(&flags.one(version, "targeted", &person).gives(200)))
        .into();
    assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
    // Another configuration, though the answer is alike.
    let tag = etag(&flags.one("v1", "targeted", &person).gives(200));
    flags.app.import("production", &with(everything(), "layers", json!([])));
    flags.one("v1", "targeted", &person).header("if-none-match", &tag).gives(200);
}

/// One step of a rollout lies an hour ahead; the clock of a second server is beyond it.
fn an_etag_follows_the_schedule(engine: Engine) {
    let mut document = everything();
    let soon = "2100-01-01T00:00:00Z";
    document["flags"][5]["rules"][0]["serve"]["rollout"]["steps"] =
        json!([{"percent": 0}, {"at": soon, "percent": 100}]);
    let flags = Flags::serving(engine, &document);
    let person = json!({"userId": "u1"});
    let before = flags.one("v3", "ramped", &person).gives(200);
    assert_eq!(before.json()["variation"], false);
    let ahead = (74_i64 * 365 * 24 * 60 * 60).to_string();
    let later = TestApp::serve_with(
        &flags.app.store(),
        crate::app::Start { env: &[("MUSETTE_CLOCK_OFFSET", &ahead)], ..Default::default() },
    );
    let asked = later.request("PUT", "/api/flags/v3/features/ramped").token(&flags.client);
    let after = asked.json(&person).header("if-none-match", &etag(&before)).gives(200);
    assert_eq!(after.json()["variation"], true);
}

/// The weights of the experiment are turned round; who was served something keeps it.
fn what_was_served_stays(engine: Engine) {
    let flags = Flags::start(engine);
    let people: Vec<Value> = (0..30).map(|i| json!({"userId": format!("u{i}")})).collect();
    let served = |flags: &Flags, flag: &str| -> Vec<Value> {
        people.iter().map(|person| flags.result(flag, person)).collect()
    };
    let (kept, tested) = (served(&flags, "kept"), served(&flags, "tested"));
    let key = |results: &[Value]| -> Vec<Value> {
        results.iter().map(|result| result["variationKey"].clone()).collect()
    };
    assert!(key(&kept).contains(&json!("new")) && key(&kept).contains(&json!("control")));
    let again = flags.result("kept", &people[0]);
    assert_eq!(again["experiment"]["sticky"], true, "the next request sees it at once");
    let mut document = everything();
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "kept" || flag["key"] == "tested" {
            flag["rules"][0]["serve"]["experiment"]["weights"] =
                json!({"control": 0, "new": 100_000});
        }
    }
    flags.app.import("production", &document);
    assert_eq!(key(&served(&flags, "kept")), key(&kept));
    assert!(key(&served(&flags, "tested")).iter().all(|it| it == "new"));
    assert!(key(&tested).contains(&json!("control")), "or it would show nothing");
    // Another node knows it within a second, and one that starts later at once.
    let node = Flags {
        app: TestApp::serve_with(&flags.app.store(), crate::app::Start::default()),
        client: flags.client.clone(),
        server: flags.server.clone(),
    };
    assert_eq!(key(&served(&node, "kept")), key(&kept));
    // Assignments of an older version exclude.
    for flag in document["flags"].as_array_mut().expect("flags") {
        if flag["key"] == "kept" {
            flag["rules"][0]["serve"]["experiment"]["bucketVersion"] = json!(2);
            flag["rules"][0]["serve"]["experiment"]["minBucketVersion"] = json!(2);
        }
    }
    flags.app.import("production", &document);
    let excluded = flags.result("kept", &people[0]);
    assert_eq!(why(&excluded), ("DEFAULT", "default"));
    let newcomer = flags.result("kept", &json!({"userId": "newcomer"}));
    assert_eq!(newcomer["variationKey"], "new");
}

fn an_applicant_becomes_a_rider(engine: Engine) {
    let flags = Flags::start(engine);
    let mut differed = 0;
    for i in 0..20 {
        let anonymous = json!({"anonymousId": format!("a{i}")});
        let user = format!("rider{i}");
        let as_applicant = flags.result("kept", &anonymous)["variationKey"].clone();
        let both = json!({"anonymousId": format!("a{i}"), "userId": user});
        let as_rider = flags.result("kept", &both)["variationKey"].clone();
        assert_eq!(as_rider, as_applicant, "the variation is kept");
        let alone = flags.result("kept", &json!({"userId": user}));
        assert_eq!(alone["variationKey"], as_applicant, "it was copied to the user");
        let unsticky = flags.result("tested", &both)["variationKey"].clone();
        differed += usize::from(unsticky != as_applicant);
        // A user who has one already keeps it, whatever was assigned to the phone.
        let other = json!({"anonymousId": format!("b{i}")});
        flags.result("kept", &other);
        let on_that_phone = json!({"anonymousId": format!("b{i}"), "userId": user});
        assert_eq!(flags.result("kept", &on_that_phone)["variationKey"], as_applicant);
    }
    assert!(differed > 0, "or it would show nothing");
}

fn the_vocabulary(engine: Engine) {
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
