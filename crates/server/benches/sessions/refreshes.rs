//! Closed-loop refreshes: each connection has a separate session and sends its newest token.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use super::client::{Load, answer};
use super::peer::Peer;
use super::program::Program;

type Tokens = Arc<Mutex<Vec<String>>>;

/// The request for a refresh, and the member of the response with the next token.
#[derive(Clone, Copy)]
struct Dialect {
    path: &'static str,
    media_type: &'static str,
    body: fn(&str) -> String,
    next: &'static str,
}

const OURS: Dialect = Dialect {
    path: "/api/session/v1/refresh",
    media_type: "application/json",
    body: |token| format!(r#"{{"refresh_token":"{token}"}}"#),
    next: "refreshToken",
};
const THEIRS: Dialect = Dialect {
    path: "/token",
    media_type: "application/x-www-form-urlencoded",
    body: |token| format!("grant_type=refresh_token&client_id=bench&refresh_token={token}"),
    next: "refresh_token",
};

/// Returns the next token. None if the refresh was rejected.
async fn refresh(
    stream: &mut TcpStream,
    address: &str,
    dialect: Dialect,
    token: &str,
) -> Option<String> {
    let Dialect { path, media_type, body, next } = dialect;
    let body = body(token);
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: {media_type}\r\nUser-Agent: bench\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sends");
    let mut buffer = vec![0; 16 * 1024];
    let response = answer(stream, &mut buffer).await;
    if !response[9..].starts_with("200") {
        eprintln!("{response}");
        return None;
    }
    let (_, body) = response.split_once("\r\n\r\n").expect("a body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    Some(body[next].as_str().expect("a token").to_owned())
}

async fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("connects");
    stream.set_nodelay(true).expect("a socket option");
    stream
}

async fn chain(
    address: String,
    dialect: Dialect,
    tokens: Tokens,
    i: usize,
    until: Instant,
) -> Vec<Duration> {
    let mut stream = connect(&address).await;
    let mut token = tokens.lock().expect("tokens")[i].clone();
    let mut latencies = Vec::new();
    while Instant::now() < until {
        let sent_at = Instant::now();
        token = refresh(&mut stream, &address, dialect, &token).await.expect("a refresh");
        latencies.push(sent_at.elapsed());
    }
    tokens.lock().expect("tokens")[i] = token;
    latencies
}

async fn load(
    address: &str,
    dialect: Dialect,
    connections: usize,
    time: Duration,
    processor: impl Fn() -> Duration,
    tokens: &mut Vec<String>,
) -> Load {
    let shared: Tokens = Arc::new(Mutex::new(std::mem::take(tokens)));
    let one = |i| {
        let (address, tokens) = (address.to_owned(), Arc::clone(&shared));
        move |until| chain(address, dialect, tokens, i, until)
    };
    let load = Load::of(connections, time, processor, one).await;
    *tokens = std::mem::take(&mut shared.lock().expect("tokens"));
    load
}

pub async fn ours(
    program: &Program,
    connections: usize,
    time: Duration,
    tokens: &mut Vec<String>,
) -> Load {
    load(&program.address, OURS, connections, time, || program.processor_time(), tokens).await
}

pub async fn theirs(
    peer: &Peer,
    connections: usize,
    time: Duration,
    tokens: &mut Vec<String>,
) -> Load {
    load(&peer.address, THEIRS, connections, time, || peer.processor_time(), tokens).await
}

/// Returns how many of these sessions cannot be refreshed.
pub async fn lost(program: &Program, tokens: &[String]) -> usize {
    let mut stream = connect(&program.address).await;
    let mut lost = 0;
    for token in tokens {
        lost += usize::from(refresh(&mut stream, &program.address, OURS, token).await.is_none());
    }
    lost
}
