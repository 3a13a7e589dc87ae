//! Measures how many events per second are recorded on disk, in batches of 500 with unique IDs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::load::{Asking, Connection};
use super::served::Served;

const BATCH: u64 = 500;
const CONNECTIONS: usize = 8;

fn batch(served: &Served, first: u64) -> Asking {
    let events: Vec<String> = (first..first + BATCH)
        .map(|n| {
            let variation = if n % 2 == 0 { "on" } else { "off" };
            format!(
                r#"{{"name":"ab_test.participated","id":"0193e5a0-7c1b-7000-8000-{n:012}","unit":"u-{n}","at":"2024-05-02T09:30:00.000Z","experiment":"test-4","phase":1,"variation":"{variation}"}}"#
            )
        })
        .collect();
    let body = format!("[{}]", events.join(","));
    Asking::with("POST", &served.address, "/api/flags/v3/events", &served.key, &body)
}

pub async fn rate(served: &Served, time: Duration) {
    println!("\n### POST v3/events, SQLite (WAL, synchronous=FULL)\n");
    let next = Arc::new(AtomicU64::new(0));
    let accepted = Arc::new(AtomicU64::new(0));
    // Created in advance, because formatting 500 events takes the load longer than recording them
    // takes the server.
    let requests: Vec<Vec<u8>> = (0..4000).map(|i| batch(served, i * BATCH).into_bytes()).collect();
    let requests = Arc::new(requests);
    let started = Instant::now();
    let tasks: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let address = served.address.clone();
            let (next, accepted, requests) =
                (Arc::clone(&next), Arc::clone(&accepted), Arc::clone(&requests));
            tokio::spawn(async move {
                let mut connection = Connection::open(&address).await;
                while started.elapsed() < time {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(request) = usize::try_from(i).ok().and_then(|i| requests.get(i))
                    else {
                        break;
                    };
                    connection.exchange(request).await;
                    let answer: serde_json::Value =
                        serde_json::from_slice(&connection.response().body).expect("JSON");
                    let recorded = answer["accepted"].as_u64().expect("a number");
                    accepted.fetch_add(recorded, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("a connection that lasts");
    }
    let took = started.elapsed();
    let accepted = accepted.load(Ordering::Relaxed);
    println!(
        "{accepted} events acknowledged in {:.1} s: {:.0} a second (goal 50,000), {CONNECTIONS} connections, {BATCH} in each request.",
        took.as_secs_f64(),
        accepted as f64 / took.as_secs_f64(),
    );
}
