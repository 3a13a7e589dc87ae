//! `GET /receipts/{id}`, `receipt verify` and `user erase`.

use musette_render::{Limits, render};
use serde_json::json;

use super::{all_verify, receipt_of, saved, text};
use crate::app::TestApp;
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, accept, applicant, rider};

on_both!(
    only_its_owner_reads_a_receipt,
    reads_a_receipt_without_its_id_in_the_address,
    a_replay_returns_the_same_receipt,
    verifies_receipts_by_command,
    the_log_verifies_after_an_erasure,
    the_receipt_of_another_user_is_indistinguishable_from_a_missing_one,
);

fn app(engine: Engine) -> (TestApp, i64) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &["--mandatory"]);
    (TestApp::serve(store), term)
}

fn only_its_owner_reads_a_receipt(engine: Engine) {
    let (app, term) = app(engine);
    let (own_token, other_token) = (app.token("r1"), app.token("r2"));
    let submitted =
        app.post(SUBMIT).token(&own_token).json(&rider("r1", &accept(&[term]))).gives(201);
    let receipt = submitted.json()["receipt"].clone();
    let path = format!("/receipts/{}", receipt["id"].as_str().expect("an id"));
    let json = app.get(&format!("{path}.json")).token(&own_token).gives(200);
    assert_eq!(json.json(), receipt);
    assert_eq!(json.header("cache-control"), "private, no-store");
    let proof = app.get(&format!("{path}.tlog-proof")).token(&own_token).gives(200);
    assert_eq!(Some(text(&proof).as_str()), receipt["proof"].as_str());
    let pdf = app
        .get(&format!("{path}.pdf"))
        .token(&own_token)
        .header("accept-language", "de")
        .gives(200);
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert_eq!(pdf.header("cache-control"), "private, no-store");
    let page = render(&pdf.body, &Limits::default()).expect("a document");
    for expected in ["Bescheinigung der Zustimmung", "r1", receipt["id"].as_str().expect("an id")] {
        assert!(page.text.contains(expected), "{expected} is not in {}", page.text);
    }
    app.get(&format!("{path}.json")).refused(401, "unauthenticated");
    app.get(&format!("{path}.pdf")).refused(401, "unauthenticated");
    app.get(&format!("{path}.pdf")).token(&other_token).refused(404, "not_found");
    app.get(&format!("{path}.png")).token(&own_token).refused(404, "not_found");
    app.get(&format!("{path}.json")).token(&other_token).refused(404, "not_found");
    app.get("/receipts/nonsense.json").refused(404, "not_found");
    app.get(&format!("{path}x.json")).refused(404, "not_found");

    let submitted = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let receipt = submitted.json()["receipt"].clone();
    let path = format!("/receipts/{}.json", receipt["id"].as_str().expect("an id"));
    assert_eq!(app.get(&path).gives(200).json(), receipt);
    assert_eq!(app.get(&path.replace(".json", ".pdf")).gives(200).body[..5], *b"%PDF-");
    app.post(CLAIM).token(&own_token).json(&json!({"receipt": receipt})).gives(201);
    app.get(&path).refused(401, "unauthenticated");
    assert_eq!(app.get(&path).token(&own_token).gives(200).json(), receipt);
}

/// The responses are the same as with a receipt's address, for the owner, for another rider and for
/// an operator.
fn reads_a_receipt_without_its_id_in_the_address(engine: Engine) {
    let (app, term) = app(engine);
    let admin = {
        app.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
        app.token("a1")
    };
    let (own_token, other_token) = (app.token("r1"), app.token("r2"));
    let submitted =
        app.post(SUBMIT).token(&own_token).json(&rider("r1", &accept(&[term]))).gives(201);
    let own = submitted.json()["receipt"]["id"].clone();
    let submitted = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let applicants = submitted.json()["receipt"]["id"].clone();
    let read = |path: &str, id: &serde_json::Value, format: &str| {
        let body = json!({"receipt": {"id": id}, "format": format});
        app.post(path).header("accept-language", "de").json(&body)
    };
    for format in ["json", "tlog-proof", "pdf"] {
        let path =
            |id: &serde_json::Value| format!("/receipts/{}.{format}", id.as_str().expect("an id"));
        let german = |path: &str| app.get(path).header("accept-language", "de");
        let by_address = german(&path(&applicants)).gives(200);
        let by_body = read("/receipts", &applicants, format).gives(200);
        assert_eq!(by_body.body, by_address.body, "{format}");
        assert_eq!(by_body.header("cache-control"), "private, no-store");
        assert_eq!(by_body.header("content-type"), by_address.header("content-type"));
        let by_address = german(&path(&own)).token(&own_token).gives(200);
        assert_eq!(
            read("/receipts", &own, format).token(&own_token).gives(200).body,
            by_address.body
        );
        read("/receipts", &own, format).refused(401, "unauthenticated");
        read("/receipts", &own, format).token(&other_token).refused(404, "not_found");
        let admins = "/api/admin/v1/receipts";
        for id in [&own, &applicants] {
            let by_address = german(&format!("/api/admin/v1{}", path(id))).token(&admin).gives(200);
            assert_eq!(read(admins, id, format).token(&admin).gives(200).body, by_address.body);
            read(admins, id, format).token(&own_token).refused(403, "permission_denied");
        }
    }
    let whole = json!({"receipt": {"id": applicants}});
    assert_eq!(app.post("/receipts").json(&whole).gives(200).json()["id"], applicants);
    for (body, status) in [
        (json!({"receipt": {"id": "nonsense"}}), 404),
        (json!({"receipt": {"id": applicants}, "format": "png"}), 422),
        (json!({"receipt": applicants}), 422),
    ] {
        assert_eq!(app.post("/receipts").json(&body).send().status, status, "{body}");
    }
}

/// Returns the parts of a response that an attacker can compare.
fn comparable_parts(answer: &Answer) -> (u16, String, Vec<String>) {
    let id = answer.header("x-request-id");
    let body = String::from_utf8_lossy(&answer.body).replace(id, "");
    let names = answer.headers.keys().map(|name| name.as_str().to_owned()).collect();
    (answer.status, body, names)
}

fn the_receipt_of_another_user_is_indistinguishable_from_a_missing_one(engine: Engine) {
    let (app, term) = app(engine);
    let (own_token, other_token) = (app.token("r1"), app.token("r2"));
    let submitted =
        app.post(SUBMIT).token(&own_token).json(&rider("r1", &accept(&[term]))).gives(201);
    let id = receipt_of(&submitted).id;
    // Well-formed ids without a receipt.
    let none = |at: usize| {
        let mut id = id.clone().into_bytes();
        id[at] = if id[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(id).expect("text")
    };
    for end in ["", ".json", ".tlog-proof", ".pdf"] {
        let letters = |c: char| if c == '-' { c } else { 'A' };
        for unknown in [none(3), none(20), id.chars().map(letters).collect()] {
            let (theirs, nobodys) =
                (format!("/receipts/{id}{end}"), format!("/receipts/{unknown}{end}"));
            for token in [None, Some(other_token.as_str()), Some("nonsense")] {
                let ask = |path: &str| match token {
                    Some(token) => app.get(path).token(token).send(),
                    None => app.get(path).send(),
                };
                let (theirs, nobodys) = (ask(&theirs), ask(&nobodys));
                assert_eq!(
                    comparable_parts(&theirs),
                    comparable_parts(&nobodys),
                    "{end} with {token:?}"
                );
                let want = if token == Some(other_token.as_str()) { 404 } else { 401 };
                assert_eq!(theirs.status, want, "{end} with {token:?}");
            }
        }
    }
    app.get(&format!("/receipts/{id}.json")).token(&own_token).gives(200);
}

fn a_replay_returns_the_same_receipt(engine: Engine) {
    let (app, term) = app(engine);
    let request = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    let request = request.key("0123456789012345678901");
    let first = request.gives(201);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let again = request.gives(201);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(again.body, first.body);
}

fn verifies_receipts_by_command(engine: Engine) {
    let (app, term) = app(engine);
    let token = app.token("r1");
    let answer = app.post(SUBMIT).token(&token).json(&rider("r1", &accept(&[term]))).gives(201);
    let receipt = receipt_of(&answer);
    let file = saved(&app, "receipt.json", &answer.json()["receipt"]);
    let proof = app.file("receipt.tlog-proof", receipt.proof.as_bytes());
    let entry = app.file("entry.json", receipt.entry.as_bytes());
    let key = app.file("key", &app.get("/log/key").gives(200).body);
    for args in [
        vec![&file[..]],
        vec![&file[..], "--key", &key],
        vec![&file[..], "--key", &key, "--user", "r1"],
        vec![&proof[..]],
        vec![&proof[..], "--key", &key, "--entry", &entry],
    ] {
        let output = app.command(&[&["receipt", "verify"][..], &args].concat());
        assert!(output.expect_success().starts_with("verified: "), "{args:?}");
    }
    app.command(&["receipt", "verify", &file, "--user", "r2"]).failed(1, "another person");
    let forged = answer.json()["receipt"].to_string().replace("true", "false");
    let forged = app.file("forged.json", forged.as_bytes());
    app.command(&["receipt", "verify", &forged]).failed(1, "not verified");
    let strangers = TestApp::start(engine);
    let key = app.file("strangers", &strangers.get("/log/key").gives(200).body);
    app.command(&["receipt", "verify", &file, "--key", &key]).failed(1, "not verified");
    app.command(&["receipt", "verify", &entry]).failed(1, "not verified");
    app.command(&["receipt", "verify", "missing"]).failed(1, "missing");
}

fn the_log_verifies_after_an_erasure(engine: Engine) {
    let (app, term) = app(engine);
    let (erased_token, remaining_token) = (app.token("r1"), app.token("r2"));
    let submit = |user, token: &str| {
        app.post(SUBMIT).token(token).json(&rider(user, &accept(&[term]))).gives(201)
    };
    let theirs = receipt_of(&submit("r1", &erased_token));
    let others = receipt_of(&submit("r2", &remaining_token));
    let as_applicant = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let claimed = receipt_of(&as_applicant);
    app.post(CLAIM).token(&erased_token).json(&json!({"receipt": {"id": claimed.id}})).gives(201);
    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    for receipt in [&theirs, &claimed] {
        for path in
            [".json", ".tlog-proof", ".pdf"].map(|end| format!("/receipts/{}{end}", receipt.id))
        {
            app.get(&path).refused(410, "receipt_erased");
            app.get(&path).token(&erased_token).refused(410, "receipt_erased");
            // A caller who had no access before does not learn that the receipt existed.
            app.get(&path).token(&remaining_token).refused(404, "not_found");
        }
    }
    app.post(SUBMIT)
        .token(&erased_token)
        .json(&rider("r1", &accept(&[term])))
        .refused(401, "unauthenticated");
    app.get(&format!("/receipts/{}.json", others.id)).token(&remaining_token).gives(200);
    app.command(&["user", "erase", "--id", "r1"]).failed(1, "no user has this ID");
    all_verify(&app, &app, &[others, theirs, claimed]);
}
