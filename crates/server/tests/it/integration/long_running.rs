//! Behaviour of webhooks over days: nodes whose clocks run ahead follow each other on one store.

use std::sync::Arc;

use musette::parts::clock::Clock;
use musette_core::instant::Instant;
use musette_core::webhooks::{Secret, sign};
use serde_json::json;

use super::receiver::{Message, Receiver, Reply, WITHIN};
use super::{add_webhook, deliveries, events, with_admin};
use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(
    disables_a_webhook_after_ten_failed_attempts,
    the_previous_secret_signs_for_a_day,
    stores_an_event_for_90_days,
);

const LOOPBACK: &[&str] = &["--webhook-allow", "127.0.0.0/8"];
const DAY_S: i64 = 86_400;

/// Starts a node whose clock runs ahead and returns an admin's token that is valid on it.
fn ahead(store: &Arc<TestStore>, seconds: i64) -> (TestApp, String) {
    let offset = seconds.to_string();
    let env = [("MUSETTE_CLOCK_OFFSET", offset.as_str())];
    let app = TestApp::serve_with(store, Start { args: LOOPBACK, env: &env, ..Start::default() });
    let mut command = store.program();
    command.args(["token", "issue", "--user", "a1"]).envs(env);
    let issued = command.output().expect("the program runs");
    let tokens: serde_json::Value = serde_json::from_slice(&issued.stdout).expect("JSON");
    (app, tokens["dhhToken"].as_str().expect("a token").to_owned())
}

fn instant(text: &serde_json::Value) -> Instant {
    Instant::parse(text.as_str().expect("an instant")).expect("an instant")
}

fn disables_a_webhook_after_ten_failed_attempts(engine: Engine) {
    /// The waits of the contract after the first nine attempts, in seconds.
    const WAITS: [i64; 9] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    let (store, _) = with_admin(engine);
    let term = store.term("FREELANCER", &[]);
    let receiver = Receiver::start(Reply::Status(503));
    let (mut app, mut admin) = ahead(&store, 0);
    let webhook = add_webhook(&app, &admin, &receiver.url);
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    let id = receiver.next().header("webhook-id").to_owned();
    for (tried, wait_s) in (1..).zip(WAITS) {
        let settled = deliveries(&app, &admin, &webhook, |all| all[0]["attempts"] == tried);
        let settled = &settled[0];
        assert_eq!(
            (&settled["status"], &settled["response_status"]),
            (&json!("waiting"), &json!(503))
        );
        let next = instant(&settled["next_attempt_at"]);
        let waits_ms = next.millis() - instant(&settled["attempted_at"]).millis();
        let allowed = wait_s * 1000..=wait_s * 1100;
        assert!(allowed.contains(&waits_ms), "{waits_ms} ms after try {tried}, not {allowed:?}");
        assert_eq!(receiver.unread(), 0, "no delivery before it is due");
        drop(app);
        // Rounded up, so that the delivery is due.
        let ahead_s = (next.millis() - Clock::default().now().millis()) / 1000 + 1;
        (app, admin) = ahead(&store, ahead_s.max(0));
        assert_eq!(receiver.next().header("webhook-id"), id, "the same message");
    }
    let disabled_events = events(&app, &admin, "types=webhook.disabled&wait=25");
    let disabled = disabled_events["items"].as_array().expect("items");
    assert_eq!(disabled.len(), 1, "{disabled_events}");
    assert_eq!(disabled[0]["data"], json!({"webhook_id": webhook, "reason": "failed"}));
    let settled = deliveries(&app, &admin, &webhook, |all| all[0]["attempts"] == 10);
    assert_eq!(settled[0]["status"], "failed");
    assert!(settled[0].get("next_attempt_at").is_none(), "{settled:?}");
    let one = format!("{ADMIN}/webhooks/{webhook}");
    let shown = app.get(&one).token(&admin).gives(200).json();
    assert_eq!((&shown["enabled"], &shown["disabled_because"]), (&json!(false), &json!("failed")));

    // A disabled webhook receives nothing until an admin enables it. Then it receives the missed
    // events, and the failed one on request.
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    receiver.reply(Reply::Status(204));
    let body = json!({"url": receiver.url, "types": ["consent.recorded"], "enabled": true});
    app.request("PUT", &one).token(&admin).json(&body).gives(200);
    assert_ne!(receiver.next().header("webhook-id"), id);
    let resend = format!("{one}/deliveries/{}/resend", settled[0]["id"].as_str().expect("an id"));
    app.post(&resend).token(&admin).gives(202);
    assert_eq!(receiver.next().header("webhook-id"), id);
}

fn the_previous_secret_signs_for_a_day(engine: Engine) {
    let (store, _) = with_admin(engine);
    let receiver = Receiver::start(Reply::Status(204));
    let (app, admin) = ahead(&store, 0);
    let body = json!({"url": receiver.url, "types": ["consent.recorded"]});
    let added = app.post(&format!("{ADMIN}/webhooks")).token(&admin).json(&body).gives(201).json();
    let one = format!("{ADMIN}/webhooks/{}", added["id"].as_str().expect("an id"));
    let secret = |answer: &serde_json::Value| {
        Secret::parse(answer["secret"].as_str().expect("a secret")).expect("one")
    };
    let former = secret(&added);
    let rotate = format!("{one}/rotate-secret");
    let new = secret(&app.post(&rotate).token(&admin).gives(200).json());
    let test = |app: &TestApp, admin: &str| {
        app.post(&format!("{one}/test")).token(admin).gives(202);
        receiver.next()
    };
    let signed = |message: &Message, secrets: &[Secret]| {
        let seconds = message.header("webhook-timestamp").parse().expect("seconds");
        sign(secrets, message.header("webhook-id"), seconds, &message.body)
    };
    let both = [new.clone(), former];
    let first = test(&app, &admin);
    assert_eq!(first.header("webhook-signature"), signed(&first, &both));
    drop(app);
    let (app, admin) = ahead(&store, DAY_S - 300);
    let late = test(&app, &admin);
    assert_eq!(late.header("webhook-signature"), signed(&late, &both), "for 24 hours");
    drop(app);
    let (app, admin) = ahead(&store, DAY_S);
    let after = test(&app, &admin);
    assert_eq!(after.header("webhook-signature"), signed(&after, &[new]), "and no longer");
}

fn stores_an_event_for_90_days(engine: Engine) {
    let (store, _) = with_admin(engine);
    store.term("FREELANCER", &[]);
    let ask = |app: &TestApp, admin: &str, query: &str| {
        app.get(&format!("{ADMIN}/events{query}")).token(admin).send()
    };
    let (app, admin) = ahead(&store, 90 * DAY_S - 300);
    assert_eq!(ask(&app, &admin, "?after=0").json()["items"][0]["type"], "term.published");
    drop(app);
    let (app, admin) = ahead(&store, 90 * DAY_S + 60);
    let started = std::time::Instant::now();
    while ask(&app, &admin, "?after=0").status == 200 {
        assert!(started.elapsed() < WITHIN, "it is not forgotten");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    ask(&app, &admin, "?after=0").assert_problem(410, "events_gone");
    // Without `after`, the list starts at the oldest stored event.
    assert_eq!(ask(&app, &admin, "").status, 200);
}
