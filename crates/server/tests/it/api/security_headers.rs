//! Security headers of every response: which sites may frame or embed it, and how a browser may use
//! it.

use std::sync::Arc;

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, accept, applicant};

on_both!(
    every_response_has_security_headers,
    sends_strict_transport_security_over_https_only,
    serves_a_pdf_for_reading_only,
    allows_embedding_by_configured_hosts_only,
);

#[track_caller]
fn assert_security_headers(answer: &Answer, what: &str) {
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(answer.header("referrer-policy"), "no-referrer", "{what}");
    assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin", "{what}");
    let embedding = answer.header("cross-origin-resource-policy");
    assert!(["same-origin", "cross-origin"].contains(&embedding), "{what}: {embedding}");
    assert_ne!(answer.header("x-request-id"), "", "{what}");
    let policy = answer.header("content-security-policy");
    for part in ["default-src", "object-src 'none'", "base-uri 'none'", "frame-ancestors"] {
        assert!(policy.contains(part), "{what} without {part}: {policy}");
    }
    assert!(!policy.contains("unsafe") || policy.contains("sandbox"), "{what}: {policy}");
}

/// Sends requests of every kind to a server with a document and returns each response with a label.
fn responses(app: &TestApp, sha256: &str) -> Vec<(String, Answer)> {
    app.import("production", &crate::flags::document("hello"));
    let key = app.flag_key("production", "client", &[]);
    let flags = "/api/flags/v3/features";
    let user = json!({"userId": "u1"});
    let mut answers = Vec::new();
    let mut add = |what: &str, answer: Answer| answers.push((what.to_owned(), answer));
    for path in [
        "/",
        "/console",
        "/nothing",
        "/viewer/pdf.html",
        "/healthz",
        "/readyz",
        "/metrics",
        "/openapi.json",
        "/schemas/flags-1.json",
        "/.well-known/jwks.json",
        "/log/checkpoint",
        "/receipts/nothing",
        "/api/nothing",
        "/api/flags/v9/features",
        "/api/flags/v3/features-list/keys",
        "/api/flags/v3/stream?ticket=x",
        "/ofrep/v1/evaluate/flags",
        "/ofrep/v1/stream?access=x",
        &format!("{V3}/public/terms"),
        &format!("{V3}/terms"),
        &format!("/documents/{sha256}.pdf"),
        &format!("/documents/{sha256}/manifest.json"),
        &format!("/documents/{sha256}/1.png"),
        &format!("/documents/{}.pdf", "0".repeat(64)),
    ] {
        add(path, app.get(path).header("accept", "*/*").send());
        add(&format!("HEAD {path}"), app.request("HEAD", path).send());
        add(&format!("OPTIONS {path}"), app.request("OPTIONS", path).send());
        add(&format!("TRACE {path}"), app.request("TRACE", path).send());
        add(&format!("POST {path}"), app.post(path).body("text/plain", b"x").send());
    }
    let put = || app.request("PUT", flags).token(&key);
    let answer = put().json(&user).gives(200);
    add(
        "not modified",
        put().json(&user).header("if-none-match", answer.header("etag")).gives(304),
    );
    add("flags", answer);
    add("bad flags", put().body("application/json", b"{").gives(400));
    add(
        "preflight",
        app.request("OPTIONS", flags).header("origin", "https://a.example").gives(204),
    );
    let ofrep = app.post("/ofrep/v1/evaluate/flags").token(&key);
    add("ofrep", ofrep.json(&json!({"context": {"targetingKey": "u1"}})).gives(200));
    add("bad ofrep", app.post("/ofrep/v1/evaluate/flags").token(&key).json(&json!([])).send());
    add("a submission", app.post(SUBMIT).json(&applicant(&accept(&[1]))).send());
    let part = app.get(&format!("/documents/{sha256}.pdf")).header("range", "bytes=0-3");
    add("a range", part.gives(206));
    let beyond = app.get(&format!("/documents/{sha256}.pdf")).header("range", "bytes=99999999-");
    add("no range", beyond.gives(416));
    answers
}

fn with_document(engine: Engine, args: &[&str]) -> (TestApp, String) {
    let store = Arc::new(TestStore::new(engine));
    let term = store.publish("FREELANCER", "A text", &[]);
    let sha256 = term["sha256"].as_str().expect("a hash").to_owned();
    (TestApp::serve_with(&store, Start { args, ..Start::default() }), sha256)
}

fn every_response_has_security_headers(engine: Engine) {
    let (app, sha256) = with_document(engine, &[]);
    for (what, answer) in responses(&app, &sha256) {
        assert_security_headers(&answer, &what);
        assert_eq!(answer.header("strict-transport-security"), "", "{what}");
    }
}

fn sends_strict_transport_security_over_https_only(engine: Engine) {
    let args = ["--public-url", "https://terms.larkspur.example"];
    let (app, sha256) = with_document(engine, &args);
    for (what, answer) in responses(&app, &sha256) {
        let hsts = answer.header("strict-transport-security");
        assert_eq!(hsts, "max-age=63072000; includeSubDomains", "{what}");
    }
}

fn serves_a_pdf_for_reading_only(engine: Engine) {
    let (app, sha256) = with_document(engine, &[]);
    let path = format!("/documents/{sha256}.pdf");
    let named = "inline";
    assert_eq!(app.get(&path).gives(200).header("content-disposition"), named);
    let ask = |purpose: &str| app.get(&path).header("sec-fetch-dest", purpose);
    for purpose in ["document", "empty", "iframe", "frame", "embed", "object"] {
        assert_eq!(ask(purpose).gives(200).header("content-disposition"), named, "{purpose}");
    }
    for purpose in [
        "script",
        "style",
        "worker",
        "sharedworker",
        "serviceworker",
        "audioworklet",
        "image",
        "font",
        "audio",
        "video",
        "track",
        "manifest",
        "xslt",
        "report",
        "",
        "Document",
    ] {
        assert_security_headers(&ask(purpose).refused(403, "wrong_destination"), purpose);
    }
    ask("document").header("sec-fetch-dest", "script").refused(403, "wrong_destination");
    // A page image may be loaded as an image.
    app.get(&format!("/documents/{sha256}/1.png")).header("sec-fetch-dest", "image").gives(200);
    let submitted = app.post(SUBMIT).json(&applicant(&accept(&[1]))).gives(201).json();
    let id = submitted["receipt"]["id"].as_str().expect("an id");
    let receipt = app.get(&format!("/receipts/{id}.pdf"));
    let answer = receipt.gives(200);
    assert_eq!(answer.header("content-disposition"), "inline; filename=\"receipt.pdf\"");
    receipt.header("sec-fetch-dest", "script").refused(403, "wrong_destination");
}

fn allows_embedding_by_configured_hosts_only(engine: Engine) {
    let policy = |app: &TestApp, path: &str| {
        app.get(path).send().header("cross-origin-resource-policy").to_owned()
    };
    let (app, sha256) = with_document(engine, &[]);
    let document = format!("/documents/{sha256}/1.png");
    for path in [&document, "/", "/healthz", "/api/nothing", &format!("{V3}/public/terms")] {
        assert_eq!(policy(&app, path), "same-origin", "{path}");
    }
    for path in ["/api/flags/v3/features-list/keys", "/ofrep/v1/evaluate/flags"] {
        assert_eq!(policy(&app, path), "cross-origin", "{path}");
    }
    // Sites in `--cors-origins` may embed the page images of a document.
    let args = ["--cors-origins", "https://app.example.com"];
    let (app, sha256) = with_document(engine, &args);
    let document = format!("/documents/{sha256}/1.png");
    assert_eq!(policy(&app, &document), "cross-origin");
    assert_eq!(policy(&app, &format!("{V3}/public/terms")), "same-origin");
}
