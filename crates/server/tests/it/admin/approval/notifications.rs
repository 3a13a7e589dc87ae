//! Each colleague who may approve a change receives one notification; other colleagues receive
//! none.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::flags::fixture::everything;
use crate::integration::receiver::{Message, Receiver, Reply, WITHIN};
use crate::store::{Engine, TestStore};

on_both!(
    notifies_the_colleagues_who_may_approve_a_change,
    notifies_approvers_after_a_draft_is_no_longer_edited,
    delivers_notifications_after_a_killed_node_and_a_dead_receiver,
    notifies_each_representative_of_the_market_of_a_publication_once,
);

/// `product@staging` and `legal@UY` may not approve what the tests propose. `unreachable` has no
/// e-mail address.
const COLLEAGUES: [(&str, &str); 8] = [
    ("l1", "legal"),
    ("l2", "legal"),
    ("l3", "legal@UY"),
    ("p1", "product"),
    ("p2", "product"),
    ("p3", "product@production"),
    ("p4", "product@staging"),
    ("v1", "viewer"),
];

fn colleagues(engine: Engine) -> Arc<TestStore> {
    let store = TestStore::new(engine);
    for (user, role) in COLLEAGUES {
        let email = format!("{user}@larkspur.example");
        store
            .command(&["user", "add", "--id", user, "--role", role, "--email", &email])
            .expect_success();
    }
    store.command(&["user", "add", "--id", "unreachable", "--role", "product"]).expect_success();
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    store.import("production", &everything());
    // The first node creates the signing key for tokens, so it must exist before the nodes start.
    store.token("a1");
    Arc::new(store)
}

/// Starts a node whose notifications go to this receiver and whose clock is `offset` seconds ahead.
fn serve(store: &Arc<TestStore>, receiver: &Receiver, offset: &str) -> TestApp {
    let args = ["--code-delivery", &receiver.url];
    let env = [("MUSETTE_CLOCK_OFFSET", offset)];
    TestApp::serve_with(store, Start { args: &args, env: &env, ..Start::default() })
}

fn require_approvals(app: &TestApp, rules: &Value) {
    let path = format!("{ADMIN}/approval-rules");
    app.request("PUT", &path).token(&app.token("a1")).json(rules).gives(200);
}

/// Proposes to set the description of a flag.
fn propose(app: &TestApp, by: &str, description: &str) -> Value {
    let environment = format!("{ADMIN}/environments/production");
    let token = app.token(by);
    let current = app.get(&format!("{environment}/flags")).token(&token).gives(200);
    let mut document = current.json();
    document["flags"][0]["description"] = description.into();
    app.post(&format!("{environment}/changes"))
        .token(&token)
        .header("if-match", current.header("etag"))
        .json(&json!({"at": null, "document": document}))
        .gives(201)
        .json()
}

/// Returns the recipients of the next `count` notifications. All of them must be of the type
/// `of` and mention `about`.
fn notified_users(receiver: &Receiver, count: usize, of: &str, about: &str) -> BTreeSet<String> {
    let people = (0..count).map(|_| {
        let message = receiver.next().json();
        let notice = &message["notice"];
        assert_eq!((&notice["type"], &message["kind"]), (&of.into(), &"email".into()));
        let url = notice["url"].as_str().expect("an address");
        assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/console/approvals"));
        for part in [&notice["subject"], &notice["text"]] {
            assert!(part.as_str().is_some_and(|text| text.contains(about)), "{message}");
        }
        assert!(message.get("code").is_none(), "{message}");
        let address = message["identifier"].as_str().expect("an address");
        address.trim_end_matches("@larkspur.example").to_owned()
    });
    people.collect()
}

fn user_ids(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn notifies_the_colleagues_who_may_approve_a_change(engine: Engine) {
    let store = colleagues(engine);
    let receiver = Receiver::start(Reply::Status(204));
    let app = serve(&store, &receiver, "0");
    require_approvals(&app, &json!([{"subject": "flags", "scope": "production", "approvals": 1}]));
    let change = propose(&app, "p1", "new words");
    let notified = |count| notified_users(&receiver, count, "approval_asked", "production");
    assert_eq!(notified(2), user_ids(&["p2", "p3"]));
    let path = format!(
        "{ADMIN}/environments/production/changes/{}",
        change["id"].as_str().expect("an id")
    );
    let comment = json!({"comment": "Which words?"});
    app.post(&format!("{path}/rejections")).token(&app.token("p2")).json(&comment).gives(204);
    let returned = notified_users(&receiver, 1, "approval_returned", "production");
    assert_eq!(returned, user_ids(&["p1"]));
    app.wait_for_task("tell_approvers");
    assert_eq!(receiver.unread(), 0, "the first approver gets no second message");
    propose(&app, "p2", "other words");
    assert_eq!(notified(2), user_ids(&["p1", "p3"]));
    app.wait_for_task("tell_approvers");
    assert_eq!(receiver.unread(), 0);
}

fn notifies_approvers_after_a_draft_is_no_longer_edited(engine: Engine) {
    let store = colleagues(engine);
    let receiver = Receiver::start(Reply::Status(204));
    let app = serve(&store, &receiver, "0");
    require_approvals(&app, &json!([{"subject": "terms", "scope": "*", "approvals": 1}]));
    let token = |user| {
        // The token must also be valid on the nodes whose clocks run ahead.
        let issue = ["token", "issue", "--user", user, "--access-ttl", "86400"];
        store.command(&issue).json()["dhhToken"].as_str().expect("a token").to_owned()
    };
    let (l1, l2) = (token("l1"), token("l2"));
    let drafts = format!("{ADMIN}/term-drafts");
    let body = json!({"type": "FREELANCER", "mandatory": true,
        "variants": [{"locale": "en", "title": "Night rules"}]});
    // A draft that cannot be published yet notifies no colleague.
    app.post(&drafts).token(&l1).json(&body).gives(201);
    let created = app.post(&drafts).token(&l1).json(&body).gives(201).json();
    let path = format!("{drafts}/{}", created["id"].as_str().expect("an id"));
    app.request("PUT", &format!("{path}/documents/en"))
        .token(&l1)
        .header("if-match", "\"1\"")
        .body("application/pdf", &crate::pdf::page("Night rules"))
        .gives(200);
    let app = later(app, &store, &receiver, "301");
    let notified = || notified_users(&receiver, 1, "approval_asked", "Night rules (FREELANCER)");
    assert_eq!(notified(), user_ids(&["l2"]));
    let read = app.get(&path).token(&l2).gives(200).json();
    let mut body = body;
    body["summary"] = "Shorter".into();
    app.request("PUT", &path)
        .token(&l1)
        .header("if-match", &format!("\"{}\"", read["revision"]))
        .json(&body)
        .gives(200);
    // The draft has been unedited for the delay again, and the last notification was an hour ago.
    let app = later(app, &store, &receiver, "4300");
    assert_eq!(notified(), user_ids(&["l2"]));
    app.wait_for_task("tell_approvers");
    assert_eq!(receiver.unread(), 0, "nothing has changed since");
}

/// Starts the next node with its clock ahead, after checking that no further notification was sent.
fn later(mut app: TestApp, store: &Arc<TestStore>, receiver: &Receiver, offset: &str) -> TestApp {
    app.wait_for_task("tell_approvers");
    app.signal("KILL");
    app.wait_for_exit(WITHIN);
    assert_eq!(receiver.unread(), 0, "no message was sent");
    serve(store, receiver, offset)
}

fn delivers_notifications_after_a_killed_node_and_a_dead_receiver(engine: Engine) {
    let store = colleagues(engine);
    let receiver = Receiver::start(Reply::Never);
    let mut app = serve(&store, &receiver, "0");
    require_approvals(&app, &json!([{"subject": "flags", "scope": "production", "approvals": 1}]));
    propose(&app, "p2", "new words");
    let key = |message: &Message| {
        let to = message.json()["identifier"].as_str().expect("an address").to_owned();
        (to, message.header("idempotency-key").to_owned())
    };
    let cut = key(&receiver.next());
    app.signal("KILL");
    app.wait_for_exit(WITHIN);
    receiver.reply(Reply::Status(500));
    let mut app = serve(&store, &receiver, "400");
    let mut tried = BTreeSet::new();
    while tried.len() < 2 {
        tried.insert(key(&receiver.next()));
    }
    assert!(tried.contains(&cut), "the same message: {cut:?} {tried:?}");
    app.signal("KILL");
    app.wait_for_exit(WITHIN);
    receiver.unread();
    receiver.reply(Reply::Status(204));
    let app = serve(&store, &receiver, "800");
    let arrived: BTreeSet<_> = (0..2).map(|_| key(&receiver.next())).collect();
    assert_eq!(arrived, tried);
    app.wait_for_task("tell_approvers");
    assert_eq!(receiver.unread(), 0);
}

/// Two nodes and a restart notify each representative once.
fn notifies_each_representative_of_the_market_of_a_publication_once(engine: Engine) {
    let store = TestStore::new(engine);
    for (user, role) in [
        ("everywhere", "representative"),
        ("germany", "representative@DE"),
        ("france", "representative@FR"),
        ("viewer", "viewer"),
    ] {
        let email = format!("{user}@larkspur.example");
        store
            .command(&["user", "add", "--id", user, "--role", role, "--email", &email])
            .expect_success();
    }
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    store.token("a1");
    let store = Arc::new(store);
    let receiver = Receiver::start(Reply::Status(204));
    let first = serve(&store, &receiver, "0");
    let second = serve(&store, &receiver, "0");
    let ahead = ["--market", "DE-BE", "--effective-from", "2100-01-01T00:00:00Z"];
    let id = store.term("FREELANCER", &ahead);
    let notified = |count: usize, page: &str| -> BTreeSet<String> {
        let recipients = (0..count).map(|_| {
            let message = receiver.next().json();
            assert_eq!(message["notice"]["type"], "scheduled");
            let url = message["notice"]["url"].as_str().expect("an address");
            assert!(url.ends_with(page), "{url}");
            let address = message["identifier"].as_str().expect("an address");
            address.trim_end_matches("@larkspur.example").to_owned()
        });
        recipients.collect()
    };
    let page = format!("/console/terms/{id}");
    assert_eq!(notified(2, &page), user_ids(&["everywhere", "germany"]));
    drop(first);
    let third = serve(&store, &receiver, "0");
    let system = json!({
        "name": "Order dispatch", "purpose": "Offers orders to riders.", "kind": "monitoring",
        "locale": "en", "markets": ["FR"], "data": [], "parameters": [], "decisions": [],
        "texts": {}, "contact": {"name": "Rider support", "email": "riders@example.test"},
    });
    let path = format!("{ADMIN}/automated-systems/dispatch");
    third.request("PUT", &path).token(&third.token("a1")).json(&system).gives(201);
    let publish = third.post(&format!("{path}/publish")).token(&third.token("a1"));
    publish.json(&json!({"effective_from": "2100-01-01T00:00:00Z"})).gives(201);
    // A repeated message about the term would be among these.
    let page = "/console/automated-systems/dispatch";
    assert_eq!(notified(2, page), user_ids(&["everywhere", "france"]));
    for node in [&second, &third] {
        node.wait_for_task("tell_approvers");
    }
    assert_eq!(receiver.unread(), 0);
}
