//! `POST /terms/consents/receipts`: opens a receipt by its number.

use serde_json::{Value, json};

use super::receipt_of;
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, LOOK_UP, SUBMIT, accept, applicant, decisions, entry, ids, rider};

on_both!(
    an_applicant_opens_a_receipt_by_number_and_withdraws,
    only_its_owner_opens_a_riders_receipt,
    reports_an_erased_receipt,
    logs_no_receipt_number,
    reads_a_number_as_a_person_types_it,
    links_to_the_receipt_only_with_a_public_url,
);

fn look_up(app: &TestApp, id: &str) -> Request {
    app.post(LOOK_UP).json(&json!({"receipt": {"id": id}}))
}

fn receipt_number(app: &TestApp, body: &Value) -> String {
    receipt_of(&app.post(SUBMIT).json(body).gives(201)).id
}

fn current_decisions(opened: &Value) -> Vec<(i64, bool)> {
    decisions(&json!({"consents": opened["standing"]}))
}

fn an_applicant_opens_a_receipt_by_number_and_withdraws(engine: Engine) {
    let store = TestStore::new(engine);
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &[]);
    let app = TestApp::serve(store);
    let both = applicant(&accept(&[mandatory, optional]));
    let submitted = app.post(SUBMIT).json(&both).gives(201).json();
    let id = submitted["receipt"]["id"].as_str().expect("an id");
    let answer = look_up(&app, id).gives(200);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let opened = answer.json();
    for same in ["user_id", "user_type", "recorded_at", "consents", "receipt"] {
        assert_eq!(opened[same], submitted[same], "{same}");
    }
    assert_eq!(ids(&opened["terms"]), [mandatory, optional]);
    assert_eq!(current_decisions(&opened), [(mandatory, true), (optional, true)]);

    let mut withdrawal = applicant(&[entry(optional, false)]);
    withdrawal["receipt_id"] = json!(id);
    let withdrawn = receipt_number(&app, &withdrawal);
    // The recorded decisions do not change. Either number shows the current state as well.
    for (number, expected) in
        [(id, vec![(mandatory, true), (optional, true)]), (&withdrawn, vec![(optional, false)])]
    {
        let opened = look_up(&app, number).gives(200).json();
        assert_eq!(decisions(&opened), expected);
        assert_eq!(current_decisions(&opened), [(mandatory, true), (optional, false)]);
    }
    for id in ["", "x", &id.replace('-', "+"), &format!("{id}A"), &"x".repeat(10_000)] {
        look_up(&app, id).refused(404, "receipt_unknown");
    }
    let answer = app.post(LOOK_UP).json(&json!({"receipt": id})).refused(422, "invalid_request");
    assert_eq!(answer.pointers(), ["/receipt/id"]);
    app.get(LOOK_UP).refused(405, "method_not_allowed");
}

fn only_its_owner_opens_a_riders_receipt(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1").with_rider("r2");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let (r1, r2) = (store.token("r1"), store.token("r2"));
    let app = TestApp::serve(store);
    let own = app.post(SUBMIT).token(&r1).json(&rider("r1", &accept(&[term]))).gives(201);
    let own = receipt_of(&own).id;
    let claimed = receipt_number(&app, &applicant(&accept(&[term])));
    look_up(&app, &claimed).token(&r2).gives(200);
    app.post(CLAIM).token(&r1).json(&json!({"receipt": {"id": claimed}})).gives(201);
    for (id, user_type) in [(&own, "RIDER"), (&claimed, "APPLICANT")] {
        look_up(&app, id).refused(401, "unauthenticated");
        look_up(&app, id).token(&r2).refused(404, "receipt_unknown");
        let opened = look_up(&app, id).token(&r1).gives(200).json();
        assert_eq!((&opened["user_id"], &opened["user_type"]), (&json!("r1"), &json!(user_type)));
        assert_eq!(current_decisions(&opened), [(term, true)]);
    }
}

fn reports_an_erased_receipt(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &[]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let id = receipt_number(&app, &applicant(&accept(&[term])));
    app.post(CLAIM).token(&token).json(&json!({"receipt": {"id": id}})).gives(201);
    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    look_up(&app, &id).refused(410, "receipt_erased");
}

/// Checks the lookup by body and the former paths that contain the receipt number.
fn logs_no_receipt_number(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &[]);
    let verbose = Start { env: &[("MUSETTE_LOG", "debug")], ..Start::default() };
    let app = TestApp::serve_with(&std::sync::Arc::new(store), verbose);
    let id = receipt_number(&app, &applicant(&accept(&[term])));
    look_up(&app, &id).gives(200);
    app.get(&format!("/receipts/{id}.json")).gives(200);
    app.get(&format!("/receipt/{id}")).header("accept", "text/html").send();
    app.get("/healthz").gives(200);
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    assert!(log.contains("request answered"), "{log}");
    let lines: Vec<&str> = log.lines().filter(|line| line.contains(&id)).collect();
    assert!(lines.is_empty(), "{lines:?}");
}

fn reads_a_number_as_a_person_types_it(engine: Engine) {
    let store = TestStore::new(engine);
    let mandatory = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &[]);
    let session = store.session_of("admin");
    let app = TestApp::serve(store);
    let id = receipt_number(&app, &applicant(&accept(&[mandatory, optional])));
    let groups: Vec<_> = id.split('-').collect();
    assert!(groups.len() == 9 && groups.iter().all(|group| group.len() == 4), "{id}");
    assert!(!id.contains(['I', 'L', 'O', 'U']) && id == id.to_uppercase(), "{id}");
    let typed = [
        id.clone(),
        id.to_lowercase(),
        id.replace('-', ""),
        id.replace('-', " "),
        id.replace('0', "o").replace('1', "l").to_lowercase(),
        id.replace('0', "O").replace('1', "I"),
    ];
    for typed in typed {
        let opened = look_up(&app, &typed).gives(200).json();
        assert_eq!(opened["receipt"]["id"], json!(id), "{typed}");
        let in_path = typed.replace(' ', "%20");
        assert_eq!(
            app.get(&format!("/receipts/{in_path}.json")).gives(200).json()["id"],
            json!(id)
        );
        app.get(&format!("/receipts/{in_path}.pdf")).gives(200);
        let by_body = app.post("/receipts").json(&json!({"receipt": {"id": typed}}));
        assert_eq!(by_body.gives(200).json()["id"], json!(id));
        let path = format!("/api/admin/v1/consents?receipt={in_path}");
        let listed = app.get(&path).token(&session).gives(200).json();
        assert_eq!(listed["items"][0]["receipt_id"], json!(id), "{listed}");
        let mut withdrawal = applicant(&[entry(optional, false)]);
        withdrawal["receipt_id"] = json!(typed);
        app.post(SUBMIT).json(&withdrawal).gives(201);
    }
    let other = if id.starts_with('2') { "3" } else { "2" };
    let mistyped = format!("{other}{}", &id[1..]);
    look_up(&app, &mistyped).refused(404, "receipt_unknown");
}

fn links_to_the_receipt_only_with_a_public_url(engine: Engine) {
    let store = std::sync::Arc::new(TestStore::new(engine));
    let term = store.term("FREELANCER", &[]);
    let app = TestApp::serve_with(&store, Start::default());
    let id = receipt_number(&app, &applicant(&accept(&[term])));
    assert_eq!(look_up(&app, &id).gives(200).json().get("link"), None);
    drop(app);
    let args = &["--public-url", "https://terms.example.com"];
    let app = TestApp::serve_with(&store, Start { args, ..Start::default() });
    let answer = look_up(&app, &id).header("host", "terms.example.com").gives(200).json();
    let link = &answer["link"];
    assert_eq!(link["url"], json!(format!("https://terms.example.com/receipt#{id}")));
    assert!(link["qr"]["size"].as_i64().is_some_and(|size| size >= 21), "{link}");
    assert!(link["qr"]["path"].as_str().is_some_and(|path| path.starts_with('M')), "{link}");
}
