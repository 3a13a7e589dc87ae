//! A viewer, and a program with that role, may read everything but no person's name, e-mail address
//! or phone number.

use serde_json::json;

use super::operations;
use crate::admin::{ADMIN, Console};
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3, accept, applicant, rider};

on_both!(responses_to_a_viewer_contain_no_personal_data);

/// Values that a person types, shows or is called. No other name in this test contains them.
const SECRETS: [&str; 9] = [
    "Ngozi",
    "Zaphira",
    "Quillon",
    "zq-private",
    "15155500",
    "Fairphone",
    "Zeppelin",
    "zq-mobile",
    "Bulkhead",
];

/// Starts a server with a person who has records of every kind.
fn with_all_records(engine: Engine) -> (Console, i64, Vec<String>) {
    let store = TestStore::new(engine);
    let add = ["user", "add", "--id", "r1", "--name", "Ngozi Fictional", "--email"];
    let rest = ["zq-private@larkspur.example", "--phone", "+4915155500100", "--market", "DE-BE"];
    store.command(&[&add[..], &rest[..]].concat()).expect_success();
    let legal = ["user", "add", "--id", "l1", "--role", "legal", "--name", "Zaphira Fictional"];
    store
        .command(&[&legal[..], &["--email", "zq-private-2@larkspur.example"]].concat())
        .expect_success();
    for (id, role) in [("v1", "viewer"), ("x1", "product"), ("v2", "viewer@DE")] {
        store.add_user(id, &[role]);
    }
    let term = store.term("FREELANCER", &["--mandatory"]);
    store.import("production", &crate::flags::fixture::everything());
    let console = Console::serve(store);
    let app = &console.app;
    app.post(SUBMIT).token(&app.token("r1")).json(&rider("r1", &accept(&[term]))).gives(201);
    let applied = app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201).json();
    let claim = json!({"receipt": applied["receipt"]});
    app.post(CLAIM).token(&app.token("r1")).json(&claim).gives(201);
    // Identifiers typed at a sign-in, and the device.
    for identifier in
        ["zq-private@larkspur.example", "zq-mobile@larkspur.example", "+4915155500100"]
    {
        app.post("/api/session/v1/codes").json(&json!({"identifier": identifier})).send();
        let tried = json!({"identifier": identifier, "code": "123456"});
        let agent = "Mozilla/5.0 (Linux; Android 14; Fairphone Zeppelin)";
        app.post("/api/session/v1/tokens").header("user-agent", agent).json(&tried).send();
    }
    let password =
        json!({"email": "zq-private-2@larkspur.example", "password": "Bulkhead-Bulkhead"});
    app.post("/api/session/v1/console/tokens").json(&password).send();
    // Colleagues who add, change, import and sign people out, write drafts and approve.
    let file = "id,name,email,phone,market\nr2,Quillon Fictional,zq-private-3@larkspur.example,+4915155500200,DE\n";
    let send = app.post(&format!("{ADMIN}/people/import")).token(&console.admin);
    send.body("text/csv", file.as_bytes()).gives(200);
    let legal = app.token("l1");
    let draft = json!({"type": "FREELANCER", "market": "DE",
        "variants": [{"locale": "en", "title": "Rules"}]});
    let draft = app.post(&format!("{ADMIN}/term-drafts")).token(&legal).json(&draft).gives(201);
    let draft = draft.json()["id"].as_str().expect("an id").to_owned();
    app.request("PUT", &format!("{ADMIN}/people/r1/market"))
        .token(&console.operator)
        .json(&json!({"market": "DE"}))
        .gives(200);
    app.request("DELETE", &format!("{ADMIN}/people/r1/sessions")).token(&console.operator).send();
    app.get(&format!("{ADMIN}/people/r1/data")).token(&console.operator).gives(200);
    app.get(&format!("{ADMIN}/consents/export?user=r1")).token(&legal).gives(200);
    let key = app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
    let key = key.json(&json!({"name": "bi", "roles": ["viewer"]})).gives(201).json();
    let key = key["key"].as_str().expect("a key").to_owned();
    let tokens = ["v1", "x1", "v2"].map(|user| app.token(user));
    let mut tokens = tokens.to_vec();
    tokens.extend([key, draft]);
    (console, term, tokens)
}

fn responses_to_a_viewer_contain_no_personal_data(engine: Engine) {
    let (console, term, mut tokens) = with_all_records(engine);
    let app = &console.app;
    let draft = tokens.pop().expect("a draft");
    let people = app.get(&format!("{ADMIN}/people")).token(&console.admin).gives(200).json();
    for secret in &SECRETS[..5] {
        assert!(people.to_string().contains(secret), "{secret} is missing for an admin: {people}");
    }
    let mut read = 0;
    for operation in operations(app).iter().filter(|operation| operation.method == "GET") {
        let id =
            if operation.path.contains("term-drafts") { draft.clone() } else { term.to_string() };
        let path = operation.path.replace("{id}", &id).replace("{version}", "1");
        let path = path.replace("{environment}", "production").replace("{key}", "greeting");
        for user in ["r1", "r2", "l1"] {
            let path = path.replace("{userId}", user);
            if path.contains('{') {
                continue;
            }
            for query in ["", "?q=Ngozi", "?q=zq-private", "?q=%2B49151", "?user=r1", "?role=legal"]
            {
                for token in &tokens {
                    let answer = app.get(&format!("{path}{query}")).token(token).send();
                    let text = String::from_utf8_lossy(&answer.body).into_owned();
                    for secret in SECRETS {
                        assert!(!text.contains(secret), "{path}{query}: {secret} in {text}");
                    }
                    read += usize::from(answer.status == 200);
                }
                if !path.contains("{userId}") && user != "r1" {
                    break;
                }
            }
        }
    }
    assert!(read > 200, "{read}");
    let history = app.get(&format!("{V3}/terms/r1/history")).token(&tokens[0]);
    history.refused(403, "permission_denied");
    for what in ["consents", "outstanding"] {
        let answer = app.get(&format!("{V3}/terms/r1/{what}")).token(&tokens[0]).gives(200);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        // The ids that a viewer reads about a person do not open a receipt either.
        for id in text.split('"').filter(|text| [32, 44].contains(&text.len())) {
            for path in [format!("/receipts/{id}.json"), format!("{ADMIN}/receipts/{id}.json")] {
                let status = app.get(&path).token(&tokens[0]).send().status;
                assert!([403, 404].contains(&status), "{path}: {status}");
            }
        }
    }
}
