//! Measures events for one webhook, whose receiver responds to each message immediately.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::asker::ApiClient;
use super::program::Program;
use super::row;
use super::rows::Rows;

pub async fn report(program: &Program, admin: &ApiClient, events: u64) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let (arrived, arrivals) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, arrived) = (stream.expect("a connection"), arrived.clone());
            // The server closes a connection that it no longer needs.
            std::thread::spawn(move || receive(stream, &arrived));
        }
    });
    let types = ["consent.recorded"];
    admin.post("/api/admin/v1/webhooks", &json!({"url": url, "types": types}));
    let mut rows = Rows::open(&program.store).await;
    let before = program.processor_time();
    // Written like an event of another node, and about no user, so that the gate has no work.
    rows.run(&format!(
        "UPDATE outbox_head SET seq = seq + {events};
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {events})
        INSERT INTO outbox (seq, at, kind, user_id, data)
            SELECT h.seq - {events} + i, 1767346200000, 'consent.recorded', NULL,
            '{{\"entry_id\":\"0193a6f2-7c00-7000-8000-000000000000\",\"user_type\":\"RIDER\",\"consents\":[{{\"term_id\":1,\"accepted\":true}}]}}'
            FROM n CROSS JOIN outbox_head AS h"
    ))
    .await;
    let (mut received, mut first, mut messages) = (HashSet::new(), None, 0_u64);
    while (received.len() as u64) < events {
        let id = arrivals.recv_timeout(Duration::from_secs(60)).expect("a message");
        first.get_or_insert_with(Instant::now);
        messages += 1;
        received.insert(id);
    }
    let took = first.map_or(0.0, |first| first.elapsed().as_secs_f64());
    let spent = program.processor_time().saturating_sub(before).as_secs_f64();
    let what = format!("{events} events to one webhook, {messages} messages");
    row(&what, format!("{:.0} a second", events as f64 / took), "");
    row("…processor time of each", format!("{:.0} µs", spent * 1e6 / events as f64), "");
}

/// Responds to the messages of a connection. Returns None when the sender has closed it.
fn receive(stream: TcpStream, arrived: &Sender<String>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        reader.get_mut().write_all(b"HTTP/1.1 204 No Content\r\n\r\n").ok()?;
        let envelope: Value = serde_json::from_slice(&body).expect("an envelope");
        arrived.send(envelope["id"].as_str().expect("an id").to_owned()).ok()?;
    }
}
