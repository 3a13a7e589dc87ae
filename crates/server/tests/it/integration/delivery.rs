//! Delivery of events when nodes are killed, receivers are slow or unavailable, and many events
//! occur at once.

use std::collections::HashMap;
use std::net::TcpListener;
use std::time::Instant;

use serde_json::Value;

use super::receiver::{Receiver, Reply, WITHIN};
use super::{add_webhook, deliveries, events, serve_allowing, with_admin};
use crate::admin::ADMIN;
use crate::app::TestApp;
use crate::store::Engine;
use crate::wire::{SUBMIT, accept, applicant};

on_both!(
    a_killed_node_loses_no_event,
    slow_and_unavailable_receivers_do_not_delay_others,
    delivers_every_event_of_many,
);

const LOOPBACK: &str = "127.0.0.0/8";
/// Concurrent deliveries of one webhook on a node.
const CONCURRENT_DELIVERIES: usize = 32;

fn submit(app: &TestApp, term: i64) {
    app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
}

/// Returns the consents in the list of events, by their `seq`.
fn recorded(app: &TestApp, admin: &str) -> HashMap<i64, Value> {
    let (mut consents, mut after) = (HashMap::new(), 0);
    loop {
        let query = format!("after={after}&types=consent.recorded&limit=1000");
        let page = events(app, admin, &query);
        let items = page["items"].as_array().expect("items");
        if items.is_empty() {
            return consents;
        }
        consents.extend(
            items.iter().map(|event| (event["seq"].as_i64().expect("a number"), event.clone())),
        );
        after = page["next_after"].as_i64().expect("a number");
    }
}

fn a_killed_node_loses_no_event(engine: Engine) {
    const EVENTS: usize = CONCURRENT_DELIVERIES + 20;
    let (store, admin) = with_admin(engine);
    let term = store.term("FREELANCER", &[]);
    let mut app = serve_allowing(&store, LOOPBACK);
    let receiver = Receiver::start(Reply::Never);
    let webhook = add_webhook(&app, &admin, &receiver.url);
    for _ in 0..EVENTS {
        submit(&app, term);
    }
    // These deliveries have no response yet. The other events are committed but not sent.
    let cut: Vec<_> = (0..CONCURRENT_DELIVERIES).map(|_| receiver.next()).collect();
    app.signal("KILL");
    app.wait_for_exit(WITHIN);
    assert_eq!(receiver.unread(), 0);
    receiver.reply(Reply::Status(204));
    let app = serve_allowing(&store, LOOPBACK);
    let arrived: HashMap<i64, Value> = (0..EVENTS)
        .map(|_| {
            let message = receiver.next();
            let event = message.json();
            assert_eq!(event["id"], message.header("webhook-id"));
            (event["seq"].as_i64().expect("a number"), event)
        })
        .collect();
    assert_eq!(arrived, recorded(&app, &admin));
    assert_eq!(arrived.len(), EVENTS);
    for message in cut {
        let (event, id) = (message.json(), message.header("webhook-id"));
        let again = &arrived[&event["seq"].as_i64().expect("a number")];
        assert_eq!((again, &again["id"]), (&event, &id.into()), "the same message");
    }
    let settled = deliveries(&app, &admin, &webhook, |all| {
        all.len() == EVENTS && all.iter().all(|delivery| delivery["status"] == "delivered")
    });
    assert!(
        settled.iter().all(|delivery| delivery["attempts"] == 1),
        "a crash is no try: {settled:?}"
    );
}

fn slow_and_unavailable_receivers_do_not_delay_others(engine: Engine) {
    // If all webhooks shared the same slots, the slow one would finish 32 deliveries in 15 seconds:
    // longer than WITHIN.
    const EVENTS: usize = 200;
    let (store, admin) = with_admin(engine);
    let term = store.term("FREELANCER", &[]);
    let app = serve_allowing(&store, LOOPBACK);
    let never = Receiver::start(Reply::Never);
    // The kernel accepts connections that the test never accepts.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one");
    let silent_url = format!("http://{}/", silent.local_addr().expect("an address"));
    let others = [&never.url, &silent_url, &format!("http://{closed}/")];
    let others = others.map(|url| add_webhook(&app, &admin, url));
    let sound = Receiver::start(Reply::Status(200));
    let webhook = add_webhook(&app, &admin, &sound.url);
    let started = Instant::now();
    for _ in 0..EVENTS {
        submit(&app, term);
    }
    for _ in 0..EVENTS {
        sound.next();
    }
    assert!(started.elapsed() < WITHIN, "{:?}", started.elapsed());
    deliveries(&app, &admin, &webhook, |all| {
        all.len() == EVENTS && all.iter().all(|delivery| delivery["status"] == "delivered")
    });
    let dead = deliveries(&app, &admin, &others[2], |all| {
        all.iter().all(|delivery| delivery["attempts"] != 0)
    });
    assert!(
        dead.iter()
            .all(|delivery| delivery["error"].is_string() && delivery["response_status"].is_null())
    );
    let slow = deliveries(&app, &admin, &others[0], |all| {
        all.iter().any(|delivery| delivery["attempts"] == 1)
    });
    let tried = slow.iter().find(|delivery| delivery["attempts"] == 1).expect("one");
    assert_eq!(tried["error"], "the receiver did not respond within 15 seconds", "{tried}");
    for id in &others {
        let all = deliveries(&app, &admin, id, |all| all.len() == EVENTS);
        assert!(
            all.iter().all(|delivery| delivery["status"] == "waiting"),
            "nothing is given up: {all:?}"
        );
        let shown = app.get(&format!("{ADMIN}/webhooks/{id}")).token(&admin).gives(200).json();
        assert_eq!(shown["enabled"], true, "{shown}");
    }
}

/// Uses a thousand events. `MUSETTE_TEST_EVENTS=10000` takes two minutes.
fn delivers_every_event_of_many(engine: Engine) {
    const WRITERS: usize = 8;
    let requested = std::env::var("MUSETTE_TEST_EVENTS").ok();
    let events_each = requested.map_or(1_000, |text| text.parse().expect("a number")) / WRITERS;
    let count = events_each * WRITERS;
    let (store, admin) = with_admin(engine);
    let term = store.term("FREELANCER", &[]);
    let app = serve_allowing(&store, LOOPBACK);
    let other = serve_allowing(&store, LOOPBACK);
    let receiver = Receiver::start(Reply::Status(204));
    add_webhook(&app, &admin, &receiver.url);
    let mut arrived: HashMap<i64, Value> = HashMap::new();
    let mut take = |until: usize| {
        while arrived.len() < until {
            let message = receiver.next();
            let event = message.json();
            assert_eq!(event["id"], message.header("webhook-id"));
            let seq = event["seq"].as_i64().expect("a number");
            let before = arrived.insert(seq, event.clone());
            assert!(before.is_none_or(|earlier| earlier == event), "{seq} has two messages");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| (0..events_each).for_each(|_| submit(&app, term)));
        }
        // One of the two sending nodes is killed together with its leased deliveries.
        take(count / 4);
        other.signal("KILL");
    });
    take(count);
    assert_eq!(arrived, recorded(&app, &admin));
    let (mut after, mut seqs) = (0, Vec::new());
    while seqs.last().is_none_or(|last| *last > after) {
        after = seqs.last().copied().unwrap_or_default();
        let page = events(&app, &admin, &format!("after={after}&limit=1000"));
        let items = page["items"].as_array().expect("items");
        seqs.extend(items.iter().map(|event| event["seq"].as_i64().expect("a number")));
    }
    // The term, its effective time, and the consents.
    let want: Vec<i64> = (1..).take(count + 2).collect();
    assert!(seqs == want, "{} events, the last is {:?}", seqs.len(), seqs.last());
}
