//! A scheduled version is cancelled, a document retired, and either undone.

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::request::{Answer, Request};
use crate::store::Engine;
use crate::wire::{SUBMIT, V3, applicant, decisions, entry, ids, rider};

on_both!(
    a_cancelled_version_never_appears,
    a_retired_document_is_asked_of_nobody,
    a_retirement_that_is_ahead_is_undone,
    what_cannot_end,
    commands_end_terms,
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

fn is_sound(console: &Console) {
    let said = console.app.command(&["log", "verify"]).done();
    assert!(said.starts_with("verified: "), "{said}");
}

fn audited(console: &Console) -> Vec<(String, String)> {
    let path = format!("{ADMIN}/audit?limit=200");
    let page = console.app.get(&path).token(&console.operator).gives(200).json();
    let text = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
    let items = page["items"].as_array().expect("items").iter().rev();
    let all = items.map(|it| (text(it, "event"), text(it, "detail")));
    all.filter(|(event, _)| event.starts_with("term_") && event != "term_published").collect()
}

fn next(console: &Console, replaces: i64, more: &[&str]) -> i64 {
    let replaces = replaces.to_string();
    console.app.term("FREELANCER", &[&["--mandatory", "--replaces", &replaces], more].concat())
}

fn a_cancelled_version_never_appears(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let second = next(&console, first, &["--effective-from", AHEAD]);
    let answer = call(&console, "POST", second, "cancellation").gives(200).json();
    assert_eq!((&answer["status"], &answer["replaces"]), (&json!("cancelled"), &json!(first)));
    assert!(answer["cancelled_at"].is_string(), "{answer}");
    call(&console, "POST", second, "cancellation").refused(409, "already_cancelled");
    assert_eq!(term(&console, first)["replaced_by"], Value::Null, "free for another version");
    accept(&console, second).refused(422, "unknown_term");

    // Nothing is left of it.
    call(&console, "DELETE", second, "cancellation").gives(200);
    assert_eq!(term(&console, second)["status"], "scheduled");
    call(&console, "DELETE", second, "cancellation").refused(409, "not_cancelled");
    call(&console, "POST", second, "cancellation").gives(200);

    // Another version follows the first, and no rider hears of the cancelled one.
    let third = next(&console, first, &[]);
    let listed = shown(&console);
    assert_eq!(ids(&listed), [third]);
    assert_eq!((&listed[0]["replaces"], &listed[0]["version"]), (&json!(first), &json!(3)));
    let earlier = listed[0]["earlier_versions"].as_array().expect("a list");
    assert_eq!(earlier.iter().map(|it| &it["id"]).collect::<Vec<_>>(), [&json!(first)]);
    assert_eq!(ids(&outstanding(&console)["outstanding"]), [third]);
    call(&console, "DELETE", second, "cancellation").refused(409, "already_replaced");
    let cancelled = format!("{ADMIN}/terms?status=cancelled");
    let cancelled = console.app.get(&cancelled).token(&console.operator).gives(200).json();
    assert_eq!(ids(&cancelled["items"]), [second]);
    let missing = format!("{ADMIN}/terms/{second}/missing");
    let missing = console.app.get(&missing).token(&console.operator).gives(200).json();
    assert_eq!(missing["items"], json!([]));
    is_sound(&console);
    let detail = second.to_string();
    let events = ["term_cancelled", "term_cancellation_undone", "term_cancelled"];
    assert_eq!(audited(&console), events.map(|event| (event.to_owned(), detail.clone())));
}

fn a_retired_document_is_asked_of_nobody(engine: Engine) {
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
    assert_eq!((&counted["riders"], &counted["riders_outstanding"]), (&json!(1), &json!(0)));

    // Whoever had the screen open loads the terms again; to refuse and to withdraw is always possible.
    let refused = accept(&console, second).refused(409, "terms_changed");
    let fault = &refused.json()["errors"][0];
    assert_eq!(fault["pointer"], "/consents/0/terms_and_conditions_id");
    assert_eq!(fault["replaced_by"], Value::Null, "{fault}");
    let withdrawn = [entry(second, false), entry(optional, false)];
    console.app.post(SUBMIT).token(&console.rider).json(&rider("r1", &withdrawn)).gives(201);
    let stranger = applicant(&[entry(other, true)]);
    console.app.post(SUBMIT).json(&stranger).gives(201);
    let kept = format!("{V3}/terms/r1/consents");
    let kept = console.app.get(&kept).token(&console.rider).gives(200).json();
    let stays = [(first, true), (other, true), (optional, false), (second, false)];
    assert_eq!(decisions(&kept), stays);
    is_sound(&console);
}

fn a_retirement_that_is_ahead_is_undone(engine: Engine) {
    let console = Console::start(engine);
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    let at = json!({"at": AHEAD});
    let answer = call(&console, "POST", first, "retirement").json(&at).gives(200).json();
    assert_eq!(answer["status"], "active");
    assert_eq!(answer["retired_at"], "2100-01-01T00:00:00.000Z");
    assert_eq!(ids(&shown(&console)), [first], "until then it is asked for");
    accept(&console, first).gives(201);
    let body = json!({"type": "FREELANCER", "replaces": first});
    let drafts = format!("{ADMIN}/term-drafts");
    let draft = console.app.post(&drafts).token(&console.operator).json(&body).gives(201).json();
    let check = format!("{drafts}/{}/check", draft["id"].as_str().expect("an id"));
    let check = console.app.post(&check).token(&console.operator).gives(200).json();
    let problems = check["problems"].as_array().expect("a list");
    assert!(problems.iter().any(|it| it["code"] == "already_retired"), "{check}");
    let answer = call(&console, "DELETE", first, "retirement").gives(200).json();
    assert_eq!(answer["retired_at"], Value::Null);
    call(&console, "DELETE", first, "retirement").refused(409, "not_retired");
    is_sound(&console);
    let detail = format!("{first} 2100-01-01T00:00:00.000Z");
    let undone = ("term_retirement_undone".to_owned(), first.to_string());
    let drafted = |(event, _): &(String, String)| !event.starts_with("term_draft");
    let events: Vec<_> = audited(&console).into_iter().filter(drafted).collect();
    assert_eq!(events, [("term_retired".to_owned(), detail), undone]);
}

fn what_cannot_end(engine: Engine) {
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
    assert_eq!(audited(&console), []);
}

fn commands_end_terms(engine: Engine) {
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
    run(&["retire", &one, "--at", AHEAD]).done();
    run(&["retire", &one, "--undo"]).done();
    run(&["retire", &one]).done();
    assert_eq!(shown(&console), json!([]));
    is_sound(&console);
    let events: Vec<String> = audited(&console).into_iter().map(|(event, _)| event).collect();
    let (cancelled, retired) = ("term_cancelled", "term_retired");
    let undone = ["term_cancellation_undone", "term_retirement_undone"];
    assert_eq!(events, [cancelled, undone[0], retired, undone[1], retired]);
}
