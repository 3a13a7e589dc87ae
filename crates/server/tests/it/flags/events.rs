//! `POST v3/events` and `POST v3/metrics`.

use serde_json::{Value, json};

use super::fixture::Flags;
use crate::request::Request;
use crate::store::Engine;

on_both!(
    counts_an_id_once,
    counts_concurrent_reports_once,
    refuses_invalid_events,
    accepts_outcomes_from_servers
);

pub const EVENTS: &str = "/api/flags/v3/events";
pub const METRICS: &str = "/api/flags/v3/metrics";

pub fn took_part(id: &str, unit: &str, variation: &str) -> Value {
    json!({"name": "ab_test.participated", "id": id, "unit": unit, "at": "2024-05-02T09:30:00.000Z",
        "experiment": "tested-test", "phase": 3, "variation": variation})
}

pub fn in_group(id: &str, unit: &str, group: &str) -> Value {
    json!({"name": "holdout_group.participated", "id": id, "unit": unit,
        "at": "2024-05-02T09:30:00.000Z", "holdout": "quarter", "group": group})
}

pub fn measured(id: &str, unit: &str, value: f64) -> Value {
    json!({"id": id, "unit": unit, "metric": "orders", "value": value,
        "at": "2024-05-02T10:30:00.000Z"})
}

/// Reports events. Phones report participation; servers report outcomes.
pub fn report(flags: &Flags, path: &str, events: &[Value]) -> Request {
    let key = if path == METRICS { &flags.server } else { &flags.client };
    flags.app.post(path).token(key).json(&json!(events))
}

#[track_caller]
fn accepted_and_duplicates(request: &Request) -> (u64, u64) {
    let answer = request.gives(202).json();
    assert_eq!((answer.get("dropped"), &answer["refused"]), (None, &json!(0)), "{answer}");
    let count = |name: &str| answer[name].as_u64().expect("a number");
    (count("accepted"), count("duplicates"))
}

fn counts_an_id_once(engine: Engine) {
    let flags = Flags::start(engine);
    let both = [took_part("e1", "u1", "new"), in_group("e2", "u1", "HELD_OUT")];
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &both)), (2, 0));
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &both)), (0, 2));
    let mixed = [took_part("e1", "u1", "new"), took_part("e3", "u2", "new"), both[1].clone()];
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &mixed)), (1, 2));
    let twice = [took_part("e4", "u3", "new"), took_part("e4", "u3", "new")];
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &twice)), (1, 1));
    // The id of a metric is separate from the id of an event, and each environment has its own ids.
    assert_eq!(
        accepted_and_duplicates(&report(&flags, METRICS, &[measured("e1", "u1", 1.0)])),
        (1, 0)
    );
    flags.app.import("staging", &super::fixture::everything());
    let staging = flags.app.flag_key("staging", "client", &[]);
    let elsewhere = flags.app.post(EVENTS).token(&staging).json(&json!(both));
    assert_eq!(accepted_and_duplicates(&elsewhere), (2, 0));
    let metrics = flags.app.metrics();
    assert!(metrics.contains("musette_flag_events_total 7"), "{metrics}");
}

fn counts_concurrent_reports_once(engine: Engine) {
    let flags = Flags::start(engine);
    let events: Vec<Value> =
        (0..500).map(|i| took_part(&format!("e{i}"), &format!("u{i}"), "new")).collect();
    // Sixteen phones send the same 500 events concurrently. Each event counts once.
    let counts: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|_| scope.spawn(|| accepted_and_duplicates(&report(&flags, EVENTS, &events))))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let accepted: u64 = counts.iter().map(|(accepted, _)| accepted).sum();
    let duplicates: u64 = counts.iter().map(|(_, duplicates)| duplicates).sum();
    assert_eq!((accepted, duplicates), (500, 15 * 500));
}

fn refuses_invalid_events(engine: Engine) {
    let flags = Flags::start(engine);
    let good = || took_part("e1", "u1", "new");
    let bad = |name: &str, value: Value| {
        let mut event = good();
        event[name] = value;
        event
    };
    for (event, place) in [
        (bad("name", json!("clicked")), "name"),
        (bad("id", json!("")), "id"),
        (bad("id", json!("x".repeat(257))), "id"),
        (bad("id", json!("é".repeat(257))), "id"),
        (bad("unit", json!(null)), "unit"),
        (bad("unit", json!(true)), "unit"),
        (bad("at", json!("yesterday")), "at"),
        (bad("at", json!(5)), "at"),
        (bad("phase", json!(-1)), "phase"),
        (bad("phase", json!("3")), "phase"),
        (bad("experiment", json!(null)), "experiment"),
        (bad("variation", json!([])), "variation"),
        (in_group("e", "u", "GENERAL"), "group"),
    ] {
        let answer = report(&flags, EVENTS, &[good(), event]).refused(422, "invalid_request");
        assert_eq!(answer.pointers(), [format!("/1/{place}")]);
    }
    let answer = report(&flags, EVENTS, &[json!(5), json!({})]).refused(422, "invalid_request");
    assert!(answer.pointers().len() > 4, "all errors at once");
    for body in [json!([]), json!({}), json!(null), json!(vec![good(); 501])] {
        let request = flags.app.post(EVENTS).token(&flags.client).json(&body);
        assert_eq!(request.refused(422, "invalid_request").pointers(), [""]);
    }
    let long = vec![bad("id", json!("x".repeat(256))); 500];
    let bytes = |padding: usize| {
        let mut text = json!([good()]).to_string();
        text.push_str(&" ".repeat(padding - text.len()));
        flags.app.post(EVENTS).token(&flags.client).body("application/json", text.as_bytes())
    };
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &long)), (1, 499));
    let accented = [bad("id", json!("é".repeat(256)))];
    assert_eq!(accepted_and_duplicates(&report(&flags, EVENTS, &accented)), (1, 0));
    bytes(512 * 1024).gives(202);
    bytes(512 * 1024 + 1).refused(413, "body_too_large");
    let anonymous = |body: &[u8]| flags.app.post(EVENTS).body("application/json", body);
    anonymous(b"[").refused(400, "malformed_json");
    anonymous(b"[]").refused(422, "invalid_request");
    anonymous(json!([good()]).to_string().as_bytes()).refused(401, "unauthenticated");
    let plain = flags.app.post(EVENTS).token(&flags.client).body("text/plain", b"[]");
    plain.refused(415, "unsupported_media_type");
    for value in [json!("1"), json!(null), json!(1e101)] {
        let mut metric = measured("m", "u", 1.0);
        metric["value"] = value;
        let answer = report(&flags, METRICS, &[metric]).refused(422, "invalid_request");
        assert_eq!(answer.pointers(), ["/0/value"]);
    }
}

fn accepts_outcomes_from_servers(engine: Engine) {
    let flags = Flags::start(engine);
    let values =
        [measured("m1", "u1", 1.5), measured("m2", "u1", -2e-7), measured("m1", "u1", 9.0)];
    assert_eq!(accepted_and_duplicates(&report(&flags, METRICS, &values)), (2, 1));
    let number = json!([{"id": "m3", "unit": 17, "metric": "orders", "value": 3,
        "at": "2024-05-02T10:30:00+05:30"}]);
    let request = flags.app.post(METRICS).token(&flags.server).json(&number);
    assert_eq!(accepted_and_duplicates(&request), (1, 0));
}
