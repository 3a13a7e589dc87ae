//! The inputs that an `ETag` depends on.

use std::io::Read as _;

use serde_json::{Value, json};

use super::fixture::{Flags, etag, everything, with};
use crate::app::TestApp;
use crate::store::Engine;

on_both!(
    an_etag_depends_on_all_inputs,
    an_etag_changes_with_a_scheduled_step,
    compresses_large_responses_for_clients_that_accept_it,
);

fn an_etag_depends_on_all_inputs(engine: Engine) {
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
    // Another version of the configuration has another ETag, even if the response is the same.
    let tag = etag(&flags.one("v1", "targeted", &person).gives(200));
    flags.app.import("production", &with(everything(), "layers", json!([])));
    flags.one("v1", "targeted", &person).header("if-none-match", &tag).gives(200);
}

/// One step of a rollout is an hour ahead. The clock of a second server is past it.
fn an_etag_changes_with_a_scheduled_step(engine: Engine) {
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
    let request = later.request("PUT", "/api/flags/v3/features/ramped").token(&flags.client);
    let after = request.json(&person).header("if-none-match", &etag(&before)).gives(200);
    assert_eq!(after.json()["variation"], true);
}

fn compresses_large_responses_for_clients_that_accept_it(engine: Engine) {
    let flags = Flags::start(engine);
    let person = json!({"userId": "u1", "country": "UY", "hours": 1});
    for version in ["v1", "v2", "v3"] {
        let names: Vec<String> = (0..100).map(|number| format!("unknown-{number}")).collect();
        let body = with(person.clone(), "featureList", json!(names));
        let many = || flags.many(version, &body);
        let plain = many().gives(200);
        assert_eq!(plain.header("content-encoding"), "");
        for refusal in ["br", "gzip;q=0", "identity"] {
            let answer = many().header("accept-encoding", refusal).gives(200);
            assert_eq!((answer.header("content-encoding"), &answer.body), ("", &plain.body));
        }
        let compressed = many().header("accept-encoding", "br, gzip").gives(200);
        assert_eq!(compressed.header("content-encoding"), "gzip");
        assert!(compressed.body.len() * 5 < plain.body.len(), "{}", compressed.body.len());
        assert_eq!(unpacked(&compressed.body), plain.body);
        assert_ne!(etag(&compressed), etag(&plain));
        for tag in [etag(&compressed), etag(&plain)] {
            assert_eq!(etag(&many().header("if-none-match", &tag).gives(304)), tag);
            let list = format!("\"x\", W/{tag}");
            assert_eq!(etag(&many().header("if-none-match", &list).gives(304)), tag);
        }
        let small = flags.one(version, "targeted", &person).header("accept-encoding", "gzip");
        assert_eq!(small.gives(200).header("content-encoding"), "");
    }
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
    plain
}
