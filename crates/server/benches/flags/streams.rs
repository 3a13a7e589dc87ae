//! Measures how soon a change is sent to streams, and the cost of open streams.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::load::{Asking, Connection};
use super::served::Served;

const CHANGES: u32 = 200;
const STREAMS: usize = 10_000;

async fn open(served: &Served, tickets: &mut Connection) -> TcpStream {
    let request =
        Asking::with("POST", &served.address, "/api/flags/v3/stream-tickets", &served.key, "");
    tickets.exchange(&request.into_bytes()).await;
    let ticket: Value = serde_json::from_slice(&tickets.response().body).expect("JSON");
    let ticket = ticket["ticket"].as_str().expect("a ticket");
    let mut stream = TcpStream::connect(&served.address).await.expect("connects");
    let request = format!(
        "GET /api/flags/v3/stream?ticket={ticket} HTTP/1.1\r\nHost: {}\r\n\r\n",
        served.address
    );
    stream.write_all(request.as_bytes()).await.expect("sends");
    until(&mut stream, ": open").await;
    stream
}

/// Reads until the text was received.
async fn until(stream: &mut TcpStream, text: &str) {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&read).contains(text) {
        let more = stream.read(&mut buffer).await.expect("reads");
        assert!(more > 0, "the stream ended: {}", String::from_utf8_lossy(&read));
        read.extend(&buffer[..more]);
    }
}

pub async fn change_to_event(served: &Served) {
    println!("\n### From a change to its event\n");
    let mut tickets = Connection::open(&served.address).await;
    let mut stream = open(served, &mut tickets).await;
    let mut admin = Connection::open(&served.address).await;
    let path = "/api/admin/v1/environments/production/flags/flag-0/on";
    let mut latencies = Vec::new();
    for i in 0..CHANGES {
        let body = format!("{{\"on\":{}}}", i % 2 == 1);
        let request = Asking::put(&served.address, path, &served.admin, &body).into_bytes();
        let sent_at = Instant::now();
        let change = async { admin.exchange(&request).await };
        let event = async {
            until(&mut stream, "\"refetchEvaluation\"").await;
            sent_at.elapsed()
        };
        latencies.push(tokio::join!(change, event).1);
    }
    latencies.sort();
    let ms = |part: f64| {
        let at = (latencies.len() as f64 * part) as usize;
        latencies.get(at).copied().unwrap_or(Duration::MAX).as_secs_f64() * 1000.0
    };
    println!(
        "{CHANGES} changes of 100 flags, from sending the change to reading the event: p50 {:.1} ms, p99 {:.1} ms (goal 100 ms).",
        ms(0.5),
        ms(0.99)
    );
}

pub async fn memory() {
    println!("\n### {STREAMS} open streams\n");
    let served = Served::start();
    let before = served.memory_mb();
    let mut tickets = Connection::open(&served.address).await;
    let mut streams = Vec::with_capacity(STREAMS);
    let started = Instant::now();
    for _ in 0..STREAMS {
        streams.push(open(&served, &mut tickets).await);
    }
    let opened = started.elapsed();
    let with = served.memory_mb();
    let mut admin = Connection::open(&served.address).await;
    let path = "/api/admin/v1/environments/production/flags/flag-0/on";
    let request = Asking::put(&served.address, path, &served.admin, "{\"on\":false}").into_bytes();
    let changed = Instant::now();
    admin.exchange(&request).await;
    for stream in &mut streams {
        until(stream, "\"refetchEvaluation\"").await;
    }
    println!(
        "Opened in {:.1} s; resident memory {before:.1} MB before, {with:.1} MB with them: {:.1} kB each. A change had reached all of them after {:.0} ms.",
        opened.as_secs_f64(),
        (with - before) * 1024.0 / STREAMS as f64,
        changed.elapsed().as_secs_f64() * 1000.0
    );
}
