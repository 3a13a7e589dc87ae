//! Measures the gate: the first full read, changes for all waiting clients, and a term for all
//! riders.

use std::collections::HashSet;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::asker::ApiClient;
use super::fill::Fill;
use super::program::{Program, run};
use super::{number, percentile_ms, row, seconds};

const GATE: &str = "/api/admin/v1/gate";
const SUBMIT: &str = "/api/rooster/v3/terms/consents";
const TERMS: &str = "/api/rooster/v3/public/terms";

/// The arrival of a rider's answer at a poller.
type Arrived = (String, Instant);

pub fn report(program: &Program, admin: &ApiClient, fill: &Fill, tokens: &[String]) {
    let key = json!({"name": "shifts", "roles": ["viewer"]});
    let key = admin.post("/api/admin/v1/service-keys", &key);
    let shifts = admin.of(key["key"].as_str().expect("a key"));
    let mut cursor = String::new();
    for what in ["first full read of the gate", "second full read"] {
        let started = Instant::now();
        let people;
        (people, cursor) = all_riders(&shifts);
        assert_eq!(people as u64, fill.riders, "every rider is read");
        row(what, seconds(started), "");
    }
    let pollers = number("BENCH_POLLERS", 100);
    let mut times = changes(&shifts, &cursor, pollers, fill, tokens);
    times.sort();
    let changes = tokens.len();
    let what = format!("a submission to all {pollers} pollers, {changes} changes");
    row(&format!("{what}, p50"), percentile_ms(&times, 0.5), "");
    row(&format!("{what}, p99"), percentile_ms(&times, 0.99), "100 ms");
    row(&format!("{what}, slowest"), percentile_ms(&times, 1.0), "");
    publish(program, &shifts, cursor, fill.riders);
}

fn page(shifts: &ApiClient, cursor: &str, wait: u64) -> Option<(Vec<Value>, String)> {
    let after = if cursor.is_empty() { String::new() } else { format!("&after={cursor}") };
    let mut page = shifts.try_get(&format!("{GATE}?wait={wait}{after}"))?;
    let Value::Array(items) = page["items"].take() else { panic!("no items: {page}") };
    Some((items, page["cursor"].as_str().expect("a cursor").to_owned()))
}

/// Returns the number of riders, and the cursor after them.
fn all_riders(shifts: &ApiClient) -> (usize, String) {
    let (mut riders, mut cursor) = (HashSet::new(), String::new());
    loop {
        let (items, next) = page(shifts, &cursor, 0).expect("a page");
        cursor = next;
        if items.is_empty() {
            return (riders.len(), cursor);
        }
        riders.extend(items.iter().map(|item| item["user_id"].as_str().expect("an id").to_owned()));
    }
}

/// Returns the times from sending each submission until each poller has its answer.
fn changes(
    shifts: &ApiClient,
    cursor: &str,
    pollers: u64,
    fill: &Fill,
    tokens: &[String],
) -> Vec<Duration> {
    let (arrived, arrivals) = mpsc::channel();
    for _ in 0..pollers {
        let (poller, arrived, cursor) = (shifts.clone(), arrived.clone(), cursor.to_owned());
        std::thread::spawn(move || poll(&poller, cursor, &arrived));
    }
    let mut times = Vec::new();
    for (user, token) in fill.undecided_riders().zip(tokens) {
        let rider = shifts.of(token);
        let entry = |id: u64| json!({"accepted": true, "terms_and_conditions_id": id, "consented_at": "2026-01-02T09:30:00.000Z"});
        let body = json!({"user_id": user, "user_type": "RIDER", "consents": [entry(1), entry(2), entry(3)]});
        let sent_at = Instant::now();
        rider.post(SUBMIT, &body);
        times.extend((0..pollers).map(|_| next(&arrivals, &user).duration_since(sent_at)));
    }
    times
}

fn next(arrivals: &Receiver<Arrived>, user: &str) -> Instant {
    let (arrived_user, at) = arrivals.recv_timeout(Duration::from_secs(60)).expect("a change");
    assert_eq!(arrived_user, user, "each poller gets each change once");
    at
}

/// Waits for changes until the receiver is dropped.
fn poll(poller: &ApiClient, mut cursor: String, arrived: &Sender<Arrived>) {
    while let Some((items, next)) = page(poller, &cursor, 30) {
        let at = Instant::now();
        cursor = next;
        for item in items {
            let user = item["user_id"].as_str().expect("an id").to_owned();
            if arrived.send((user, at)).is_err() {
                return;
            }
        }
    }
}

/// Publishes a mandatory term with a command, as on another node, so that no rider may work any
/// more.
fn publish(program: &Program, shifts: &ApiClient, cursor: String, riders: u64) {
    let store = program.store.clone();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/documents/english.pdf");
    let started = Instant::now();
    let published = std::thread::spawn(move || {
        let term = ["terms", "publish", file, "--type", "FREELANCER", "--mandatory", "--title"];
        run(&store, &[&term[..], &["A term for everybody"]].concat());
        Instant::now()
    });
    let client = shifts.clone();
    let served = std::thread::spawn(move || {
        while !client.get(TERMS).to_string().contains("A term for everybody") {
            std::thread::sleep(Duration::from_millis(5));
        }
        Instant::now()
    });
    let (mut refused, mut cursor, mut first) = (HashSet::new(), cursor, None);
    while (refused.len() as u64) < riders {
        let (items, next) = page(shifts, &cursor, 30).expect("a page");
        cursor = next;
        for item in items.iter().filter(|item| item["may_work"] == false) {
            first.get_or_insert_with(Instant::now);
            refused.insert(item["user_id"].as_str().expect("an id").to_owned());
        }
    }
    row("publishing a term for everybody: all changes of the gate read", seconds(started), "60 s");
    let (published, served) = (published.join().expect("runs"), served.join().expect("runs"));
    let after = |time: Instant| format!("{:.2} s", time.duration_since(started).as_secs_f64());
    row("…the first of them", after(first.unwrap_or(started)), "");
    row("…served", after(served), "1 s");
    row("…of which the command that published", after(published), "");
}
