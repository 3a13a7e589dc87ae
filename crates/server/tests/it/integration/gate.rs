//! The gate feed: one test for each rule of the contract about it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{events, types};
use crate::admin::{ADMIN, Console};
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3, accept, applicant, entry, rider};

on_both!(
    lists_all_people_page_by_page_and_then_changes,
    an_empty_page_means_that_all_people_were_read,
    an_answer_changes_when_the_grace_period_ends,
    answers_a_waiting_client_at_once,
    reports_changes_that_terms_cause,
    reports_added_and_erased_people,
    a_market_grant_sees_only_that_market,
    only_permitted_roles_read_the_gate,
    a_key_that_is_revoked_while_waiting_receives_nothing,
    reports_an_erased_person_for_a_day,
    refuses_invalid_parameters,
);

/// A client that keeps a copy of the feed.
struct Reader<'a> {
    app: &'a TestApp,
    token: String,
    cursor: String,
}

impl<'a> Reader<'a> {
    fn new(app: &'a TestApp, token: &str) -> Self {
        Self { app, token: token.to_owned(), cursor: String::new() }
    }

    fn ask(&self, query: &str) -> crate::request::Request {
        let after = if self.cursor.is_empty() { "" } else { "after=" };
        let path = format!("{ADMIN}/gate?{query}&{after}{}", self.cursor);
        self.app.get(&path).token(&self.token)
    }

    fn page(&mut self, query: &str) -> Vec<Value> {
        let page = self.ask(query).gives(200).json();
        self.cursor = page["cursor"].as_str().expect("a cursor").to_owned();
        page["items"].as_array().expect("items").clone()
    }

    /// Reads pages until one is empty and returns all items.
    fn read(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            let items = self.page("limit=100");
            if items.is_empty() {
                return all;
            }
            all.extend(items);
        }
    }
}

fn may(id: &str) -> Value {
    json!({"user_id": id, "may_work": true, "reasons": [], "limitations": [], "changes_at": null})
}

fn may_not(id: &str, terms: &[i64]) -> Value {
    let reasons: Vec<Value> =
        terms.iter().map(|term| json!({"code": "terms", "term_id": term})).collect();
    json!({"user_id": id, "may_work": false, "reasons": reasons, "limitations": [], "changes_at": null})
}

fn submit(app: &TestApp, id: &str, consents: &[Value]) {
    app.post(SUBMIT).token(&app.token(id)).json(&rider(id, consents)).gives(201);
}

fn change(console: &Console, method: &str, path: &str, body: &Value) {
    let call = console.app.request(method, &format!("{ADMIN}{path}")).token(&console.admin);
    let answer = call.json(body).send();
    assert!(answer.status < 300, "{path}: {}", answer.status);
}

fn lists_all_people_page_by_page_and_then_changes(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r2").with_rider("r3");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let optional = store.term("MARKETING", &[]);
    let console = Console::serve(store);
    submit(&console.app, "r2", &accept(&[term]));
    let mut reader = Reader::new(&console.app, &console.operator);
    let mut first = Vec::new();
    for size in [2, 1] {
        let page = reader.page("limit=2");
        assert_eq!(page.len(), size);
        first.extend(page);
    }
    assert_eq!(first, [may_not("r1", &[term]), may("r2"), may_not("r3", &[term])]);
    assert_eq!(reader.page("limit=2"), [] as [Value; 0], "the copy is up to date");
    for item in &first {
        let id = item["user_id"].as_str().expect("an id");
        let path = format!("{V3}/terms/{id}/outstanding");
        let outstanding = console.app.get(&path).token(&console.operator).gives(200).json();
        assert_eq!(outstanding["may_work"], item["may_work"]);
    }
    submit(&console.app, "r1", &accept(&[term]));
    assert_eq!(reader.read(), [may("r1")]);
    submit(&console.app, "r1", &[entry(optional, false)]);
    assert_eq!(reader.read(), [] as [Value; 0], "it is the same answer");
    let submitted = console.app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let claim = json!({"receipt": submitted.json()["receipt"]});
    console.app.post(CLAIM).token(&console.app.token("r3")).json(&claim).gives(201);
    assert_eq!(reader.read(), [may("r3")]);
    // A client that starts now gets the current state.
    let mut other = Reader::new(&console.app, &console.admin).read();
    other.sort_by_key(|item| item["user_id"].to_string());
    assert_eq!(other, [may("r1"), may("r2"), may("r3")]);
}

/// The server has not computed the answers of so many people when the first page is read.
fn an_empty_page_means_that_all_people_were_read(engine: Engine) {
    const MANY: usize = 20_000;
    let store = TestStore::new(engine);
    let count =
        format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})");
    store.tamper(&format!(
        "INSERT INTO subjects (ref, key) {count} SELECT 'subject-' || i, 'key' FROM n;
        INSERT INTO users (id, subject, created_at) {count}
            SELECT 'many-' || i, 'subject-' || i, 0 FROM n;
        INSERT INTO user_roles (user_id, role) {count} SELECT 'many-' || i, 'rider' FROM n"
    ));
    let console = Console::serve(store);
    let mut reader = Reader::new(&console.app, &console.operator);
    let mut read = std::collections::HashSet::new();
    loop {
        let items = reader.page("limit=1000");
        if items.is_empty() {
            break;
        }
        read.extend(items.iter().map(|item| item["user_id"].to_string()));
    }
    // And r1, who is in every store.
    assert_eq!(read.len(), MANY + 1);
}

fn an_answer_changes_when_the_grace_period_ends(engine: Engine) {
    let console = Console::start(engine);
    let mut reader = Reader::new(&console.app, &console.operator);
    assert_eq!(reader.read(), [may("r1")]);
    let seq = events(&console.app, &console.admin, "types=gate.changed")["next_after"].clone();
    let at = musette::parts::clock::Clock::default().now().plus(Duration::from_secs(2));
    let (from, until) = (at.to_string(), at.plus(Duration::from_millis(700)).to_string());
    let args = ["--mandatory", "--effective-from", &from, "--grace-until", &until];
    let term = console.app.term("FREELANCER", &args);
    let ahead = reader.page("wait=25");
    let want = json!({"user_id": "r1", "may_work": true, "reasons": [], "limitations": [], "changes_at": until});
    assert_eq!(ahead, [want], "a new term blocks no rider during the grace period");
    let query = format!("types=gate.changed&after={seq}&wait=25");
    let page = events(&console.app, &console.admin, &query);
    assert_eq!(types(&page), ["gate.changed"]);
    let event = &page["items"][0];
    assert_eq!((&event["at"], &event["data"]["user_id"]), (&json!(until), &json!("r1")));
    assert_eq!(event["data"]["may_work"], false);
    assert_eq!(reader.read(), [may_not("r1", &[term])]);
}

fn answers_a_waiting_client_at_once(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    store.add_user("o1", &["operator"]);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let token = store.token("o1");
    let mut reader = Reader::new(&nodes[0], &token);
    reader.read();
    let start = Instant::now();
    assert_eq!(reader.page("wait=1"), [] as [Value; 0]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| (reader.page("wait=3000000"), start.elapsed()));
        submit(&nodes[1], "r1", &accept(&[term]));
        let (page, took) = waits.join().expect("an answer");
        assert_eq!(page, [may("r1")]);
        assert!(took < Duration::from_secs(25), "not when the wait is over: {took:?}");
    });
}

fn reports_changes_that_terms_cause(engine: Engine) {
    let console = Console::start(engine);
    let mut reader = Reader::new(&console.app, &console.operator);
    reader.read();
    let first = console.app.term("FREELANCER", &["--mandatory"]);
    assert_eq!(reader.read(), [may_not("r1", &[first])]);
    submit(&console.app, "r1", &accept(&[first]));
    assert_eq!(reader.read(), [may("r1")]);
    let at =
        musette::parts::clock::Clock::default().now().plus(Duration::from_secs(3600)).to_string();
    let of = first.to_string();
    let args = ["--mandatory", "--replaces", &of, "--effective-from", &at];
    let second = console.app.term("FREELANCER", &args);
    let ahead = json!({"user_id": "r1", "may_work": true, "reasons": [], "limitations": [], "changes_at": at});
    assert_eq!(reader.read(), [ahead]);
    let store = console.app.store();
    store.command(&["terms", "cancel", &second.to_string()]).expect_success();
    assert_eq!(reader.read(), [may("r1")]);
    store.command(&["user", "add", "--id", "r2", "--role", "rider"]).expect_success();
    assert_eq!(reader.read(), [may_not("r2", &[first])]);
    store.command(&["terms", "retire", &of]).expect_success();
    assert_eq!(reader.read(), [may("r2")]);
    console.app.term("OTHER", &["--mandatory"]);
    assert_eq!(reader.read(), [] as [Value; 0], "types as /outstanding takes by default");
}

fn reports_added_and_erased_people(engine: Engine) {
    let store = TestStore::new(engine);
    let world = store.term("FREELANCER", &["--mandatory"]);
    let germany = store.term("FREELANCER", &["--mandatory", "--market", "DE"]);
    let console = Console::serve(store);
    let mut reader = Reader::new(&console.app, &console.admin);
    assert_eq!(reader.read(), [may_not("r1", &[world])], "riders only");
    change(&console, "PUT", "/people/r1/market", &json!({"market": "DE"}));
    assert_eq!(reader.read(), [may_not("r1", &[world, germany])]);
    change(&console, "PUT", "/people/o1/roles", &json!({"roles": ["operator", "rider"]}));
    assert_eq!(reader.read(), [may_not("o1", &[world])]);
    change(&console, "PUT", "/people/o1/roles", &json!({"roles": ["operator"]}));
    assert_eq!(reader.read(), [json!({"user_id": "o1", "left": true})]);
    console.app.store().command(&["user", "add", "--id", "r7", "--role", "rider"]).expect_success();
    assert_eq!(reader.read(), [may_not("r7", &[world])]);
}

fn a_market_grant_sees_only_that_market(engine: Engine) {
    let store = TestStore::new(engine);
    store.add_user("berlin", &["support@DE-BE"]);
    for (id, market) in [("p1", "DE-BE"), ("p2", "DE-BE"), ("p3", "FR")] {
        store.command(&["user", "add", "--id", id, "--market", market]).expect_success();
    }
    let console = Console::serve(store);
    let token = console.app.token("berlin");
    let mut berlin = Reader::new(&console.app, &token);
    assert_eq!(berlin.read(), [may("p1"), may("p2")]);
    change(&console, "PUT", "/people/p1/market", &json!({"market": "FR"}));
    assert_eq!(berlin.read(), [json!({"user_id": "p1", "left": true})]);
    change(&console, "PUT", "/people/p1/market", &json!({"market": "DE"}));
    change(&console, "PUT", "/people/p3/market", &json!({"market": null}));
    assert_eq!(berlin.read(), [] as [Value; 0], "the rider appears once, and others never");
    change(&console, "PUT", "/people/p3/market", &json!({"market": "DE-BE"}));
    assert_eq!(berlin.read(), [may("p3")]);
    // A person whose grants have changed does not learn about other people.
    change(&console, "PUT", "/people/berlin/roles", &json!({"roles": ["support@DE"]}));
    let request =
        Reader { cursor: berlin.cursor, ..Reader::new(&console.app, &console.app.token("berlin")) };
    request.ask("").refused(410, "gate_gone");
}

fn only_permitted_roles_read_the_gate(engine: Engine) {
    let store = TestStore::new(engine);
    for role in ["viewer", "product", "support", "legal"] {
        store.add_user(role, &[role]);
    }
    let console = Console::serve(store);
    let ask = |token: &str| console.app.get(&format!("{ADMIN}/gate")).token(token);
    for role in ["support", "legal"] {
        ask(&console.app.token(role)).gives(200);
    }
    for role in ["viewer", "product", "r1"] {
        ask(&console.app.token(role)).refused(403, "permission_denied");
    }
    let key = |role: &str| {
        let request = console.app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
        let created = request.json(&json!({"name": "shifts", "roles": [role]})).gives(201).json();
        created["key"].as_str().expect("a key").to_owned()
    };
    ask(&key("viewer")).gives(200);
    ask(&key("product")).refused(403, "permission_denied");
}

fn a_key_that_is_revoked_while_waiting_receives_nothing(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let keys = format!("{ADMIN}/service-keys");
    let request = app.post(&keys).token(&console.admin);
    let created = request.json(&json!({"name": "shifts", "roles": ["viewer"]})).gives(201).json();
    let mut reader = Reader::new(app, created["key"].as_str().expect("a key"));
    reader.read();
    let events = app.get(&format!("{ADMIN}/events")).token(&reader.token).gives(200).json();
    let after = &events["next_after"];
    std::thread::scope(|scope| {
        let gate = scope.spawn(|| reader.ask("wait=20").refused(401, "unauthenticated"));
        let path = format!("{ADMIN}/events?wait=20&after={after}&types=consent.recorded");
        let events = app.get(&path).token(&reader.token);
        let events = scope.spawn(move || events.refused(401, "unauthenticated"));
        std::thread::sleep(Duration::from_millis(300));
        let id = created["id"].as_str().expect("an id");
        app.request("DELETE", &format!("{keys}/{id}")).token(&console.admin).gives(204);
        let term = app.term("FREELANCER", &["--mandatory"]);
        submit(app, "r1", &accept(&[term]));
        for wait in [gate, events] {
            wait.join().expect("an answer");
        }
    });
}

fn reports_an_erased_person_for_a_day(engine: Engine) {
    use sha2::Digest as _;
    let console = Console::serve(TestStore::new(engine).with_rider("r2"));
    let mut reader = Reader::new(&console.app, &console.operator);
    reader.read();
    let old = reader.cursor.clone();
    change(&console, "DELETE", "/people/r2", &json!({"confirm": "r2"}));
    let hash = hex::encode(sha2::Sha256::digest("r2"));
    assert_eq!(reader.read(), [json!({"user_id_sha256": hash, "erased": true})]);
    assert_eq!(reader.read(), [] as [Value; 0]);
    let new = reader.cursor.clone();
    let store = console.app.store();
    drop(console);
    let env = [("MUSETTE_CLOCK_OFFSET", "86401")];
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    let output = store.program().args(["token", "issue", "--user", "o1"]).envs(env).output();
    let tokens: Value = serde_json::from_slice(&output.expect("runs").stdout).expect("JSON");
    let token = tokens["dhhToken"].as_str().expect("a token");
    let reader = |cursor: &str| Reader { cursor: cursor.into(), ..Reader::new(&app, token) };
    reader(&new).ask("").gives(200);
    reader(&old).ask("").refused(410, "gate_gone");
    assert_eq!(reader("").read(), [may("r1")]);
}

fn refuses_invalid_parameters(engine: Engine) {
    let console = Console::start(engine);
    for query in ["after=1", "after=W10", "limit=0", "limit=1001", "limit=x", "wait=-1", "wait=x"] {
        let ask = console.app.get(&format!("{ADMIN}/gate?{query}")).token(&console.operator);
        ask.refused(400, "invalid_parameter");
    }
    let mut reader = Reader::new(&console.app, &console.operator);
    reader.read();
    // A cursor of another feed, as after a restore from a backup.
    let other = Console::start(engine);
    let reader = Reader { cursor: reader.cursor, ..Reader::new(&other.app, &other.operator) };
    reader.ask("").refused(410, "gate_gone");
}
