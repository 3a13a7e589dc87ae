//! Openings of notices: recorded once, proved by the log, erased with the person.

use serde_json::{Value, json};

use super::{NOTICE, own};
use crate::admin::{ADMIN, Console};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::wire::{V3, ids, log_entries};

on_both!(
    an_opening_is_recorded_once,
    an_invalid_opening_is_refused,
    an_older_version_stays_listed_for_riders_who_opened_it,
    the_console_counts_whom_a_notice_has_reached,
    an_opening_is_in_the_data_copy_and_the_case_file_and_is_erased,
);

const OPENED: &str = "2026-01-02T03:04:05.678Z";

/// A server with one notice.
struct Opening {
    console: Console,
    notice: i64,
    sha256: String,
}

fn start(engine: Engine) -> Opening {
    let store = TestStore::new(engine).with_rider("r2");
    let term = store.publish("FREELANCER", "Rules of pay", NOTICE);
    let notice = term["id"].as_i64().expect("an id");
    let sha256 = term["sha256"].as_str().expect("a hash").to_owned();
    Opening { console: Console::serve(store), notice, sha256 }
}

impl Opening {
    fn body(&self) -> Value {
        json!({"sha256": self.sha256, "opened_at": OPENED, "locale": "de-AT"})
    }

    fn app(&self) -> &TestApp {
        &self.console.app
    }

    fn post(&self, id: i64) -> Request {
        let path = format!("{V3}/riders/r1/notices/{id}/openings");
        self.app().post(&path).token(&self.console.rider)
    }

    fn admin(&self, path: &str) -> Request {
        self.app().get(&format!("{ADMIN}{path}")).token(&self.console.admin)
    }
}

fn opened_entries(app: &TestApp) -> Vec<Value> {
    let entries = log_entries(app).into_iter();
    entries.filter(|entry| entry["type"] == "notice.opened").collect()
}

fn an_opening_is_recorded_once(engine: Engine) {
    let opening = start(engine);
    let first = opening.post(opening.notice).json(&opening.body()).gives(201).json();
    assert_eq!(first["id"], opening.notice);
    assert_eq!((&first["opened_at"], &first["locale"]), (&json!(OPENED), &json!("de-AT")));
    // The device sends it again, also with another time: the first one stays.
    let mut later = opening.body();
    later["opened_at"] = json!("2026-01-03T00:00:00Z");
    assert_eq!(opening.post(opening.notice).json(&later).gives(200).json(), first);
    assert_eq!(own(opening.app(), &opening.console.rider)[0]["opened_at"], OPENED);

    let entries = opened_entries(opening.app());
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["terms_and_conditions_id"], opening.notice);
    assert_eq!(entries[0]["sha256"], opening.sha256);
    assert_eq!(entries[0]["opened_at"], OPENED);
    assert!(!entries[0].to_string().contains("r1"), "no personal data");
    let events = opening.admin("/events?types=notice.opened").gives(200).json();
    let events = events["items"].as_array().expect("events").clone();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["data"]["user_id"], "r1");
    assert_eq!(events[0]["data"]["term_id"], opening.notice);
    opening.app().command(&["log", "verify"]).expect_success();
}

fn an_invalid_opening_is_refused(engine: Engine) {
    let opening = start(engine);
    let with = |name: &str, value: Value| {
        let mut body = opening.body();
        body[name] = value;
        opening.post(opening.notice).json(&body)
    };
    with("sha256", json!("0".repeat(64))).refused(422, "unknown_document");
    with("sha256", json!("short")).refused(422, "invalid_request");
    with("opened_at", json!("yesterday")).refused(422, "invalid_request");
    with("opened_at", json!("2100-01-01T00:00:00Z")).refused(422, "opened_at_in_future");
    let free = with("locale", json!("en-x-jane")).gives(201).json();
    assert_eq!(free["locale"], "und", "the log has no free text");
    opening.post(opening.notice + 1).json(&opening.body()).refused(404, "not_found");
    let consent = opening.app().store().term("FREELANCER", &[]);
    opening.post(consent).json(&opening.body()).refused(404, "not_found");
    let path = format!("{V3}/riders/r1/notices/{}/openings", opening.notice);
    let request = || opening.app().post(&path).json(&opening.body());
    let other = opening.app().token("r2");
    request().token(&other).refused(403, "permission_denied");
    request().refused(401, "unauthenticated");
    opening.app().post(&path).json(&json!({})).refused(422, "invalid_request");
}

fn an_older_version_stays_listed_for_riders_who_opened_it(engine: Engine) {
    let opening = start(engine);
    opening.post(opening.notice).json(&opening.body()).gives(201);
    let replaces = opening.notice.to_string();
    let more = [NOTICE, &["--replaces", &replaces]].concat();
    let next = opening.app().store().term("FREELANCER", &more);
    assert_eq!(ids(&own(opening.app(), &opening.console.rider)), [next, opening.notice]);
    let path = format!("{V3}/riders/r2/notices");
    let other = opening.app().get(&path).token(&opening.app().token("r2")).gives(200).json();
    assert_eq!(ids(&other["items"]), [next]);
}

fn the_console_counts_whom_a_notice_has_reached(engine: Engine) {
    let opening = start(engine);
    let (path, term) = (format!("/notices/{}", opening.notice), opening.notice);
    let figures = || opening.admin(&format!("/terms/{term}")).gives(200).json()["notice"].clone();
    assert_eq!(
        figures(),
        json!({"first_served_at": null, "share_served": 0.0, "days_before_effect": null})
    );
    opening.post(opening.notice).json(&opening.body()).gives(201);
    let counts = opening.admin(&path).gives(200).json();
    assert_eq!(
        counts,
        json!({"addressed": 2, "sent": 0, "accepted": 0, "bounced": 0, "opened": 1, "not_reachable": 1})
    );
    let unreached = opening.admin(&format!("{path}/unreached")).gives(200).json();
    let rider = json!({"user_id": "r2", "reason": "not_contacted"});
    assert_eq!(unreached, json!({"items": [rider], "next": null}));
    let served = figures();
    assert_eq!(served["share_served"], 0.5);
    assert!(served["first_served_at"].is_string() && served["days_before_effect"].is_number());
    // The pages of the list follow one another.
    opening.app().store().add_user("r3", &["rider"]);
    let page = opening.admin(&format!("{path}/unreached?limit=1")).gives(200).json();
    let next = page["next"].as_str().expect("another page");
    let last = opening.admin(&format!("{path}/unreached?limit=1&after={next}")).gives(200).json();
    assert_eq!((&last["items"][0]["user_id"], &last["next"]), (&json!("r3"), &Value::Null));
    let consent = opening.app().store().term("FREELANCER", &[]);
    opening.admin(&format!("/notices/{consent}")).refused(404, "not_found");
}

fn an_opening_is_in_the_data_copy_and_the_case_file_and_is_erased(engine: Engine) {
    let opening = start(engine);
    opening.post(opening.notice).json(&opening.body()).gives(201);
    let app = opening.app();
    let data = app.get("/api/session/v1/me/data").token(&opening.console.rider).gives(200).json();
    let copy = &data["notice_openings"][0];
    assert_eq!((&copy["id"], &copy["opened_at"]), (&json!(opening.notice), &json!(OPENED)));
    for name in ["entry", "proof", "subject_key"] {
        assert!(copy[name].is_string(), "{name}");
    }
    assert_eq!(data["records"]["notice_openings"].as_array().map(Vec::len), Some(1));

    // Verified offline, alone and in the copy of the person's data.
    let keys = app.file("keys.txt", &app.get("/log/keys").gives(200).body);
    for (name, receipt) in [("opening.json", copy), ("data.json", &data)] {
        let file = app.file(name, receipt.to_string().as_bytes());
        let verify = ["receipt", "verify", &file, "--key", &keys, "--user"];
        let output = app.command(&[&verify[..], &["r1"]].concat()).expect_success();
        let expected = format!("the device of user r1 reported that it drew notice {}", copy["id"]);
        assert!(output.contains(&expected) && output.contains(OPENED), "{output}");
        app.command(&[&verify[..], &["r2"]].concat()).failed(1, "another person");
    }
    let mut forged = copy.clone();
    let later = copy["entry"].as_str().expect("an entry").replace("2026-01-02", "2026-01-03");
    forged["entry"] = later.into();
    let forged = app.file("forged.json", forged.to_string().as_bytes());
    app.command(&["receipt", "verify", &forged, "--key", &keys]).failed(1, "not verified");

    let file = app.path("case.zip").into_os_string().into_string().expect("UTF-8");
    app.command(&["case", "--user", "r1", "--out", &file]).expect_success();
    app.command(&["case", "verify", &file]).expect_success();
    let bytes = std::fs::read(&file).expect("a file");
    let document = format!("documents/{}.pdf", opening.sha256);
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(has(&document) && has(OPENED));
    // A changed time of the opening is detected.
    let mut changed = bytes.clone();
    let quoted = format!("\"opened_at\": \"{OPENED}\"");
    let at = changed.windows(quoted.len()).position(|part| part == quoted.as_bytes());
    changed[at.expect("the opening") + quoted.len() - 4] = b'9';
    std::fs::write(&file, changed).expect("a file");
    assert_eq!(app.command(&["case", "verify", &file]).code, Some(1));

    app.command(&["user", "erase", "--id", "r1"]).expect_success();
    assert_eq!(opened_entries(app).len(), 1, "the entry stays");
    app.command(&["log", "verify"]).expect_success();
    let counts = opening.admin(&format!("/notices/{}", opening.notice)).gives(200).json();
    assert_eq!(counts["opened"], 0);
}
