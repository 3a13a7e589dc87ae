//! Evaluations of riders' work: transitions, discussions, receipts, batches.

mod case_file;
mod model;
mod report;
mod restrictions;
mod reviewing;
mod rules;
mod systems;
mod work;

use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::Engine;
use work::{OWN, WORK, Work, complete, creation, uuid};

on_both!(
    every_row_of_the_table_holds,
    a_repeated_creation_is_the_same_evaluation,
    a_discussion_is_answered_by_another_reviewer,
    receipts_verify_offline_and_the_log_verifies,
    a_batch_judges_each_item,
    a_retry_with_the_same_key_gets_the_same_answer,
    an_erased_rider_leaves_no_evaluation,
    keys_are_never_reviewers,
    two_accounts_of_one_person_do_not_review_each_other,
    a_system_is_in_the_register_once_it_has_any,
);

fn every_row_of_the_table_holds(engine: Engine) {
    let work = Work::start(engine);
    // `+` 200, `-` transition_not_allowed, `h` human_required, `w` outcome_worse, `o` own_decision;
    // the columns are PENDING EVALUATED NO_SHOW IN_DISCUSSION ACCEPTED REJECTED.
    let statuses = ["PENDING", "EVALUATED", "NO_SHOW", "IN_DISCUSSION", "ACCEPTED", "REJECTED"];
    for (from, by_key, by_dispatcher, by_reviewer) in [
        ("PENDING", "-++---", "-++---", "------"),
        ("EVALUATED", "-----h", "-----+", "---+-+"),
        ("NO_SHOW", "-+----", "-+----", "---+--"),
        ("IN_DISCUSSION", "-hh-hh", "------", "-+w-+w"),
        ("ACCEPTED", "------", "------", "---+--"),
        ("REJECTED", "------", "------", "------"),
    ] {
        for (token, expected) in
            [(&work.key, by_key), (&work.dispatcher, by_dispatcher), (&work.reviewer, by_reviewer)]
        {
            for (to, expected) in statuses.iter().zip(expected.chars()) {
                let id = work.evaluation(from);
                let version = work.read(&id)["version"].as_i64().expect("a version");
                let answer = work.to(&id, token, to, version);
                let result = match (answer.status, answer.json()["code"].as_str()) {
                    (200, _) => '+',
                    (409, Some("transition_not_allowed")) => '-',
                    (403, Some("human_required")) => 'h',
                    (403, Some("own_decision")) => 'o',
                    (422, Some("outcome_worse")) => 'w',
                    other => panic!("{from} {to}: {other:?}"),
                };
                assert_eq!(result, expected, "{from} to {to}");
                if result == '-' {
                    let allowed = answer.json()["allowed"].clone();
                    assert!(allowed.as_array().is_some_and(|all| !all.contains(&json!(to))));
                }
            }
        }
    }
}

fn a_repeated_creation_is_the_same_evaluation(engine: Engine) {
    let work = Work::start(engine);
    let id = uuid();
    let created = work.put(&id, &work.key, &creation("r1")).gives_status(201).json();
    assert_eq!((&created["status"], &created["version"]), (&json!("PENDING"), &json!(1)));
    assert_eq!(created["decided_by"], json!({"kind": "service"}));
    work.put(&id, &work.dispatcher, &creation("r1")).gives_status(200);
    let conflict = work.put(&id, &work.key, &creation("r2"));
    conflict.assert_problem(409, "conflict");
    assert_eq!(conflict.json()["evaluation"]["id"], id);
    work.put(&uuid(), &work.key, &creation("nobody")).assert_problem(422, "unknown_user");
    let mut body = creation("r1");
    body["system"] = Value::Null;
    work.put(&uuid(), &work.key, &body).assert_problem(422, "system_required");
    body["subject"]["market"] = json!("XX");
    work.put(&uuid(), &work.dispatcher, &body).assert_problem(422, "unknown_market");
    let mut body = creation("r1");
    body["subject"]["ends_at"] = json!("2026-11-20T16:00:00Z");
    work.put(&uuid(), &work.dispatcher, &body).assert_problem(422, "invalid_request");
    work.put("17", &work.dispatcher, &creation("r1")).assert_problem(400, "invalid_parameter");
    let operator = work.app.store().token("o1");
    work.put(&uuid(), &operator, &creation("r1")).assert_problem(403, "permission_denied");
    work.app.get(&format!("{WORK}/{}", uuid())).token(&operator).refused(404, "not_found");
    // The shape is checked before the session.
    let request = work.app.request("PUT", &format!("{WORK}/{}", uuid()));
    request.clone().json(&json!({"user_id": 7})).refused(422, "invalid_request");
    request.json(&creation("r1")).refused(401, "unauthenticated");
}

fn a_discussion_is_answered_by_another_reviewer(engine: Engine) {
    let work = Work::start(engine);
    let id = work.evaluation("EVALUATED");
    let short = json!({"version": 2, "message": " too short "});
    work.rider_post(&id, "discussion", &short).assert_problem(422, "message_too_short");
    let other = work.app.post(&format!("{OWN}/{id}/discussion")).token(&work.other_rider);
    other.json(&json!({"version": 2, "message": "x".repeat(10)})).refused(403, "permission_denied");
    let stale = work.contest(&id, 1);
    stale.assert_problem(409, "conflict");
    assert_eq!(stale.json()["evaluation"]["version"], 2);
    let opened = work.contest(&id, 2).gives_status(200).json();
    assert_eq!(opened["discussion"]["opened_by"], "rider");
    assert_eq!(opened["discussion"]["round"], 1);
    assert!(opened["answer_due"].is_string());
    let say = |token: &str, text: &str| {
        let request = work.app.post(&format!("{WORK}/{id}/messages")).token(token);
        request.json(&json!({"message": text})).send()
    };
    say(&work.reviewer, "We are asking the restaurant.").gives_status(200);
    say(&work.dispatcher, "I may not").assert_problem(403, "permission_denied");
    work.rider_post(&id, "discussion/messages", &json!({"message": "Thank you"})).gives_status(200);
    let mut answer = complete("NO_SHOW", 3);
    work.transition(&id, &work.reviewer, &answer).assert_problem(422, "outcome_worse");
    answer["to"] = json!("ACCEPTED");
    answer["message"] = json!("short");
    work.transition(&id, &work.reviewer, &answer).assert_problem(422, "message_too_short");
    // The dispatcher's colleague with both rights, who evaluated it, may not answer.
    let both = work.app.store();
    both.add_user("b1", &["dispatcher", "reviewer"]);
    let both = both.token("b1");
    let own = uuid();
    work.put(&own, &both, &creation("r1")).gives_status(201);
    work.to(&own, &work.dispatcher, "EVALUATED", 1).gives_status(200);
    work.contest(&own, 2).gives_status(200);
    work.to(&own, &both, "ACCEPTED", 3).assert_problem(403, "own_decision");

    let answered = work.to(&id, &work.reviewer, "ACCEPTED", 3).gives_status(200).json();
    assert_eq!(answered["decided_by"], json!({"kind": "human", "role": "reviewer"}));
    let read = work.app.get(&format!("{OWN}/{id}")).token(&work.rider).gives(200).json();
    assert_eq!(read["history"].as_array().map(Vec::len), Some(4));
    assert!(!read.to_string().contains("v1"), "no colleague is named: {read}");
    assert_eq!(work.read(&id)["history"][3]["by"]["user_id"], "v1");
    work.contest(&id, 4).gives_status(200);
    let last = work.to(&id, &work.second_reviewer, "ACCEPTED", 5).gives_status(200).json();
    assert_eq!(
        (&last["finalised_at"], &last["contest_until"]),
        (&last["decided_at"], &Value::Null)
    );
    work.contest(&id, 6).assert_problem(409, "rounds_exhausted");
    work.to(&id, &work.reviewer, "IN_DISCUSSION", 6).assert_problem(409, "evaluation_final");
}

fn receipts_verify_offline_and_the_log_verifies(engine: Engine) {
    let work = Work::start(engine);
    let id = work.evaluation("IN_DISCUSSION");
    work.rider_post(&id, "discussion/messages", &json!({"message": "One more"})).gives_status(200);
    let list = work.app.get(&format!("{OWN}/{id}/receipts")).token(&work.rider).gives(200);
    let items = list.json()["items"].as_array().cloned().expect("receipts");
    assert_eq!(items.len(), 4, "three versions and a message");
    assert!(!items[2]["entry"].as_str().expect("an entry").contains("restaurant"));
    let store = work.app.store();
    let keys = store.file("keys.txt", &work.app.get("/log/keys").gives(200).body);
    let file = store.file("receipts.json", &list.body);
    let verify = |file: &str, more: &[&str]| {
        let args = [&["receipt", "verify", file, "--key", &keys], more].concat();
        store.command(&args)
    };
    let output = verify(&file, &["--user", "r1"]).expect_success();
    assert!(output.contains("was made by the rider"), "{output}");
    verify(&file, &["--user", "r2"]).failed(1, "another person");
    let mut forged = items[1].clone();
    forged["record"]["reasons"][0]["text"]["en"] = json!("Never came");
    let forged = store.file("forged.json", forged.to_string().as_bytes());
    verify(&forged, &[]).failed(1, "not the one that was logged");
    let data = work.app.get("/api/session/v1/me/data").token(&work.rider).gives(200).json();
    assert_eq!(data["evaluation_receipts"].as_array().map(Vec::len), Some(4));
    drop(work);
    store.command(&["log", "verify"]).expect_success();
    store.tamper("UPDATE evaluations SET state = replace(state, 'restaurant', 'hotel')");
    let verified = store.command(&["log", "verify"]);
    assert_eq!(verified.code, Some(1), "{verified:?}");
    assert!(verified.stdout.contains("differs from its record"), "{verified:?}");
}

fn a_batch_judges_each_item(engine: Engine) {
    let work = Work::start(engine);
    let (first, second) = (uuid(), uuid());
    let with = |mut body: Value, id: &str| {
        body["id"] = json!(id);
        body
    };
    let items = json!([
        with(creation("r1"), &first),
        with(complete("EVALUATED", 1), &first),
        with(complete("EVALUATED", 1), &first),
        with(creation("nobody"), &second),
        with(complete("EVALUATED", 1), &second),
        with(complete("REJECTED", 2), &first),
        {"id": "17"},
        with(json!({"to": "NO_SHOW"}), &second),
        {"to": "NO_SHOW"},
    ]);
    let send = |key: &str| {
        let request = work.app.post(&format!("{WORK}/batch")).token(&work.key).key(key);
        request.json(&json!({"items": items})).gives(200)
    };
    let answer = send("one").json();
    let results: Vec<(u64, &str)> = answer["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| {
            (item["status"].as_u64().expect("a status"), item["code"].as_str().unwrap_or(""))
        })
        .collect();
    let expected = [
        (201, ""),
        (200, ""),
        (409, "conflict"),
        (422, "unknown_user"),
        (404, "not_found"),
        (403, "human_required"),
        (400, "invalid_parameter"),
        (422, "invalid_request"),
        (422, "invalid_request"),
    ];
    assert_eq!(results, expected);
    let again = send("one");
    assert_eq!((again.header("idempotency-replayed"), again.json()), ("true", answer));
    let empty = work.app.post(&format!("{WORK}/batch")).token(&work.key);
    empty.json(&json!({"items": []})).refused(422, "invalid_request");
    let reviewer = work.app.post(&format!("{WORK}/batch")).token(&work.reviewer);
    reviewer.json(&json!({"items": items})).refused(403, "permission_denied");
}

fn a_retry_with_the_same_key_gets_the_same_answer(engine: Engine) {
    let work = Work::start(engine);
    let id = work.evaluation("EVALUATED");
    let body = json!({"version": 2, "message": "I was there at six."});
    let send = |body: &Value| {
        let request = work.app.post(&format!("{OWN}/{id}/discussion")).token(&work.rider);
        request.key("contest-1").json(body).send()
    };
    let first = send(&body).gives_status(200);
    let second = send(&body).gives_status(200);
    assert_eq!(first.body, second.body);
    assert_eq!(second.header("idempotency-replayed"), "true");
    let other = json!({"version": 2, "message": "Another message."});
    send(&other).assert_problem(422, "idempotency_key_reused");
    assert_eq!(work.read(&id)["version"], 3);
}

fn an_erased_rider_leaves_no_evaluation(engine: Engine) {
    let work = Work::start(engine);
    let id = work.evaluation("IN_DISCUSSION");
    let fresh = work.app.store();
    drop(work);
    fresh.command(&["user", "erase", "--id", "r1"]).expect_success();
    let app = TestApp::serve_with(&fresh, Start::default());
    app.get(&format!("{WORK}/{id}")).token(&fresh.token("a1")).refused(404, "not_found");
    fresh.command(&["log", "verify"]).expect_success();
}

fn keys_are_never_reviewers(engine: Engine) {
    let work = Work::start(engine);
    for role in ["reviewer", "representative"] {
        let args = ["service-key", "create", "--name", "k", "--role", role];
        work.app.store().command(&args).failed(2, "human_role");
        let request = work.app.post(&format!("{ADMIN}/service-keys")).token(&work.admin);
        let body = json!({"name": "k", "roles": [role]});
        request.json(&body).refused(422, "human_role");
    }
}

fn two_accounts_of_one_person_do_not_review_each_other(engine: Engine) {
    let work = Work::start(engine);
    let body =
        json!({"user_id": "second", "roles": ["reviewer"], "email": "second@larkspur.example"});
    work.app.post(&format!("{ADMIN}/people")).token(&work.admin).json(&body).gives(201);
    let second = work.app.store().token("second");
    let id = uuid();
    work.put(&id, &work.admin, &creation("r1")).gives_status(201);
    work.to(&id, &work.admin, "EVALUATED", 1).gives_status(200);
    work.contest(&id, 2).gives_status(200);
    work.to(&id, &second, "ACCEPTED", 3).assert_problem(403, "own_decision");
    work.to(&id, &work.reviewer, "ACCEPTED", 3).gives_status(200);
    // The admin who made the account may not review its decisions either.
    let id = work.evaluation("EVALUATED");
    work.to(&id, &second, "IN_DISCUSSION", 2).gives_status(200);
    work.to(&id, &work.admin, "ACCEPTED", 3).assert_problem(403, "own_decision");
}

fn a_system_is_in_the_register_once_it_has_any(engine: Engine) {
    let work = Work::start(engine);
    let before = work.evaluation("PENDING");
    let system = json!({
        "name": "Roster", "purpose": "Plans shifts.", "kind": "monitoring", "locale": "en",
        "markets": [], "data": [], "parameters": [], "decisions": [],
        "contact": {"name": "Rider support", "email": "riders@larkspur.example"},
    });
    let path = format!("{ADMIN}/automated-systems/shift-planner");
    work.app.request("PUT", &path).token(&work.admin).json(&system).gives(201);
    work.put(&uuid(), &work.key, &creation("r1")).gives_status(201);
    let publish = work.app.post(&format!("{path}/publish")).token(&work.admin);
    publish.json(&json!({"effective_from": "2026-01-01T00:00:00Z"})).gives(201);
    work.put(&uuid(), &work.key, &creation("r1")).assert_problem(422, "unknown_system");
    work.to(&before, &work.key, "EVALUATED", 1).assert_problem(422, "unknown_system");
    let mut body = creation("r1");
    body["system"]["name"] = json!("shift-planner");
    work.put(&uuid(), &work.key, &body).gives_status(201);
    body["id"] = json!(uuid());
    let mut other = creation("r1");
    other["id"] = json!(uuid());
    let batch = work.app.post(&format!("{WORK}/batch")).token(&work.key);
    let items = batch.json(&json!({"items": [body, other]})).gives(200).json()["items"].clone();
    assert_eq!((&items[0]["status"], &items[1]["code"]), (&json!(201), &json!("unknown_system")));
}
