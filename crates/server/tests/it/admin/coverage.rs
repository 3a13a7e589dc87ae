//! Coverage: how many riders have accepted a term, and the list of riders who have not.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ADMIN, Console};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, V3, entry, rider};

on_both!(
    counts_each_rider_once,
    a_minor_version_inherits_acceptances,
    lists_the_riders_who_have_not_decided,
    lists_who_declined_and_who_withdrew_apart,
    adds_up_every_breakdown_of_a_minor_version,
    counts_riders_from_shown_to_accepted,
    reports_coverage_as_of_an_earlier_time,
    counts_by_the_days_of_the_requested_time_zone,
    reports_no_missing_riders_for_a_superseded_version,
);

fn coverage(console: &Console, term: i64) -> Value {
    let path = format!("{ADMIN}/terms/{term}/coverage");
    console.app.get(&path).token(&console.operator).gives(200).json()
}

/// Checks that the riders and every breakdown add up to the totals.
#[track_caller]
pub fn adds_up(counted: &Value) {
    let number =
        |of: &Value, name: &str| of[name].as_i64().unwrap_or_else(|| panic!("{name}: {of}"));
    let total = |name: &str| number(counted, name);
    let riders = ["accepted", "declined", "withdrawn", "pending"];
    let riders: i64 = riders.iter().map(|name| total(&format!("riders_{name}"))).sum();
    assert_eq!(total("riders"), riders, "{counted}");
    for breakdown in ["by_language", "by_day"] {
        let rows = counted[breakdown].as_array().expect("rows");
        for name in [
            "accepted",
            "refused",
            "withdrawn",
            "riders_accepted",
            "riders_declined",
            "riders_withdrawn",
        ] {
            let sum: i64 = rows.iter().map(|row| number(row, name)).sum();
            assert_eq!(sum, total(name), "{breakdown}, {name}: {counted}");
        }
    }
    for (all, part) in
        [("accepted", "accepted"), ("refused", "declined"), ("withdrawn", "withdrawn")]
    {
        let others = number(&counted["others"], part);
        assert_eq!(total(all), total(&format!("riders_{part}")) + others, "{part}: {counted}");
    }
    let funnel = |name: &str| number(&counted["funnel"], name);
    let parts = ["accepted", "declined", "withdrawn", "undecided"];
    let parts: i64 = parts.iter().map(|name| funnel(name)).sum();
    assert_eq!(funnel("shown"), parts, "{counted}");
}

/// Returns all riders of a list.
#[track_caller]
pub fn listed(app: &TestApp, token: &str, term: i64, decision: &str) -> Vec<String> {
    let path = format!("{ADMIN}/terms/{term}/missing?limit=200&decision={decision}");
    let page = app.get(&path).token(token).gives(200).json();
    assert!(page.get("next_cursor").is_none(), "{page}");
    let items = page["items"].as_array().expect("items").iter();
    items.map(|item| item["user_id"].as_str().expect("an id").to_owned()).collect()
}

fn decide(console: &Console, user: &str, term: i64, accepted: bool) {
    let token = console.app.token(user);
    let body = rider(user, &[entry(term, accepted)]);
    console.app.post(SUBMIT).token(&token).json(&body).gives(201);
}

fn counts_each_rider_once(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2").with_rider("r3").with_rider("r4");
    let term = store.term("MARKETING", &[]);
    let console = Console::serve(store);
    decide(&console, "r1", term, true);
    decide(&console, "r2", term, false);
    decide(&console, "r3", term, true);
    decide(&console, "r3", term, false);
    decide(&console, "r3", term, true);
    decide(&console, "r4", term, true);
    decide(&console, "r4", term, false);
    let applicant =
        json!({"user_id": "", "user_type": "APPLICANT", "consents": [entry(term, true)]});
    console.app.post(SUBMIT).json(&applicant).gives(201);
    let counted = coverage(&console, term);
    for (name, number) in [
        ("accepted", 3),
        ("refused", 1),
        ("withdrawn", 1),
        ("riders", 4),
        ("riders_outstanding", 2),
        ("riders_accepted", 2),
        ("riders_declined", 1),
        ("riders_withdrawn", 1),
        ("riders_pending", 0),
    ] {
        assert_eq!(counted[name], number, "{name}: {counted}");
    }
    adds_up(&counted);
    assert_eq!(counted["others"], json!({"accepted": 1, "declined": 0, "withdrawn": 0}));
    let languages = json!([{
        "locale": "en", "accepted": 3, "refused": 1, "withdrawn": 1,
        "riders_accepted": 2, "riders_declined": 1, "riders_withdrawn": 1
    }]);
    assert_eq!(counted["by_language"], languages);
    assert_eq!(counted["by_day"].as_array().map(Vec::len), Some(1), "{counted}");
}

fn lists_who_declined_and_who_withdrew_apart(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2").with_rider("r3").with_rider("r4");
    let term = store.term("MARKETING", &[]);
    let console = Console::serve(store);
    decide(&console, "r2", term, true);
    decide(&console, "r3", term, false);
    decide(&console, "r4", term, true);
    decide(&console, "r4", term, false);
    let list = |decision: &str| listed(&console.app, &console.operator, term, decision);
    assert_eq!(list("pending"), ["r1"]);
    assert_eq!(list("declined"), ["r3"]);
    assert_eq!(list("withdrawn"), ["r4"]);
    for decision in ["accepted", "refused"] {
        let path = format!("{ADMIN}/terms/{term}/missing?decision={decision}");
        console.app.get(&path).token(&console.operator).refused(400, "invalid_parameter");
    }
    // Riders no longer have to decide on a replaced version, but its decisions remain.
    let replaces = term.to_string();
    console.app.term("MARKETING", &["--replaces", &replaces]);
    assert_eq!(list("pending"), [""; 0]);
    assert_eq!(list("withdrawn"), ["r4"]);
    adds_up(&coverage(&console, term));
}

/// The decisions on the version before it are decisions on a minor version, in their language.
fn adds_up_every_breakdown_of_a_minor_version(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2").with_rider("r3").with_rider("r4");
    let german = format!("de={}", store.pdf("German"));
    let first = store.publish("MARKETING", "News", &["--variant", &german]);
    let first = first["id"].as_i64().expect("an id");
    let console = Console::serve(store);
    decide(&console, "r1", first, true);
    decide(&console, "r2", first, true);
    decide(&console, "r3", first, false);
    let replaces = first.to_string();
    let minor = console.app.term("MARKETING", &["--replaces", &replaces, "--minor"]);
    decide(&console, "r2", minor, false);
    let counted = coverage(&console, minor);
    adds_up(&counted);
    let numbers = ["riders_accepted", "riders_declined", "riders_withdrawn", "riders_pending"]
        .map(|name| counted[name].clone());
    assert_eq!(numbers, [json!(1), json!(1), json!(1), json!(1)], "{counted}");
    assert_eq!(listed(&console.app, &console.operator, minor, "pending"), ["r4"]);
    assert_eq!(listed(&console.app, &console.operator, minor, "withdrawn"), ["r2"]);
    adds_up(&coverage(&console, first));
}

fn reports_coverage_as_of_an_earlier_time(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    let now = || {
        #[expect(
            clippy::disallowed_methods,
            reason = "the real time, as the server under test has it"
        )]
        let at = jiff::Timestamp::now();
        // Timestamps have millisecond resolution, and two of them must differ.
        std::thread::sleep(Duration::from_millis(5));
        format!("{at:.3}")
    };
    let as_of = |at: &str| {
        let path = |of: &str| format!("{ADMIN}/terms/{term}/{of}?as_of={at}");
        let get = |of| console.app.get(&path(of)).token(&console.operator).gives(200).json();
        let counted = get("coverage");
        let missing = get("missing");
        let missing = missing["items"].as_array().expect("items").iter();
        let missing: Vec<String> =
            missing.map(|item| item["user_id"].as_str().expect("an id").to_owned()).collect();
        let number = |name: &str| counted[name].as_i64().expect("a number");
        let days = counted["by_day"].as_array().map_or(0, Vec::len);
        (
            number("riders_accepted"),
            number("riders_outstanding"),
            number("withdrawn"),
            days,
            missing,
        )
    };
    let before = now();
    decide(&console, "r1", term, true);
    let first = now();
    decide(&console, "r2", term, true);
    let applicant =
        json!({"user_id": "", "user_type": "APPLICANT", "consents": [entry(term, true)]});
    console.app.post(SUBMIT).json(&applicant).gives(201);
    let second = now();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(as_of(&before), (0, 2, 0, 0, names(&["r1", "r2"])));
    assert_eq!(as_of(&first), (1, 1, 0, 1, names(&["r2"])));
    assert_eq!(as_of(&second), (2, 0, 0, 1, names(&[])));
    let long_ago = as_of("2020-01-01T00:00:00Z");
    assert_eq!(long_ago, (0, 0, 0, 0, names(&[])), "there were no riders yet");
    for (of, bad) in [("coverage", "2100-01-01T00:00:00Z"), ("missing", "yesterday")] {
        let path = format!("{ADMIN}/terms/{term}/{of}?as_of={bad}");
        let request = console.app.get(&path).token(&console.operator);
        request.refused(400, "invalid_parameter");
    }

    // The newer version replaces it. Coverage as of an earlier time still treats the old version as
    // requested.
    let replaces = term.to_string();
    console.app.term("FREELANCER", &["--mandatory", "--replaces", &replaces]);
    assert_eq!(as_of(&first), (1, 1, 0, 1, names(&["r2"])));
}

fn counts_by_the_days_of_the_requested_time_zone(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    decide(&console, "r1", term, true);
    let path = |zone: &str| format!("{ADMIN}/terms/{term}/coverage?timezone={zone}");
    let day_in = |zone: &str| {
        let counted = console.app.get(&path(zone)).token(&console.operator).gives(200).json();
        adds_up(&counted);
        counted["by_day"][0]["day"].as_str().expect("a day").to_owned()
    };
    // 26 hours apart, so their days differ at any time.
    assert!(day_in("Pacific/Kiritimati") > day_in("Etc/GMT%2B12"));
    let request = console.app.get(&path("Europe/Merrow")).token(&console.operator);
    request.refused(400, "invalid_parameter");
}

fn reports_no_missing_riders_for_a_superseded_version(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2");
    let first = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    decide(&console, "r1", first, true);
    let missing = || {
        let path = format!("{ADMIN}/terms/{first}/missing");
        let page = console.app.get(&path).token(&console.operator).gives(200).json();
        page["items"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((missing(), &coverage(&console, first)["riders_outstanding"]), (1, &json!(1)));
    let replaces = first.to_string();
    console.app.term("FREELANCER", &["--mandatory", "--replaces", &replaces]);
    let counted = coverage(&console, first);
    assert_eq!((missing(), &counted["riders_outstanding"]), (0, &json!(0)));
    // The riders who decided on it. The others no longer have to.
    assert_eq!((&counted["riders"], &counted["riders_accepted"]), (&json!(1), &json!(1)));
    adds_up(&counted);
}

fn a_minor_version_inherits_acceptances(engine: Engine) {
    let store = TestStore::new(engine);
    let first = store.term("FREELANCER", &["--mandatory"]);
    let console = Console::serve(store);
    decide(&console, "r1", first, true);
    let replaces = first.to_string();
    let minor =
        console.app.term("FREELANCER", &["--mandatory", "--replaces", &replaces, "--minor"]);
    assert_eq!(coverage(&console, minor)["riders_outstanding"], 0);
    let replaces = minor.to_string();
    let material = console.app.term("FREELANCER", &["--mandatory", "--replaces", &replaces]);
    assert_eq!(coverage(&console, material)["riders_outstanding"], 1);
}

fn lists_the_riders_who_have_not_decided(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2").with_rider("r3");
    let term = store.term("MARKETING", &[]);
    let console = Console::serve(store);
    decide(&console, "r2", term, true);
    let page = |query: &str| {
        let path = format!("{ADMIN}/terms/{term}/missing{query}");
        console.app.get(&path).token(&console.operator).gives(200).json()
    };
    let ids = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().expect("items").iter();
        items.map(|item| item["user_id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids(&page("")), ["r1", "r3"]);
    let first = page("?limit=1");
    assert_eq!(ids(&first), ["r1"]);
    assert_eq!(ids(&page("?q=R3")), ["r3"]);
    assert_eq!(ids(&page("?q=3")), [""; 0]);
    let cursor = first["next_cursor"].as_str().expect("a next page");
    let second = page(&format!("?limit=1&cursor={cursor}"));
    assert_eq!(ids(&second), ["r3"]);
    assert!(second.get("next_cursor").is_none(), "{second}");
    for bad in ["?limit=0", "?limit=201", "?limit=x", "?cursor=%20"] {
        let path = format!("{ADMIN}/terms/{term}/missing{bad}");
        console.app.get(&path).token(&console.operator).refused(400, "invalid_parameter");
    }
    let nowhere = format!("{ADMIN}/terms/999/missing");
    console.app.get(&nowhere).token(&console.operator).refused(404, "not_found");
}

fn counts_riders_from_shown_to_accepted(engine: Engine) {
    let mut store = TestStore::new(engine);
    for id in ["r2", "r3", "r4", "r5", "r6"] {
        store = store.with_rider(id);
    }
    let term = store.publish("FREELANCER", "A text", &[]);
    let (id, sha256) = (term["id"].as_i64().expect("an id"), term["sha256"].clone());
    let console = Console::serve(store);
    let show = |token: &str| {
        let path = format!("{V3}/terms?types=FREELANCER");
        console.app.get(&path).token(token).gives(200);
    };
    let manifest = format!("/documents/{}/manifest.json", sha256.as_str().expect("a hash"));
    // These riders accepted before they saw the term again, so they are no longer asked.
    decide(&console, "r5", id, true);
    std::thread::sleep(Duration::from_millis(5));
    for user in ["r2", "r3", "r4", "r5", "r6"] {
        show(&console.app.token(user));
    }
    // An operator who opens the document does not count as a rider.
    show(&console.operator);
    let cookie = format!("dhh_token={}", console.app.token("r2"));
    console.app.get(&manifest).header("cookie", &cookie).gives(200);
    console.app.get(&manifest).token(&console.app.token("r3")).gives(200);
    console.app.get(&manifest).gives(200);
    console.app.get(&manifest).token("nonsense").gives(200);
    decide(&console, "r2", id, true);
    decide(&console, "r4", id, true);
    decide(&console, "r6", id, true);
    decide(&console, "r6", id, false);
    console.app.wait_for_task("flush_views");
    let counted = coverage(&console, id);
    let funnel = json!({
        "shown": 4, "opened": 2, "decided": 3, "accepted": 2, "declined": 0, "withdrawn": 1,
        "undecided": 1, "accepted_unopened": 1
    });
    assert_eq!(counted["funnel"], funnel, "{counted}");
}
