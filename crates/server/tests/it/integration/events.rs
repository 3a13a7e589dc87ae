use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{events, types};
use crate::admin::{ADMIN, Console};
use crate::app::{Start, TestApp, limit};
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, accept, applicant, entry, rider};

on_both!(
    lists_every_event_once_and_in_order,
    lists_each_kind_of_decision_without_names,
    only_permitted_roles_read_events,
    answers_a_waiting_client_when_an_event_occurs,
    an_event_on_another_node_answers_a_waiting_client,
    a_page_continues_after_the_previous_one,
    refuses_invalid_parameters,
    a_waiting_client_does_not_delay_the_shutdown,
    emits_an_event_when_a_term_takes_effect,
);

fn lists_every_event_once_and_in_order(engine: Engine) {
    let console = Console::start(engine);
    let app = &console.app;
    let term = app.term("FREELANCER", &["--mandatory"]);
    app.post(SUBMIT).token(&console.rider).json(&rider("r1", &accept(&[term]))).gives(201);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    app.request("DELETE", &format!("{ADMIN}/people/r1/sessions")).token(&console.operator).send();
    let all = events(app, &console.admin, "");
    let want = [
        "term.published",
        "term.effective",
        "consent.recorded",
        "consent.recorded",
        "session.ended",
    ];
    let kinds: Vec<String> =
        types(&all).into_iter().filter(|kind| kind != "gate.changed").collect();
    assert_eq!(kinds, want, "{all}");
    let items = all["items"].as_array().expect("items");
    let seqs: Vec<i64> =
        items.iter().map(|event| event["seq"].as_i64().expect("a number")).collect();
    assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
    for item in items {
        let mut names: Vec<&String> = item.as_object().expect("an object").keys().collect();
        names.sort();
        assert_eq!(names, ["at", "data", "id", "seq", "type"]);
    }
    let consent = items.iter().find(|event| event["type"] == "consent.recorded").expect("one");
    assert_eq!(consent["data"]["user_id"], "r1");
    assert_eq!(consent["data"]["consents"], json!([{"term_id": term, "accepted": true}]));
    let erase = app.request("DELETE", &format!("{ADMIN}/people/r1")).token(&console.admin);
    erase.json(&json!({"confirm": "r1"})).gives(204);
    let all = events(app, &console.admin, "").to_string();
    assert!(all.contains("person.erased") && !all.contains("\"r1\""), "{all}");
}

fn lists_each_kind_of_decision_without_names(engine: Engine) {
    let store = TestStore::new(engine);
    let named = ["--name", "Ottilie Fenwick", "--email", "ottilie@example.com"];
    let user = ["user", "add", "--id", "o7", "--phone", "+4930123456"];
    store.command(&[&user[..], &named[..]].concat()).expect_success();
    let (first, second) = (store.term("FREELANCER", &[]), store.term("FREELANCER", &[]));
    let console = Console::serve(store);
    let app = &console.app;
    let token = app.token("o7");
    let submit = |consents: &[Value]| {
        app.post(SUBMIT).token(&token).json(&rider("o7", consents)).gives(201);
    };
    submit(&accept(&[first, second]));
    submit(&[entry(first, false)]);
    let submitted = app.post(SUBMIT).json(&applicant(&accept(&[first]))).gives(201);
    let claim = json!({"receipt": submitted.json()["receipt"]});
    app.post(CLAIM).token(&token).json(&claim).gives(201);
    let all =
        events(app, &console.admin, "types=consent.recorded,consent.withdrawn,consent.claimed");
    let want = ["consent.recorded", "consent.recorded", "consent.withdrawn", "consent.recorded"];
    let want: Vec<&str> = want.into_iter().chain(["consent.claimed"]).collect();
    assert_eq!(types(&all), want, "{all}");
    let both = [first, second].map(|term| json!({"term_id": term, "accepted": true}));
    assert_eq!(all["items"][0]["data"]["consents"], json!(both), "one for a submission");
    let everything = events(app, &console.admin, "").to_string();
    for personal in ["Ottilie", "Fenwick", "ottilie", "30123456"] {
        assert!(!everything.contains(personal), "{personal} in {everything}");
    }
}

fn only_permitted_roles_read_events(engine: Engine) {
    let store = TestStore::new(engine);
    for role in ["viewer", "product", "support", "legal"] {
        store.add_user(role, &[role]);
    }
    let console = Console::serve(store);
    let ask = |token: &str| console.app.get(&format!("{ADMIN}/events")).token(token);
    let key = |role: &str| {
        let request = console.app.post(&format!("{ADMIN}/service-keys")).token(&console.admin);
        let created = request.json(&json!({"name": "shifts", "roles": [role]})).gives(201).json();
        created["key"].as_str().expect("a key").to_owned()
    };
    ask(&console.admin).gives(200);
    ask(&key("viewer")).gives(200);
    // Events concern all people, so a grant for one market is not sufficient.
    for token in [key("viewer@DE"), key("product"), console.operator.clone()] {
        ask(&token).refused(403, "permission_denied");
    }
    for role in ["viewer", "product", "support", "legal"] {
        ask(&console.app.token(role)).refused(403, "permission_denied");
    }
}

fn answers_a_waiting_client_when_an_event_occurs(engine: Engine) {
    let console = Console::start(engine);
    let term = console.app.term("FREELANCER", &[]);
    let seq = events(&console.app, &console.admin, "")["next_after"].clone();
    let query = format!("after={seq}&types=consent.recorded,consent.claimed&wait=3000000");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let start = Instant::now();
            (events(&console.app, &console.admin, &query), start.elapsed())
        });
        console.app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        let (page, took) = waits.join().expect("an answer");
        assert_eq!(types(&page), ["consent.recorded"]);
        assert!(took < Duration::from_secs(25), "answered only at the end of the wait: {took:?}");
    });
    // Events of other types are skipped, and the wait ends without an event.
    let start = Instant::now();
    let none =
        events(&console.app, &console.admin, &format!("after={seq}&types=flag.changed&wait=1"));
    assert!(none["items"] == json!([]) && start.elapsed() >= Duration::from_secs(1), "{none}");
    assert!(none["next_after"].as_i64() > seq.as_i64(), "{none}");
}

fn an_event_on_another_node_answers_a_waiting_client(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    store.command(&["user", "add", "--id", "a1", "--role", "admin"]).expect_success();
    let term = store.term("FREELANCER", &[]);
    let nodes: Vec<_> = (0..2).map(|_| TestApp::serve_with(&store, Start::default())).collect();
    let token = store.token("a1");
    let seq = events(&nodes[0], &token, "")["next_after"].clone();
    let query = format!("after={seq}&types=consent.recorded&wait=29");
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| {
            let start = Instant::now();
            (events(&nodes[0], &token, &query), start.elapsed())
        });
        nodes[1].post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        let (page, took) = waits.join().expect("an answer");
        assert_eq!(types(&page), ["consent.recorded"]);
        assert!(took < Duration::from_secs(25), "{took:?}");
    });
}

fn a_page_continues_after_the_previous_one(engine: Engine) {
    let console = Console::start(engine);
    for _ in 0..3 {
        console.app.term("FREELANCER", &[]);
    }
    let (mut after, mut collected) = (String::new(), Vec::new());
    loop {
        let page = events(&console.app, &console.admin, &format!("limit=2{after}"));
        if page["items"] == json!([]) {
            break;
        }
        collected.extend(page["items"].as_array().expect("items").clone());
        after = format!("&after={}", page["cursor"].as_str().expect("a cursor"));
    }
    assert_eq!(Value::from(collected), events(&console.app, &console.admin, "")["items"]);
}

fn refuses_invalid_parameters(engine: Engine) {
    let console = Console::start(engine);
    let ask = |query: &str| console.app.get(&format!("{ADMIN}/events?{query}"));
    for query in [
        "types=consent.recorded,nonsense",
        "types=webhook.test",
        "after=-1",
        "after=x",
        "limit=0",
        "limit=1001",
        "wait=-1",
        "wait=soon",
    ] {
        ask(query).token(&console.admin).refused(400, "invalid_parameter");
    }
    ask("after=999999999999").token(&console.admin).gives(200);
    ask("").refused(401, "unauthenticated");
    ask("").token(&console.rider).refused(403, "permission_denied");
    console.app.tamper("UPDATE outbox_head SET seq = 50, forgotten = 40");
    ask("after=39").token(&console.admin).refused(410, "events_gone");
    ask("after=40").token(&console.admin).gives(200);
    ask("").token(&console.admin).gives(200);
}

fn a_waiting_client_does_not_delay_the_shutdown(engine: Engine) {
    let mut console = Console::start(engine);
    let url = format!("http://{}{ADMIN}/events?after=0&wait=30", console.app.address);
    let ask = crate::request::Request::new("GET", url).token(&console.admin);
    let waits = std::thread::spawn(move || ask.try_send().map(|answer| answer.status));
    // Gives the request time to arrive and wait. No other request can show that it is waiting.
    std::thread::sleep(Duration::from_millis(300));
    console.app.signal("TERM");
    let status = console.app.wait_for_exit(limit(Duration::from_secs(2)));
    assert!(status.success(), "{status}");
    drop(waits.join());
}

fn emits_an_event_when_a_term_takes_effect(engine: Engine) {
    let console = Console::start(engine);
    let at = musette::parts::clock::Clock::default().now().plus(Duration::from_secs(2));
    let (from, until) = (at.to_string(), at.plus(Duration::from_millis(500)).to_string());
    let args = ["--mandatory", "--effective-from", &from, "--grace-until", &until];
    console.app.term("FREELANCER", &args);
    let mut after = 0;
    for want in ["term.effective", "term.grace_ended"] {
        let query = format!("after={after}&types=term.effective,term.grace_ended&wait=25&limit=1");
        let page = events(&console.app, &console.admin, &query);
        assert_eq!(types(&page), [want]);
        after = page["items"][0]["seq"].as_i64().expect("a number");
    }
}
