//! The settings of the running server, and test messages for the delivery of codes.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};

on_both!(shows_settings_without_secrets, sends_a_test_message_to_the_caller_only);

const PATH: &str = "/api/admin/v1/settings";

fn serve(store: TestStore, args: &[&str]) -> TestApp {
    TestApp::serve_with(&Arc::new(store), Start { args, ..Start::default() })
}

fn store(engine: Engine) -> TestStore {
    let store = TestStore::new(engine);
    let ada = ["user", "add", "--id", "a1", "--role", "admin", "--email", "ada@larkspur.example"];
    store.command(&ada).expect_success();
    store.add_user("o1", &["operator"]);
    store
}

fn shows_settings_without_secrets(engine: Engine) {
    // No server listens at this address.
    let app = serve(
        store(engine),
        &[
            "--code-delivery",
            "http://us:secret@127.0.0.1:9/send/token?key=hidden",
            "--oidc-issuer",
            "https://id.larkspur.example",
            "--oidc-client-id",
            "musette",
            "--oidc-client-secret",
            "hidden",
            "--oidc-name",
            "Larkspur",
        ],
    );
    let operator = app.token("o1");
    let read = || app.get(PATH).token(&operator).gives(200);
    let body = read().json();
    let text = body.to_string();
    assert!(!text.contains("secret") && !text.contains("hidden"), "{text}");
    assert_eq!(body["issuer"], "musette");
    assert_eq!(body["delivery"]["kind"], "webhook");
    assert_eq!(body["delivery"]["address"], "http://127.0.0.1:9");
    assert_eq!(body["delivery"]["last_24_hours"], json!({"sent": 0, "failed": 0}));
    assert_eq!(body["sign_in"]["password"], true);
    assert_eq!(body["sign_in"]["oidc"]["name"], "Larkspur");
    assert_eq!(body["limits"]["page_items"], 200);

    app.command(&["user", "add", "--id", "r1", "--phone", "+15550100"]).expect_success();
    app.post("/api/session/v1/codes").json(&json!({"identifier": "+15550100"})).gives(202);
    let failed = waited(|| {
        let body = read().json();
        (body["delivery"]["last_24_hours"]["failed"] == 1).then_some(body)
    });
    let reason = failed["delivery"]["last_failure"]["reason"].as_str().expect("a reason");
    assert!(!reason.is_empty() && !reason.contains("15550100"), "{reason}");
}

/// Waits for a result. A webhook is tried three times, a second apart.
fn waited(mut look: impl FnMut() -> Option<Value>) -> Value {
    for _ in 0..100 {
        if let Some(value) = look() {
            return value;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("it did not come to pass");
}

fn sends_a_test_message_to_the_caller_only(engine: Engine) {
    let app = serve(store(engine), &[]);
    let (admin, path) = (app.token("a1"), format!("{PATH}/delivery/test"));
    let test = |to: &str| app.post(&path).token(&admin).json(&json!({"to": to}));
    assert_eq!(test("Ada@larkspur.example").gives(200).json()["kind"], "log");
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("test message identifier=ada@larkspur.example"), "{log}");
    test("eve@larkspur.example").refused(422, "not_your_address");
    test("").refused(422, "not_your_address");
    let audit = app.get(&format!("{ADMIN}/audit?event=delivery_tested")).token(&admin).gives(200);
    assert_eq!(audit.json()["items"][0]["detail"], "log sent");

    let store = store(engine);
    let app = serve(store, &["--code-delivery", "http://127.0.0.1:9/"]);
    let admin = app.token("a1");
    let body = json!({"to": "ada@larkspur.example"});
    app.post(&path).token(&admin).json(&body).refused(502, "delivery_failed");
}
