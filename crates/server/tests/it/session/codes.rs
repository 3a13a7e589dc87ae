use std::sync::Arc;

use serde_json::json;

use super::{
    V1, ask_code, later, logged_codes, me, new_code, redeem, refreshed, set_cookies, soon,
};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(
    a_code_signs_in_once,
    recognizes_an_identifier_in_any_spelling,
    rejects_a_code_after_five_wrong_guesses,
    a_code_expires_after_ten_minutes,
    an_unknown_identifier_is_indistinguishable_from_a_known_one,
    operators_cannot_sign_in_with_a_code_alone,
    refuses_invalid_identifiers,
    limits_code_requests_for_each_identifier,
    logs_no_codes_outside_of_demo_and_tests,
    the_demo_shows_codes
);

const PHONE: &str = "+15550100";

fn with_phone(engine: Engine) -> TestStore {
    let store = TestStore::new(engine);
    store.command(&["user", "add", "--id", "r1", "--phone", PHONE]).expect_success();
    store
}

fn a_code_signs_in_once(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let code = new_code(&app, PHONE);
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    let answer = redeem(&app, PHONE, &code).gives(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(set_cookies(&answer).len(), 2);
    assert!(answer.json()["expires_in"].as_i64().expect("seconds") > 800);
    let tokens = super::Tokens::of(&answer.json());
    assert_eq!(me(&app, &tokens.access).gives(200).json()["user_id"], "r1");
    refreshed(&app, &tokens.refresh);
    let refused = redeem(&app, PHONE, &code).refused(401, "code_invalid");
    assert!(refused.header("www-authenticate").starts_with("Bearer"));
    // A new code replaces the earlier one.
    let (old, new) = (new_code(&app, PHONE), new_code(&app, PHONE));
    if old != new {
        redeem(&app, PHONE, &old).refused(401, "code_invalid");
    }
    let hardened = redeem(&app, PHONE, &new).header("x-musette-cookies", "hardened").gives(200);
    assert!(hardened.json().get("refreshToken").is_none());
}

fn recognizes_an_identifier_in_any_spelling(engine: Engine) {
    let store = TestStore::new(engine);
    let add = [
        "user",
        "add",
        "--id",
        "r1",
        "--phone",
        "0049 30 5550-100",
        "--email",
        "Noor@Larkspur.example",
    ];
    store.command(&add).expect_success();
    let app = TestApp::serve(store);
    for (input, stored) in
        [("+49 (30) 5550100", "+49305550100"), (" NOOR@larkspur.EXAMPLE ", "noor@larkspur.example")]
    {
        ask_code(&app, input).gives(202);
        let code = soon("a code", || logged_codes(&app, stored).pop());
        let arabic: String = code
            .bytes()
            .map(|digit| char::from_u32(0x660 + u32::from(digit - b'0')).expect("a digit"))
            .collect();
        redeem(&app, stored, &arabic).gives(200);
    }
}

fn rejects_a_code_after_five_wrong_guesses(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let code = new_code(&app, PHONE);
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for _ in 0..4 {
        redeem(&app, PHONE, wrong).refused(401, "code_invalid");
    }
    redeem(&app, PHONE, "not a code").refused(401, "code_invalid");
    redeem(&app, PHONE, &code).refused(401, "code_invalid");
    let code = new_code(&app, PHONE);
    redeem(&app, PHONE, wrong).refused(401, "code_invalid");
    redeem(&app, PHONE, &code).gives(200);
}

fn a_code_expires_after_ten_minutes(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let code = new_code(&app, PHONE);
    let in_time = later(&app.store(), 590);
    redeem(&in_time, PHONE, &code).gives(200);
    drop(in_time);
    let code = new_code(&app, PHONE);
    let late = later(&app.store(), 601);
    redeem(&late, PHONE, &code).refused(401, "code_invalid");
}

fn an_unknown_identifier_is_indistinguishable_from_a_known_one(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let response_of = |identifier: &str| {
        let answer = ask_code(&app, identifier).gives(202);
        let mut headers = answer.headers.clone();
        headers.remove("date");
        headers.remove("x-request-id");
        // The cookie is random and set in both cases.
        let set = headers.remove("set-cookie").expect("a cookie");
        assert!(set.to_str().expect("ASCII").starts_with("musette_browser="));
        headers.insert("set-cookie-len", set.len().into());
        (answer.body, headers)
    };
    let somebody = response_of(PHONE);
    for nobody in ["+15550199", "nobody@larkspur.example", "no identifier at all", "😀"] {
        assert_eq!(response_of(nobody), somebody, "{nobody}");
        redeem(&app, nobody, "123456").refused(401, "code_invalid");
    }
    soon("a code", || logged_codes(&app, PHONE).pop());
    assert!(logged_codes(&app, "+15550199").is_empty());
}

fn operators_cannot_sign_in_with_a_code_alone(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let add = ["user", "add", "--id", "o1", "--role", "operator", "--phone", "+15550101"];
    app.command(&add).expect_success();
    ask_code(&app, "+15550101").gives(202);
    new_code(&app, PHONE);
    assert!(logged_codes(&app, "+15550101").is_empty());
    redeem(&app, "+15550101", "123456").refused(401, "code_invalid");
}

fn refuses_invalid_identifiers(engine: Engine) {
    let app = TestApp::serve(with_phone(engine));
    let codes = || app.post(&format!("{V1}/codes"));
    codes().json(&json!({})).refused(422, "invalid_request");
    codes().json(&json!({"identifier": 1})).refused(422, "invalid_request");
    codes().json(&json!({"identifier": ""})).refused(422, "invalid_request");
    codes().body("text/plain", b"x").refused(415, "unsupported_media_type");
    codes().body("application/json", b"").refused(400, "malformed_json");
    let tokens = || app.post(&format!("{V1}/tokens"));
    let both = tokens().json(&json!({"code": 123_456})).refused(422, "invalid_request");
    assert_eq!(both.pointers(), ["/identifier", "/code"]);
}

fn limited(store: TestStore, args: &[&str]) -> TestApp {
    TestApp::serve_with(&Arc::new(store), Start { limited: true, args, ..Start::default() })
}

fn limits_code_requests_for_each_identifier(engine: Engine) {
    let app = limited(with_phone(engine), &[]);
    for identifier in [PHONE, "+15550199"] {
        for _ in 0..5 {
            ask_code(&app, identifier).gives(202);
        }
        let refused = ask_code(&app, identifier).refused(429, "rate_limited");
        let wait: u64 = refused.header("retry-after").parse().expect("seconds");
        assert!((1..=60).contains(&wait), "{wait}");
    }
    let later = TestApp::serve_with(
        &app.store(),
        Start { limited: true, env: &[("MUSETTE_CLOCK_OFFSET", "61")], ..Start::default() },
    );
    ask_code(&later, PHONE).gives(202);
}

fn logs_no_codes_outside_of_demo_and_tests(engine: Engine) {
    let start = Start { limited: true, env: &[("MUSETTE_TEST", "0")], ..Start::default() };
    let app = TestApp::serve_with(&Arc::new(with_phone(engine)), start);
    ask_code(&app, PHONE).gives(202);
    let log = soon("a warning", || {
        let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
        (log.contains("WARN") && log.contains("--code-delivery")).then_some(log)
    });
    assert!(!log.contains("code=") && !log.contains(PHONE), "{log}");
    app.get("/api/demo/v1/codes?identifier=%2B15550100").refused(404, "not_found");
}

fn the_demo_shows_codes(engine: Engine) {
    let store = Arc::new(with_phone(engine));
    store
        .command(&["user", "add", "--id", "demo-rider-1", "--email", "otto@larkspur.example"])
        .expect_success();
    // The store has data, so the demo adds none.
    store.publish("FREELANCER", "A text", &[]);
    let app = TestApp::serve_with(&store, Start { args: &["--demo"], ..Start::default() });
    let shown = |identifier: &str| app.get(&format!("/api/demo/v1/codes?identifier={identifier}"));
    shown("otto@larkspur.example").refused(404, "not_found");
    // Otto has another address than the demo gives its riders. The demo does not reveal whose
    // address it is.
    let riders = app.get("/api/demo/v1").gives(200).json();
    assert_eq!(riders["riders"][0].get("email"), None);
    let demo_address = ["--id", "demo-rider-2", "--email", "bram@larkspur.example"];
    app.command(&[&["user", "add"][..], &demo_address].concat()).expect_success();
    let riders = app.get("/api/demo/v1").gives(200).json();
    assert_eq!(riders["riders"][1]["email"], "bram@larkspur.example");
    let code = new_code(&app, "otto@larkspur.example");
    assert_eq!(shown("otto@larkspur.example").gives(200).json()["code"], code);
    new_code(&app, PHONE);
    shown("%2B15550100").refused(404, "not_found");
    redeem(&app, "otto@larkspur.example", &code).gives(200);
}
