//! Receipts, the log, the person's data, and erasure.

use serde_json::json;

use super::super::work::Work;
use super::fixture::{LIMITS, OWN_LIMITS, content};
use crate::app::{Start, TestApp};
use crate::store::Engine;

on_both!(
    receipts_of_restrictions_verify_offline,
    the_log_verifies_each_stored_restriction,
    a_proposal_is_in_the_persons_data_once_it_is_decided,
    an_erased_rider_leaves_no_restriction,
);

fn receipts_of_restrictions_verify_offline(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("suspension");
    work.review(&id).gives_status(201);
    work.lift(&id, &work.reviewer).gives_status(200);
    let list = work.app.get(&format!("{OWN_LIMITS}/{id}/receipts")).token(&work.rider).gives(200);
    let items = list.json()["items"].as_array().cloned().expect("receipts");
    assert_eq!(items.len(), 3);
    let entry = items[0]["entry"].as_str().expect("an entry");
    assert!(entry.contains("restriction.transition") && !entry.contains("orders"), "{entry}");
    assert!(!items.iter().any(|item| item["record"].to_string().contains("\"v1\"")));
    let store = work.app.store();
    let keys = store.file("keys.txt", &work.app.get("/log/keys").gives(200).body);
    let file = store.file("receipts.json", &list.body);
    let verify = |file: &str, user: &str| {
        store.command(&["receipt", "verify", file, "--key", &keys, "--user", user])
    };
    let output = verify(&file, "r1").expect_success();
    assert!(output.contains("was made by a person of the company"), "{output}");
    assert!(output.contains("from IMPOSED to LIFTED"), "{output}");
    verify(&file, "r2").failed(1, "another person");
    let mut forged = items[0].clone();
    forged["record"]["reasons"][0]["text"]["en"] = json!("Ten orders were not delivered");
    let forged = store.file("forged.json", forged.to_string().as_bytes());
    verify(&forged, "r1").failed(1, "not the one that was logged");
    let path = format!("{LIMITS}/{id}/receipts");
    assert_eq!(work.app.get(&path).token(&store.token("l1")).gives(200).json(), list.json());
    work.app.get(&path).token(&work.reviewer).refused(403, "permission_denied");
}

fn the_log_verifies_each_stored_restriction(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("suspension");
    work.review(&id).gives_status(201);
    work.answer(&id, &work.second_reviewer, "upheld").gives_status(200);
    let proposed = work.propose(&work.key, &content("limitation")).gives_status(201).json();
    let proposed = proposed["id"].as_str().expect("an id");
    work.decide(proposed, &work.reviewer, &json!({"effect": "impose"})).gives_status(200);
    let store = work.app.store();
    drop(work);
    store.command(&["log", "verify"]).expect_success();
    for (change, undo, message) in [
        (
            "UPDATE restrictions SET state = replace(state, 'not delivered', 'stolen')",
            "UPDATE restrictions SET state = replace(state, 'stolen', 'not delivered')",
            "differs from the last record",
        ),
        (
            "UPDATE restrictions SET ends_at = ends_at + 1 WHERE kind = 'suspension'",
            "UPDATE restrictions SET ends_at = ends_at - 1 WHERE kind = 'suspension'",
            "ends_at differs from the state",
        ),
        (
            "UPDATE restrictions SET status = 'LIFTED' WHERE kind = 'limitation'",
            "UPDATE restrictions SET status = 'IMPOSED' WHERE kind = 'limitation'",
            "status differs from the state",
        ),
        (
            "DELETE FROM restriction_records WHERE version = 3",
            "UPDATE restrictions SET reminded = reminded",
            "without a record",
        ),
    ] {
        store.tamper(change);
        let verified = store.command(&["log", "verify"]);
        assert_eq!(verified.code, Some(1), "{verified:?}");
        assert!(verified.stdout.contains(message), "{message}: {verified:?}");
        store.tamper(undo);
    }
}

fn a_proposal_is_in_the_persons_data_once_it_is_decided(engine: Engine) {
    let work = Work::start(engine);
    let proposed = work.propose(&work.key, &content("suspension")).gives_status(201).json();
    let id = proposed["id"].as_str().expect("an id");
    let data = || work.app.get("/api/session/v1/me/data").token(&work.rider).gives(200).json();
    let before = data();
    assert_eq!(before["restriction_receipts"], json!([]));
    assert!(!before.to_string().contains(id), "an undecided proposal is the company's");
    work.decide(id, &work.reviewer, &json!({"effect": "dismiss"})).gives_status(200);
    let after = data();
    assert_eq!(after["restriction_receipts"].as_array().map(Vec::len), Some(2));
    assert_eq!(after["records"]["restrictions"][0]["id"], id);
    assert_eq!(after["records"]["restriction_records"].as_array().map(Vec::len), Some(2));
    assert!(!after.to_string().contains("\"v1\""), "no colleague is named");
}

fn an_erased_rider_leaves_no_restriction(engine: Engine) {
    let work = Work::start(engine);
    let id = work.imposed("termination");
    work.review(&id).gives_status(201);
    let fresh = work.app.store();
    drop(work);
    fresh.command(&["user", "erase", "--id", "r1"]).expect_success();
    let app = TestApp::serve_with(&fresh, Start::default());
    let admin = fresh.token("a1");
    app.get(&format!("{LIMITS}/{id}")).token(&admin).refused(404, "not_found");
    assert_eq!(app.get(LIMITS).token(&admin).gives(200).json()["items"], json!([]));
    // Erasing a colleague changes no restriction of others.
    drop(app);
    fresh.command(&["log", "verify"]).expect_success();
}
