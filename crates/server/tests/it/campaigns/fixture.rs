//! A server with riders, a mail server, and the calls that the tests make.

use std::sync::Arc;

use serde_json::{Value, json};

use super::mail_server::MailServer;
use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::request::Answer;
use crate::store::{Engine, TestStore};
use crate::until::until;

/// A server with the colleague `l1`, who has the role `legal`, and the admin `a1`.
pub struct Campaigns {
    pub app: TestApp,
    pub legal: String,
    pub admin: String,
    pub mail: MailServer,
}

/// Adds a rider with an e-mail address and a name.
pub fn add_rider(store: &TestStore, id: &str, more: &[&str]) {
    let email = format!("{id}@larkspur.example");
    let args = ["user", "add", "--id", id, "--role", "rider", "--email", &email];
    store.command(&[&args[..], more].concat()).expect_success();
}

/// Creates a store with a colleague, an admin, and riders `r1` to `r{count}`.
pub fn store(engine: Engine, count: usize) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    store.add_user("l1", &["legal"]);
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    for i in 1..=count {
        add_rider(&store, &format!("r{i}"), &["--name", "Ada"]);
    }
    Arc::new(store)
}

impl Campaigns {
    pub fn start(store: &Arc<TestStore>) -> Self {
        Self::serve(store, &[], 0)
    }

    /// Starts a node with further settings, whose clock runs ahead.
    pub fn serve(store: &Arc<TestStore>, args: &[&str], ahead_s: i64) -> Self {
        let mail = MailServer::start();
        let app = node(store, &mail, args, ahead_s);
        let (legal, admin) = (token(store, "l1", ahead_s), token(store, "a1", ahead_s));
        Self { app, legal, admin, mail }
    }

    /// Starts the node again, with the same mail server.
    pub fn restart(&mut self, args: &[&str], ahead_s: i64) {
        let store = self.app.store();
        self.app = node(&store, &self.mail, args, ahead_s);
        self.legal = token(&store, "l1", ahead_s);
        self.admin = token(&store, "a1", ahead_s);
    }

    pub fn post(&self, path: &str) -> Answer {
        self.app.post(&format!("{ADMIN}{path}")).token(&self.legal).send()
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Value {
        self.app.get(&format!("{ADMIN}{path}")).token(&self.legal).gives(200).json()
    }

    /// Adds a campaign, and returns its id.
    #[track_caller]
    pub fn add(&self, body: &Value) -> String {
        let request = self.app.post(&format!("{ADMIN}/campaigns")).token(&self.legal);
        request.json(body).gives(201).json()["id"].as_str().expect("an id").to_owned()
    }

    /// Adds and starts a campaign that sends one message to each rider at once.
    #[track_caller]
    pub fn started(&self, term: i64, channel: &str) -> String {
        let id = self.add(&at_once(term, channel));
        self.act(&id, "start").assert_status(200);
        id
    }

    pub fn act(&self, id: &str, action: &str) -> Answer {
        self.post(&format!("/campaigns/{id}/{action}"))
    }

    #[track_caller]
    pub fn status(&self, id: &str) -> String {
        let campaign = self.get(&format!("/campaigns/{id}"));
        campaign["status"].as_str().expect("a status").to_owned()
    }

    #[track_caller]
    pub fn until_status(&self, id: &str, status: &str) {
        until(&format!("the campaign is {status}"), || self.status(id) == status);
    }

    #[track_caller]
    pub fn people(&self, id: &str) -> Vec<Value> {
        let page = self.get(&format!("/campaigns/{id}/people"));
        page["items"].as_array().expect("items").clone()
    }

    /// Returns user id and status of each person.
    #[track_caller]
    pub fn statuses(&self, id: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let person = |person: &Value| (text(&person["user_id"]), text(&person["status"]));
        self.people(id).iter().map(person).collect()
    }

    /// Waits until a person has this status, and returns them.
    #[track_caller]
    pub fn until_person(&self, id: &str, user: &str, status: &str) -> Value {
        let mut person = Value::Null;
        until(&format!("{user} is {status}"), || {
            let people = self.people(id);
            person = people.into_iter().find(|one| one["user_id"] == user).unwrap_or_default();
            person["status"] == status
        });
        person
    }

    /// Reports a bounce of the message with this `Message-ID`.
    pub fn bounce(&self, message_id: &str, action: &str, status: &str) -> Answer {
        let request = self.app.post(&format!("{ADMIN}/notices/bounces")).token(&self.legal);
        let body = report(message_id, action, status);
        request.body("multipart/report; boundary=b", body.as_bytes()).send()
    }

    /// Returns the events of these types, oldest first.
    #[track_caller]
    pub fn events(&self, types: &str) -> Vec<Value> {
        let path = format!("{ADMIN}/events?types={types}&limit=1000");
        let events = self.app.get(&path).token(&self.admin).gives(200).json();
        events["items"].as_array().expect("items").clone()
    }
}

impl Answer {
    #[track_caller]
    pub fn assert_status(&self, status: u16) {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
    }
}

/// Starts a node whose e-mails go to the mail server.
pub fn node(store: &Arc<TestStore>, mail: &MailServer, args: &[&str], ahead_s: i64) -> TestApp {
    let offset = ahead_s.to_string();
    let delivery = ["--code-delivery", &mail.url, "--code-sender", "terms@larkspur.example"];
    let args = [&delivery[..], args].concat();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    TestApp::serve_with(store, Start { args: &args, env: &env, ..Start::default() })
}

fn token(store: &TestStore, user: &str, ahead_s: i64) -> String {
    let mut program = store.program();
    program.args(["token", "issue", "--user", user]);
    program.env("MUSETTE_CLOCK_OFFSET", ahead_s.to_string());
    let issued = program.output().expect("the program runs");
    let tokens: Value = serde_json::from_slice(&issued.stdout).expect("JSON");
    tokens["dhhToken"].as_str().expect("a token").to_owned()
}

/// A campaign with one step at the start, at any time of day.
pub fn at_once(term: i64, channel: &str) -> Value {
    json!({
        "term_id": term,
        "steps": [{"at": {"after": "start", "by": "P0D"}, "channel": channel}],
        "texts": {"en": {"subject": "{{title}} for {{name}}", "body": "Read it by {{deadline}}: {{link}}"}},
        "any_time": true,
    })
}

/// A report of a mail server.
pub fn report(message_id: &str, action: &str, status: &str) -> String {
    format!(
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry\r\n--b\r\n\
        Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\n\
        Final-Recipient: rfc822; r1@larkspur.example\r\nAction: {action}\r\nStatus: {status}\r\n\r\n\
        --b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <{message_id}>\r\n\r\ntext\r\n--b--\r\n"
    )
}
