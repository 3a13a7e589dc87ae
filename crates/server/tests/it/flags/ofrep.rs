//! OFREP 0.3.0. `tools/openfeature` tests the official clients.

use serde_json::{Value, json};

use super::fixture::{Flags, etag, everything, with};
use crate::request::Request;
use crate::store::Engine;

on_both!(
    returns_the_reason_of_each_kind,
    evaluates_all_flags,
    refuses_invalid_requests,
    uses_the_targeting_key,
    an_etag_depends_on_the_context,
    waits_for_the_version_of_the_stream_event,
);

const ALL: &str = "/ofrep/v1/evaluate/flags";

fn one(flags: &Flags, flag: &str, context: &Value) -> Request {
    let body = json!({"context": context});
    flags.app.post(&format!("{ALL}/{flag}")).token(&flags.client).json(&body)
}

fn all(flags: &Flags, context: &Value) -> Request {
    flags.app.post(ALL).token(&flags.client).json(&json!({"context": context}))
}

fn returns_the_reason_of_each_kind(engine: Engine) {
    let flags = Flags::start(engine);
    let person = |more: Value| with(more, "userId", json!("u1"));
    for (flag, context, reason, value, kind) in [
        ("targeted", person(json!({"country": "UY"})), "TARGETING_MATCH", json!(true), "TARGET"),
        ("targeted", person(json!({"country": "DE"})), "DEFAULT", json!(false), "DEFAULT"),
        ("ruled", json!({"hours": 12}), "TARGETING_MATCH", json!(true), "RULE"),
        ("overridden", json!({"userId": "u-qa"}), "TARGETING_MATCH", json!(true), "OVERRIDE"),
        ("ramped", person(json!({})), "SPLIT", json!(true), "ROLLOUT"),
        ("dependent", json!({}), "STATIC", json!(false), "PREREQUISITE_FAILED"),
        ("dependent-ruled", json!({}), "DEFAULT", json!(false), "PREREQUISITE_FAILED"),
        ("plain", json!({}), "STATIC", json!(false), "DEFAULT"),
        ("number", json!({}), "STATIC", json!(42), "DEFAULT"),
        ("shape", json!({}), "STATIC", json!({"a": [1, {"b": null}], "c": "d"}), "DEFAULT"),
    ] {
        let answer = one(&flags, flag, &context).gives(200);
        assert_eq!(answer.header("content-type"), "application/json");
        let item = answer.json();
        assert_eq!((&item["key"], &item["reason"]), (&json!(flag), &json!(reason)), "{item}");
        assert_eq!(item["value"], value, "{item}");
        assert_eq!(item["metadata"]["kind"], kind, "{item}");
        assert_eq!(item["metadata"]["version"], 1);
        let from = &item["metadata"]["from"];
        assert!(from.is_string(), "{item}");
        for (name, value) in item["metadata"].as_object().expect("an object") {
            assert!(!value.is_object() && !value.is_array() && !value.is_null(), "{name}");
        }
    }
    let off = one(&flags, "off", &json!({})).gives(200).json();
    assert_eq!(off["reason"], "DISABLED");
    assert_eq!(off.get("value"), None, "the caller's own default stands");
    let split = one(&flags, "tested", &person(json!({}))).gives(200).json();
    assert_eq!(
        (&split["reason"], &split["metadata"]["kind"]),
        (&json!("SPLIT"), &json!("AB_TEST"))
    );
    assert!(split["variant"] == "control" || split["variant"] == "new");
}

fn evaluates_all_flags(engine: Engine) {
    let flags = Flags::start(engine);
    let answer = all(&flags, &json!({"targetingKey": "t1", "userId": "u1"})).gives(200);
    let body = answer.json();
    let keys = |body: &Value| -> Vec<String> {
        let items = body["flags"].as_array().expect("flags").iter();
        items.map(|item| item["key"].as_str().expect("a key").to_owned()).collect()
    };
    let document = everything();
    assert_eq!(keys(&body).len(), document["flags"].as_array().expect("flags").len() - 1);
    assert!(!keys(&body).contains(&"hidden".to_owned()));
    let by_server = flags.app.post(ALL).header("x-api-key", &flags.server);
    let by_server = by_server.json(&json!({"context": {}})).gives(200).json();
    assert!(keys(&by_server).contains(&"hidden".to_owned()), "a server's key sees all");
    let stream = &body["eventStreams"][0];
    assert_eq!(stream["type"], "sse");
    let address = stream["endpoint"]["requestUri"].as_str().expect("an address");
    assert!(address.starts_with("/ofrep/v1/stream?access="), "{address}");
    let again = all(&flags, &json!({})).gives(200).json();
    assert_eq!(again["eventStreams"], body["eventStreams"], "so no client reconnects");
    assert_eq!(body["metadata"]["version"], 1);
}

fn refuses_invalid_requests(engine: Engine) {
    let flags = Flags::start(engine);
    for path in [ALL.to_owned(), format!("{ALL}/plain")] {
        let post = || flags.app.post(&path).token(&flags.client);
        for (body, code) in [
            (&b""[..], "PARSE_ERROR"),
            (b"{", "PARSE_ERROR"),
            (br#"{"context":{"a":1,"a":2}}"#, "PARSE_ERROR"),
            (b"[]", "INVALID_CONTEXT"),
            (br#"{"context":"u1"}"#, "INVALID_CONTEXT"),
            (br#"{"context":{"targetingKey":{"a":1}}}"#, "INVALID_CONTEXT"),
        ] {
            let answer = post().body("application/json", body).gives(400);
            assert_eq!(answer.header("content-type"), "application/json");
            let problem = answer.json();
            assert_eq!(problem["errorCode"], code, "{problem}");
            assert!(problem["errorDetails"].is_string(), "{problem}");
            assert_eq!(problem["key"].is_string(), path != ALL, "{problem}");
        }
        post().body("text/plain", b"{}").refused(415, "unsupported_media_type");
        post().json(&json!({"a": "x".repeat(70_000)})).refused(413, "body_too_large");
        let anonymous = flags.app.post(&path).json(&json!({"context": {}}));
        anonymous.refused(401, "unauthenticated");
        let unknown = flags.app.post(&path).header("x-api-key", "x").json(&json!({"context": {}}));
        unknown.refused(401, "unauthenticated");
        post().json(&json!({})).gives(200);
    }
    for flag in ["nope", "hidden"] {
        let answer = one(&flags, flag, &json!({})).gives(404).json();
        assert_eq!(
            (&answer["key"], &answer["errorCode"]),
            (&json!(flag), &json!("FLAG_NOT_FOUND"))
        );
    }
    flags.app.get("/ofrep/v1/configuration").refused(404, "not_found");
}

fn uses_the_targeting_key(engine: Engine) {
    let flags = Flags::start(engine);
    let with_key = one(&flags, "by-key", &json!({"targetingKey": "t1"})).gives(200).json();
    assert_eq!((&with_key["value"], &with_key["reason"]), (&json!(true), &json!("SPLIT")));
    for context in [json!({}), json!({"targetingKey": null}), json!({"userId": "u1", "key": "k"})] {
        let answer = one(&flags, "by-key", &context).gives(400).json();
        assert_eq!(answer["errorCode"], "TARGETING_KEY_MISSING", "{context}");
        let body = all(&flags, &context).gives(200).json();
        let items = body["flags"].as_array().expect("flags");
        let item =
            |key: &str| items.iter().find(|entry| entry["key"] == key).expect("listed").clone();
        assert_eq!(item("by-key")["errorCode"], "TARGETING_KEY_MISSING");
        assert_eq!(item("plain")["reason"], "STATIC", "the others are answered");
    }
    // The targeting key is not the `userId`.
    let ramped = one(&flags, "ramped", &json!({"targetingKey": "t1"})).gives(200).json();
    assert_eq!((&ramped["value"], &ramped["reason"]), (&json!(false), &json!("DEFAULT")));
    let own = flags.one("v3", "by-key", &json!({"key": "t1"})).gives(200).json();
    assert_eq!(own["variation"], true, "one's own API draws by the same");
    let without = flags.one("v3", "by-key", &json!({})).gives(200).json();
    assert_eq!(without["explanation"]["kind"], "DEFAULT", "and never fails for want of it");
}

/// If the tag depended on the configuration only, the official web client would show the flags of
/// one country to users of another.
fn an_etag_depends_on_the_context(engine: Engine) {
    let flags = Flags::start(engine);
    let person = json!({"targetingKey": "t1", "country": "UY"});
    let tag = etag(&all(&flags, &person).gives(200));
    let again = |context: &Value| all(&flags, context).header("if-none-match", &tag);
    let unchanged = again(&person).gives(304);
    assert!(unchanged.body.is_empty());
    again(&with(person.clone(), "colour", json!("red"))).gives(304);
    for changed in [
        json!({"targetingKey": "t1", "country": "DE"}),
        json!({"targetingKey": "t2", "country": "UY"}),
        json!({"country": "UY"}),
    ] {
        again(&changed).gives(200);
    }
    let tag = etag(&one(&flags, "targeted", &person).gives(200));
    let other = with(person.clone(), "country", json!("DE"));
    one(&flags, "targeted", &person).header("if-none-match", &tag).gives(304);
    one(&flags, "targeted", &other).header("if-none-match", &tag).gives(200);
}

fn waits_for_the_version_of_the_stream_event(engine: Engine) {
    let flags = Flags::start(engine);
    let tag = etag(&all(&flags, &json!({})).gives(200));
    let fetch = |version: &str| {
        let path = format!("{ALL}?flagConfigEtag={version}");
        let body = json!({"context": {}});
        flags.app.post(&path).token(&flags.client).json(&body).header("if-none-match", &tag)
    };
    fetch("1").gives(304);
    let started = std::time::Instant::now();
    // The server waits for a version that this node does not have yet, and then does not answer
    // "not modified".
    fetch("2").gives(200);
    assert!(started.elapsed() >= std::time::Duration::from_millis(900));
    fetch("nonsense").gives(200);
}
