//! The permission to work: the gate's feed, and the outstanding terms.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::work::{Work, store};
use super::fixture::content;
use crate::admin::ADMIN;
use crate::store::Engine;
use crate::until::until;

on_both!(
    a_suspension_closes_the_gate_and_a_limitation_is_only_listed,
    start_and_end_are_judged_at_reading,
    lifting_opens_the_gate_on_every_node_within_a_second,
);

/// A copy of the gate's feed of one person.
struct Copy<'a> {
    work: &'a Work,
    cursor: String,
    item: Value,
}

impl<'a> Copy<'a> {
    fn of(work: &'a Work) -> Self {
        let mut copy = Self { work, cursor: String::new(), item: Value::Null };
        copy.read("");
        copy
    }

    /// Applies pages until one is empty.
    fn read(&mut self, more: &str) {
        loop {
            let after = if self.cursor.is_empty() { "" } else { "after=" };
            let path = format!("{ADMIN}/gate?limit=100{more}&{after}{}", self.cursor);
            let page = self.work.app.get(&path).token(&self.work.admin).gives(200).json();
            self.cursor = page["cursor"].as_str().expect("a cursor").to_owned();
            let items = page["items"].as_array().expect("items");
            if let Some(item) = items.iter().rev().find(|item| item["user_id"] == "r1") {
                self.item = item.clone();
            }
            if items.is_empty() || !more.is_empty() {
                return;
            }
        }
    }

    /// Checks that the copy equals the outstanding terms, and returns it.
    fn checked(&mut self) -> Value {
        self.read("");
        let outstanding = self.work.outstanding("r1");
        for member in ["may_work", "reasons", "limitations", "changes_at"] {
            assert_eq!(self.item[member], outstanding[member], "{member}");
        }
        self.item.clone()
    }
}

fn a_suspension_closes_the_gate_and_a_limitation_is_only_listed(engine: Engine) {
    let work = Work::start(engine);
    let mut copy = Copy::of(&work);
    let open = copy.checked();
    assert_eq!((&open["may_work"], &open["reasons"]), (&json!(true), &json!([])));
    assert_eq!((&open["limitations"], &open["changes_at"]), (&json!([]), &Value::Null));
    let proposed = work.propose(&work.key, &content("suspension")).gives_status(201).json();
    assert_eq!(copy.checked(), open, "a proposal has no effect");
    let limitation = work.impose(&work.reviewer, &content("limitation")).gives_status(201).json();
    let limited = copy.checked();
    assert_eq!(limited["may_work"], true);
    assert_eq!(
        limited["limitations"],
        json!([{"restriction_id": limitation["id"], "starts_at": limitation["starts_at"],
            "ends_at": null}])
    );
    let id = proposed["id"].as_str().expect("an id");
    work.decide(id, &work.reviewer, &json!({"effect": "impose"})).gives_status(200);
    let closed = copy.checked();
    assert_eq!(closed["may_work"], false);
    assert_eq!(closed["reasons"], json!([{"code": "restriction", "restriction_id": id}]));
    assert_eq!(closed["changes_at"], content("suspension")["ends_at"]);
    work.lift(id, &work.reviewer).gives_status(200);
    assert_eq!(copy.checked(), limited);
    let events = work.app.get(&format!("{ADMIN}/events?types=gate.changed"));
    let events = events.token(&work.admin).gives(200).json();
    let items = events["items"].as_array().expect("items");
    let may_work: Vec<&Value> = items.iter().map(|item| &item["data"]["may_work"]).collect();
    assert_eq!(may_work, [&json!(false), &json!(true)], "a limitation is no change of the answer");
    assert_eq!(items[0]["data"]["reasons"], closed["reasons"]);
    let mut other = Copy::of(&work);
    assert_eq!(other.checked(), limited, "a new copy equals the old one");
}

fn start_and_end_are_judged_at_reading(engine: Engine) {
    let work = Work::start(engine);
    let mut copy = Copy::of(&work);
    let in_ms = |millis: i64| {
        let now = jiff::Timestamp::now().as_millisecond();
        musette_core::instant::Instant::from_millis(now + millis).to_string()
    };
    let mut body = content("suspension");
    body["starts_at"] = json!(in_ms(3000));
    body["ends_at"] = json!(in_ms(6000));
    work.impose(&work.reviewer, &body).gives_status(201);
    let before = copy.checked();
    assert_eq!((&before["may_work"], &before["changes_at"]), (&json!(true), &body["starts_at"]));
    assert_eq!(work.own(super::OWN_LIMITS)["items"][0]["starts_at"], body["starts_at"]);
    until("the start", || !work.may_work("r1"));
    let during = copy.checked();
    assert_eq!((&during["may_work"], &during["changes_at"]), (&json!(false), &body["ends_at"]));
    until("the end", || work.may_work("r1"));
    let after = copy.checked();
    assert_eq!((&after["reasons"], &after["changes_at"]), (&json!([]), &Value::Null));
    assert_eq!(work.own(super::OWN_LIMITS)["items"][0]["status"], "EXPIRED");
}

fn lifting_opens_the_gate_on_every_node_within_a_second(engine: Engine) {
    let store = store(engine);
    let (first, second) = (Work::serve(&store, 0), Work::serve_named(&store, "roster-2"));
    let mut copy = Copy::of(&second);
    let id = first.imposed("termination");
    let began = Instant::now();
    copy.read("&wait=10");
    assert_eq!(copy.item["may_work"], false);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    copy.read("");
    first.lift(&id, &first.reviewer).gives_status(200);
    let lifted = Instant::now();
    assert!(second.may_work("r1"), "the outstanding terms are read from the database");
    copy.read("&wait=10");
    assert_eq!(copy.item["may_work"], true);
    assert!(lifted.elapsed() < Duration::from_secs(1), "{:?}", lifted.elapsed());
}
