//! Cancelling a scheduled version, retiring a document, and undoing either.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::request::{Answer, Request};
use crate::store::Engine;
use crate::wire::{SUBMIT, V3, applicant, decisions, entry, ids, rider};

on_both!(
    never_shows_a_cancelled_version,
    no_longer_asks_for_a_retired_document,
    undoes_a_scheduled_retirement,
    refuses_to_end_versions_that_cannot_end,
    ends_terms_by_command,
);

const AHEAD: &str = "2100-01-01T00:00:00Z";

fn call(console: &Console, method: &str, term: i64, ending: &str) -> Request {
    let path = format!("{ADMIN}/terms/{term}/{ending}");
    console.app.request(method, &path).token(&console.operator)
}

fn outstanding(console: &Console) -> Value {
    let path = format!("{V3}/terms/r1/outstanding?types=FREELANCER");
    console.app.get(&path).token(&console.rider).gives(200).json()
}

fn shown(console: &Console) -> Value {
    let path = format!("{V3}/public/terms?types=FREELANCER");
    console.app.get(&path).gives(200).json()
}

fn accept(console: &Console, term: i64) -> Request {
    console.app.post(SUBMIT).token(&console.rider).json(&rider("r1", &[entry(term, true)]))
}

fn term(console: &Console, id: i64) -> Value {
    let path = format!("{ADMIN}/terms/{id}");
    console.app.get(&path).token(&console.operator).gives(200).json()
}

fn assert_log_verifies(console: &Console) {
    let output = console.app.command(&["log", "verify"]).expect_success();
    assert!(output.starts_with("verified: "), "{output}");
}

fn audit_details(console: &Console) -> Vec<(String, String)> {
    let path = format!("{ADMIN}/audit?limit=200");
    let page = console.app.get(&path).token(&console.operator).gives(200).json();
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    let items = page["items"].as_array().expect("items").iter().rev();
    let all = items.map(|item| (text(item, "event"), text(item, "detail")));
    all.filter(|(event, _)| event.starts_with("term_") && event != "term_published").collect()
}

fn next(console: &Console, replaces: i64, more: &[&str]) -> i64 {
    let replaces = replaces.to_string();
    console.app.term("FREELANCER", &[&["--mandatory", "--replaces", &replaces], more].concat())
}

fn never_shows_a_cancelled_version(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let second = next(&console, first, &["--effective-from", AHEAD]);
    let answer = call(&console, "POST", second, "cancellation").gives(200).json();
    assert_eq!((&answer["status"], &answer["replaces"]), (&json!("cancelled"), &json!(first)));
    assert!(answer["cancelled_at"].is_string(), "{answer}");
    call(&console, "POST", second, "cancellation").refused(409, "already_cancelled");
    assert_eq!(term(&console, first)["replaced_by"], Value::Null, "free for another version");
    accept(&console, second).refused(422, "unknown_term");

    // The cancellation leaves no trace of it.
    call(&console, "DELETE", second, "cancellation").gives(200);
    assert_eq!(term(&console, second)["status"], "scheduled");
    call(&console, "DELETE", second, "cancellation").refused(409, "not_cancelled");
    call(&console, "POST", second, "cancellation").gives(200);

    // Another version follows the first one, and riders never see the cancelled version.
    let third = next(&console, first, &[]);
    let listed = shown(&console);
    assert_eq!(ids(&listed), [third]);
    assert_eq!((&listed[0]["replaces"], &listed[0]["version"]), (&json!(first), &json!(3)));
    let earlier = listed[0]["earlier_versions"].as_array().expect("a list");
    assert_eq!(earlier.iter().map(|term| &term["id"]).collect::<Vec<_>>(), [&json!(first)]);
    assert_eq!(ids(&outstanding(&console)["outstanding"]), [third]);
    call(&console, "DELETE", second, "cancellation").refused(409, "already_replaced");
    let cancelled = format!("{ADMIN}/terms?status=cancelled");
    let cancelled = console.app.get(&cancelled).token(&console.operator).gives(200).json();
    assert_eq!(ids(&cancelled["items"]), [second]);
    let missing = format!("{ADMIN}/terms/{second}/missing");
    let missing = console.app.get(&missing).token(&console.operator).gives(200).json();
    assert_eq!(missing["items"], json!([]));
    assert_log_verifies(&console);
    let detail = second.to_string();
    let events = ["term_cancelled", "term_cancellation_undone", "term_cancelled"];
    assert_eq!(audit_details(&console), events.map(|event| (event.to_owned(), detail.clone())));
}

fn no_longer_asks_for_a_retired_document(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let other = console.app.term("FREELANCER", &["--mandatory"]);
    let optional = console.app.term("MARKETING", &[]);
    let both = [entry(first, true), entry(other, true), entry(optional, true)];
    console.app.post(SUBMIT).token(&console.rider).json(&rider("r1", &both)).gives(201);
    let second = next(&console, first, &[]);
    let etag = |answer: &Answer| answer.header("etag").to_owned();
    let before = etag(&console.app.get(&format!("{V3}/public/terms")).gives(200));
    assert_eq!(outstanding(&console)["may_work"], false);

    for id in [second, optional] {
        let answer = call(&console, "POST", id, "retirement").gives(200).json();
        assert_eq!(answer["status"], "retired", "{answer}");
    }
    assert_ne!(etag(&console.app.get(&format!("{V3}/public/terms")).gives(200)), before);
    assert_eq!(ids(&shown(&console)), [other]);
    assert_eq!(outstanding(&console)["may_work"], true);
    call(&console, "DELETE", second, "retirement").refused(409, "already_effective");
    call(&console, "POST", second, "retirement").refused(409, "already_retired");
    assert_eq!(term(&console, first)["status"], "superseded");
    let counted = format!("{ADMIN}/terms/{second}/coverage");
    let counted = console.app.get(&counted).token(&console.operator).gives(200).json();
    assert_eq!((&counted["riders"], &counted["riders_outstanding"]), (&json!(0), &json!(0)));

    // A client with the open screen must load the terms again. Refusing and withdrawing are always
    // possible.
    let refused = accept(&console, second).refused(409, "terms_changed");
    let error = &refused.json()["errors"][0];
    assert_eq!(error["pointer"], "/consents/0/terms_and_conditions_id");
    assert_eq!(error["replaced_by"], Value::Null, "{error}");
    let withdrawn = [entry(second, false), entry(optional, false)];
    console.app.post(SUBMIT).token(&console.rider).json(&rider("r1", &withdrawn)).gives(201);
    let stranger = applicant(&[entry(other, true)]);
    console.app.post(SUBMIT).json(&stranger).gives(201);
    let path = format!("{V3}/terms/r1/consents");
    let consents = console.app.get(&path).token(&console.rider).gives(200).json();
    let stays = [(first, true), (other, true), (optional, false), (second, false)];
    assert_eq!(decisions(&consents), stays);
    assert_log_verifies(&console);
}

fn undoes_a_scheduled_retirement(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let at = json!({"at": AHEAD});
    let answer = call(&console, "POST", first, "retirement").json(&at).gives(200).json();
    assert_eq!(answer["status"], "active");
    assert_eq!(answer["retired_at"], "2100-01-01T00:00:00.000Z");
    assert_eq!(ids(&shown(&console)), [first], "it is requested until then");
    accept(&console, first).gives(201);
    let body = json!({"type": "FREELANCER", "replaces": first});
    let drafts = format!("{ADMIN}/term-drafts");
    let draft = console.app.post(&drafts).token(&console.operator).json(&body).gives(201).json();
    let check = format!("{drafts}/{}/check", draft["id"].as_str().expect("an id"));
    let check = console.app.post(&check).token(&console.operator).gives(200).json();
    let problems = check["problems"].as_array().expect("a list");
    assert!(problems.iter().any(|problem| problem["code"] == "already_retired"), "{check}");
    let answer = call(&console, "DELETE", first, "retirement").gives(200).json();
    assert_eq!(answer["retired_at"], Value::Null);
    call(&console, "DELETE", first, "retirement").refused(409, "not_retired");
    assert_log_verifies(&console);
    let detail = format!("{first} 2100-01-01T00:00:00.000Z");
    let undone = ("term_retirement_undone".to_owned(), first.to_string());
    let drafted = |(event, _): &(String, String)| !event.starts_with("term_draft");
    let events: Vec<_> = audit_details(&console).into_iter().filter(drafted).collect();
    assert_eq!(events, [("term_retired".to_owned(), detail), undone]);
}

fn refuses_to_end_versions_that_cannot_end(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let second = next(&console, first, &["--effective-from", AHEAD]);
    let third = next(&console, second, &["--effective-from", AHEAD]);
    for (method, term, ending, status, code) in [
        ("POST", 99, "cancellation", 404, "not_found"),
        ("POST", first, "cancellation", 409, "already_effective"),
        ("POST", second, "cancellation", 409, "already_replaced"),
        ("DELETE", third, "cancellation", 409, "not_cancelled"),
        ("POST", second, "retirement", 409, "not_in_effect"),
        ("DELETE", first, "retirement", 409, "not_retired"),
    ] {
        call(&console, method, term, ending).refused(status, code);
    }
    for at in ["2000-01-01T00:00:00Z", "tomorrow", "2100-01-01"] {
        let refused = call(&console, "POST", first, "retirement").json(&json!({"at": at}));
        assert_eq!(refused.refused(422, "invalid_instant").pointers(), ["/at"]);
    }
    let path = format!("{ADMIN}/terms/{third}/cancellation");
    console.app.post(&path).refused(401, "unauthenticated");
    console.app.post(&path).token(&console.rider).refused(403, "permission_denied");
    assert_eq!(audit_details(&console), []);
}

fn ends_terms_by_command(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let second = next(&console, first, &["--effective-from", AHEAD]);
    let run = |args: &[&str]| console.app.command(&[&["terms"], args].concat());
    let (one, two) = (first.to_string(), second.to_string());
    let printed = run(&["cancel", &two]).json();
    assert_eq!(printed["id"], second);
    assert!(printed["cancelled_at"].is_string(), "{printed}");
    assert_eq!(term(&console, second)["status"], "cancelled", "it is served when it returns");
    run(&["cancel", &two]).failed(1, "cancelled");
    assert_eq!(run(&["cancel", &two, "--undo"]).json(), json!({"id": second}));
    run(&["retire", &two]).failed(1, "not in effect");
    run(&["retire", &one, "--at", "2000-01-01T00:00:00Z"]).failed(1, "past");
    run(&["retire", &one, "--at", AHEAD]).expect_success();
    run(&["retire", &one, "--undo"]).expect_success();
    run(&["retire", &one]).expect_success();
    assert_eq!(shown(&console), json!([]));
    assert_log_verifies(&console);
    let events: Vec<String> = audit_details(&console).into_iter().map(|(event, _)| event).collect();
    let (cancelled, retired) = ("term_cancelled", "term_retired");
    let undone = ["term_cancellation_undone", "term_retirement_undone"];
    assert_eq!(events, [cancelled, undone[0], retired, undone[1], retired]);
}
