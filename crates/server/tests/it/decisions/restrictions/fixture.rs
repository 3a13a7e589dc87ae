//! The calls about restrictions that the tests make.

use serde_json::{Value, json};

use super::super::work::{DAY_S, Work, system};
use crate::admin::ADMIN;
use crate::request::Answer;

pub const LIMITS: &str = "/api/admin/v1/restrictions";
pub const OWN_LIMITS: &str = "/api/rooster/v3/riders/r1/restrictions";

/// Returns the time this many days from now, at midnight UTC.
pub fn in_days(days: i64) -> String {
    let now = jiff::Timestamp::now().as_second();
    let midnight = now - now.rem_euclid(DAY_S) + days * DAY_S;
    musette_core::instant::Instant::from_millis(midnight * 1000).to_string()
}

/// Returns a complete body for `r1`.
pub fn content(kind: &str) -> Value {
    let mut body = json!({
        "user_id": "r1", "kind": kind,
        "statement": {"en": "You may not accept orders, because two of them were not delivered."},
        "reasons": [{"code": "not_delivered", "text": {"en": "Two orders were not delivered"}}],
        "contact": {"name": "Rider support", "email": "riders@larkspur.example"},
        "system": system(),
    });
    if kind == "suspension" {
        body["ends_at"] = json!(in_days(10));
    }
    body
}

impl Work {
    pub fn impose(&self, token: &str, body: &Value) -> Answer {
        self.app.post(LIMITS).token(token).json(body).send()
    }

    pub fn propose(&self, token: &str, body: &Value) -> Answer {
        self.app.post(&format!("{LIMITS}/proposals")).token(token).json(body).send()
    }

    /// Imposes a restriction of `r1` by the first reviewer.
    pub fn imposed(&self, kind: &str) -> String {
        let mut body = content(kind);
        if kind == "suspension" {
            // The node's clock may run ahead.
            body["ends_at"] = json!(self.in_days(10));
        }
        let restriction = self.impose(&self.reviewer, &body).gives_status(201).json();
        restriction["id"].as_str().expect("an id").to_owned()
    }

    /// Returns the time this many days from the time of the node, at midnight UTC.
    fn in_days(&self, days: i64) -> String {
        let date = self.app.get("/api/session/v1/me/data").token(&self.rider).gives(200).json();
        let now = date["made_at"].as_str().expect("a time");
        let now = musette_core::instant::Instant::parse(now).expect("a time").millis() / 1000;
        let midnight = now - now.rem_euclid(DAY_S) + days * DAY_S;
        musette_core::instant::Instant::from_millis(midnight * 1000).to_string()
    }

    pub fn decide(&self, id: &str, token: &str, body: &Value) -> Answer {
        self.app.post(&format!("{LIMITS}/{id}/decision")).token(token).json(body).send()
    }

    pub fn lift(&self, id: &str, token: &str) -> Answer {
        let body = json!({"message": "The restaurant has found the orders."});
        self.app.post(&format!("{LIMITS}/{id}/lift")).token(token).json(&body).send()
    }

    pub fn review(&self, id: &str) -> Answer {
        let body = json!({"message": "I delivered both orders."});
        self.app.post(&format!("{OWN_LIMITS}/{id}/review")).token(&self.rider).json(&body).send()
    }

    pub fn answer(&self, id: &str, token: &str, outcome: &str) -> Answer {
        let message = "We have asked the restaurant and the customers about both orders.";
        let body = json!({"outcome": outcome, "message": message});
        self.app.post(&format!("{LIMITS}/{id}/answer")).token(token).json(&body).send()
    }

    pub fn restriction(&self, id: &str) -> Value {
        self.app.get(&format!("{LIMITS}/{id}")).token(&self.admin).gives(200).json()
    }

    pub fn own(&self, path: &str) -> Value {
        self.app.get(path).token(&self.rider).gives(200).json()
    }

    pub fn outstanding(&self, user_id: &str) -> Value {
        let path = format!("/api/rooster/v3/terms/{user_id}/outstanding");
        self.app.get(&path).token(&self.admin).gives(200).json()
    }

    pub fn may_work(&self, user_id: &str) -> bool {
        self.outstanding(user_id)["may_work"].as_bool().expect("a boolean")
    }

    /// Returns the types of the events about restrictions, oldest first.
    pub fn event_types(&self) -> Vec<String> {
        let types = [
            "restriction.imposed",
            "restriction.lifted",
            "restriction.expired",
            "restriction.review_requested",
            "restriction.answered",
            "restriction.overdue",
        ];
        let path = format!("{ADMIN}/events?types={}", types.join(","));
        let page = self.app.get(&path).token(&self.admin).gives(200).json();
        let items = page["items"].as_array().expect("items");
        items.iter().map(|item| item["type"].as_str().expect("a type").to_owned()).collect()
    }
}
