//! A scan finds nothing: no files, no directory listings, no extra methods, no secrets in logs or
//! responses.

use std::sync::Arc;

use serde_json::{Value, json};

use super::operations;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, accept, applicant, rider};

on_both!(
    serves_nothing_else,
    refuses_unlisted_methods,
    logs_no_secret,
    fetches_only_webhook_addresses,
);

fn serves_nothing_else(engine: Engine) {
    let app = TestApp::start(engine);
    for path in [
        "/.git/config",
        "/.git/HEAD",
        "/.env",
        "/.svn/entries",
        "/musette.toml",
        "/musette.db",
        "/data/musette.db",
        "/metrics",
        "/debug/pprof/",
        "/debug/vars",
        "/actuator/env",
        "/server-status",
        "/assets/",
        "/assets",
        "/console/assets/",
        "/viewer/",
        "/documents/",
        "/receipts/",
        "/log/",
        "/log/tile/",
        "/schemas/",
        "/.well-known/",
        "/api/",
        "/api/admin/",
        "/api-docs",
        "/swagger.json",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/console/..%2findex.html",
        "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/documents/..%2f..%2fmusette.db",
        "/receipts/..%2f..%2fmusette.db.json",
        "/log/tile/..%2f..%2fmusette.db",
        "/log/tile/0/../../../etc/passwd",
        "/schemas/..%2fflags-1.json",
    ] {
        // A browser that requests a page may get the application. Other clients get a 404.
        let answer = app.get(path).header("accept", "application/json").send();
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        for leak in ["root:", "SQLite format", "[package]", "Index of", "<a href"] {
            assert!(!text.contains(leak), "{path} tells {leak}");
        }
        let page = app.get(path).header("accept", "text/html").send();
        let text = String::from_utf8_lossy(&page.body).into_owned();
        for leak in ["root:", "SQLite format", "[package]", "Index of", "Parent Directory"] {
            assert!(!text.contains(leak), "{path} tells {leak} to a browser");
        }
    }
    // No header names the product or its components.
    let answer = app.get("/healthz").gives(200);
    for name in ["server", "x-powered-by", "via"] {
        assert_eq!(answer.header(name), "", "{name}");
    }
}

fn refuses_unlisted_methods(engine: Engine) {
    let app = TestApp::start(engine);
    for operation in operations(&app) {
        for method in ["TRACE", "PROPFIND", "DEBUG", "TRACK", "BREW"] {
            let call = app.request(method, &operation.address).header("x-secret", "s3cret");
            let answer = call.send();
            let name = format!("{method} {}", operation.path);
            answer.assert_problem(405, "method_not_allowed");
            assert!(
                answer.header("allow").contains(&operation.method),
                "{name}: {}",
                answer.header("allow")
            );
            assert!(!String::from_utf8_lossy(&answer.body).contains("s3cret"), "{name}");
        }
        // Headers with which a proxy overrides the method.
        let tunnelled = app.get("/healthz").header("x-http-method-override", &operation.method);
        tunnelled.gives(200);
    }
}

/// The log at its most detailed level, after calls with every kind of secret.
fn logs_no_secret(engine: Engine) {
    const PASSWORD: &str = "s3cret-Password-0815";
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let term = store.term("FREELANCER", &[]);
    store
        .command(&["user", "add", "--id", "r2", "--email", "noor.of.test@larkspur.example"])
        .expect_success();
    store.import("production", &crate::flags::document("hello"));
    let key = store.flag_key("production", "client", &[]);
    let env = [("MUSETTE_LOG", "trace"), ("RUST_LOG", "trace")];
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    let issued = app.command(&["token", "issue", "--user", "r1"]).json();
    let text = |name: &str| issued[name].as_str().expect("a token").to_owned();
    let (access, refresh) = (text("dhhToken"), text("refreshToken"));
    let submitted =
        app.post(SUBMIT).token(&access).json(&rider("r1", &accept(&[term]))).gives(201).json();
    let applied = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201).json();
    let receipt =
        |submission: &Value| submission["receipt"]["id"].as_str().expect("an id").to_owned();
    let receipts = [receipt(&submitted), receipt(&applied)];
    app.get(&format!("/receipts/{}.json", receipts[1])).gives(200);
    app.post(CLAIM).token(&access).json(&json!({"receipt": {"id": receipts[1]}})).gives(201);
    let session = "/api/session/v1";
    app.post(&format!("{session}/tokens"))
        .json(&json!({"identifier": "noor.of.test@larkspur.example", "code": "918273"}))
        .send();
    app.post(&format!("{session}/console/tokens"))
        .json(&json!({"email": "noor.of.test@larkspur.example", "password": PASSWORD, "otp": "564738"}))
        .send();
    app.post(&format!("{session}/console/links"))
        .json(&json!({"token": "s3cret-link", "password": PASSWORD}))
        .send();
    let ticket = app.post("/api/flags/v3/stream-tickets").token(&key).gives(201).json();
    let ticket = ticket["ticket"].as_str().expect("a ticket").to_owned();
    app.request("PUT", "/api/flags/v3/features/greeting")
        .token(&key)
        .json(&json!({"userId": "u1", "email": "noor.of.test@larkspur.example"}))
        .gives(200);
    app.get("/api/admin/v1/people").token(&access).refused(403, "permission_denied");
    // Lines that look like lines of the log, in every value that the log might contain.
    let forged = "x%0d%0a2026-01-01T00:00:00Z%20ERROR%20forged-line";
    app.get(&format!("/api/{forged}")).header("x-forwarded-for", "forged-line").send();
    app.get(&format!("/api/rooster/v3/public/terms?types={forged}")).send();
    let tokens = app
        .post(&format!("{session}/refresh"))
        .json(&json!({"refresh_token": refresh}))
        .gives(200)
        .json();
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("request answered"), "the log is empty");
    let next = tokens["refreshToken"].as_str().expect("a token").to_owned();
    for secret in [
        access.as_str(),
        &refresh,
        &next,
        &key,
        &ticket,
        &receipts[0],
        &receipts[1],
        PASSWORD,
        "918273",
        "564738",
        "s3cret-link",
        "noor.of.test",
    ] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    assert!(!log.lines().any(|line| line.contains("ERROR forged-line")), "a line was forged");
}

/// The server fetches no address that a client sends (SSRF), except the address of a webhook.
/// Admins set it, and the server connects only to public addresses (`webhook_client.rs`).
fn fetches_only_webhook_addresses(engine: Engine) {
    fn links(of: &Value, at: &str, paths: &mut Vec<String>) {
        let properties = of.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let is_link = schema["format"] == "uri"
                || ["url", "uri", "link", "href", "webhook", "callback", "redirect"]
                    .iter()
                    .any(|word| name.to_lowercase().contains(word));
            if is_link {
                paths.push(format!("{at}.{name}"));
            }
            links(schema, &format!("{at}.{name}"), paths);
        }
    }
    let app = TestApp::start(engine);
    let document = app.get("/openapi.json").gives(200).json();
    let (mut paths, mut checked) = (Vec::new(), 0);
    for (path, calls) in document["paths"].as_object().expect("paths") {
        for (method, call) in calls.as_object().expect("calls") {
            for content in call["requestBody"]["content"].as_object().into_iter().flatten() {
                let schema = &content.1["schema"];
                let schema = match schema["$ref"]
                    .as_str()
                    .and_then(|reference| reference.rsplit('/').next())
                {
                    Some(name) => &document["components"]["schemas"][name],
                    None => schema,
                };
                checked += 1;
                links(schema, &format!("{method} {path}"), &mut paths);
            }
        }
    }
    assert!(checked > 20, "{checked} bodies");
    let webhooks = ["post /api/admin/v1/webhooks.url", "put /api/admin/v1/webhooks/{id}.url"];
    assert_eq!(paths, webhooks);
}

/// The server of these tests has no TLS. A client that requires TLS must not connect anyway.
#[test]
fn refuses_a_database_without_tls_if_tls_is_required() {
    let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("tools/with-postgres");
    let store = TestStore::new(Engine::Sqlite);
    for mode in ["require", "verify-ca", "verify-full"] {
        let url = format!("{server}/postgres?sslmode={mode}");
        let output = store.command(&["migrate", "--database", &url]);
        assert_ne!(output.code, Some(0), "{mode}: {output:?}");
    }
}
