//! What one address can occupy: connections, half-open requests, event streams. Other addresses are
//! still served.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::wire::SUBMIT;

const FIRST: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);
const SECOND: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// The limits of `limits/held.rs`.
const CONNECTIONS: usize = 2_000;
const HALF_OPEN: usize = 200;
const STREAMS: usize = 1_000;
/// A half-open request has no response within this time.
const UNANSWERED: Duration = Duration::from_millis(500);
const ANSWERED: Duration = Duration::from_secs(20);

fn limited(store: TestStore, args: &[&str]) -> TestApp {
    // The test needs as many open files as the server.
    rlimit::increase_nofile_limit(u64::MAX).expect("a limit");
    TestApp::serve_with(&Arc::new(store), Start { args, limited: true, ..Start::default() })
}

async fn connect(app: &TestApp, from: Ipv4Addr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::from((from, 0))).expect("a loopback address");
    let to = app.address.parse().expect("an address");
    socket.connect(to).await.expect("it accepts")
}

/// Sends a request on a new connection. Returns the connection and the first bytes of the response;
/// empty if none arrives.
async fn begin(app: &TestApp, from: Ipv4Addr, head: &str, wait: Duration) -> (TcpStream, String) {
    let mut stream = connect(app, from).await;
    let request = format!("{head}\r\nHost: {}\r\n\r\n", app.address);
    // The server may have closed the connection already.
    let _closed = stream.write_all(request.as_bytes()).await;
    let mut answer = [0; 12];
    let read = timeout(wait, stream.read_exact(&mut answer)).await;
    let answer = if matches!(read, Ok(Ok(_))) { &answer[..] } else { &[] };
    (stream, String::from_utf8_lossy(answer).into_owned())
}

async fn is_served(app: &TestApp, from: Ipv4Addr) -> bool {
    begin(app, from, "GET /healthz HTTP/1.1", ANSWERED).await.1 == "HTTP/1.1 200"
}

fn is_closed(stream: &TcpStream) -> bool {
    match stream.try_read(&mut [0; 1]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[tokio::test]
async fn one_address_cannot_occupy_all_connections() {
    let app = limited(TestStore::new(Engine::Sqlite), &[]);
    let mut open = Vec::new();
    for _ in 0..CONNECTIONS + 50 {
        open.push(connect(&app, FIRST).await);
    }
    let closed = || open.iter().filter(|stream| is_closed(stream)).count();
    for _ in 0..100 {
        if closed() >= 50 {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(closed(), 50);
    assert!(!is_served(&app, FIRST).await);
    assert!(is_served(&app, SECOND).await, "another address is served");
    assert!(app.metrics().contains("musette_connections_refused_total"), "they are counted");
    drop(open);
    for _ in 0..100 {
        if is_served(&app, FIRST).await {
            return;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("the connections are released");
}

#[tokio::test]
async fn one_address_cannot_occupy_many_half_open_requests() {
    let app = limited(TestStore::new(Engine::Sqlite), &[]);
    let half =
        format!("POST {SUBMIT} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000");
    let opened = (0..HALF_OPEN).map(|_| begin(&app, FIRST, &half, UNANSWERED));
    let opened = futures_util::future::join_all(opened).await;
    assert!(opened.iter().all(|(_, answer)| answer.is_empty()), "they are waited for");
    assert_eq!(begin(&app, FIRST, &half, ANSWERED).await.1, "HTTP/1.1 429");
    assert!(is_served(&app, FIRST).await, "a whole request of the same address");
    let (_other, answer) = begin(&app, SECOND, &half, UNANSWERED).await;
    assert_eq!(answer, "", "another address may begin one");
    drop(opened);
    for _ in 0..100 {
        if begin(&app, FIRST, &half, UNANSWERED).await.1.is_empty() {
            return;
        }
        sleep(Duration::from_millis(50)).await;
    }
    panic!("their places are free again");
}

#[tokio::test]
async fn behind_a_proxy_the_limit_applies_to_each_client() {
    let app = limited(TestStore::new(Engine::Sqlite), &["--trusted-proxies", "127.0.0.1"]);
    let half = |client: &str| {
        format!(
            "POST {SUBMIT} HTTP/1.1\r\nX-Forwarded-For: {client}\r\nContent-Type: application/json\r\nContent-Length: 1000"
        )
    };
    let (first, second) = (half("8.8.8.8"), half("9.9.9.9"));
    let opened = (0..HALF_OPEN).map(|_| begin(&app, FIRST, &first, UNANSWERED));
    let opened = futures_util::future::join_all(opened).await;
    assert!(opened.iter().all(|(_, answer)| answer.is_empty()));
    assert_eq!(begin(&app, FIRST, &first, ANSWERED).await.1, "HTTP/1.1 429");
    assert_eq!(begin(&app, FIRST, &second, UNANSWERED).await.1, "");
}

#[tokio::test]
async fn one_address_cannot_occupy_all_event_streams() {
    let store = TestStore::new(Engine::Sqlite);
    store.import("production", &crate::flags::document("hello"));
    let key = store.flag_key("production", "client", &[]);
    let app = limited(store, &[]);
    let stream = || {
        let answer = app.post("/api/flags/v3/stream-tickets").token(&key).gives(201).json();
        let ticket = answer["ticket"].as_str().expect("a ticket").to_owned();
        format!("GET /api/flags/v3/stream?ticket={ticket} HTTP/1.1")
    };
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        let (connection, answer) = begin(&app, FIRST, &stream(), ANSWERED).await;
        assert_eq!(answer, "HTTP/1.1 200");
        open.push(connection);
    }
    assert_eq!(begin(&app, FIRST, &stream(), ANSWERED).await.1, "HTTP/1.1 429");
    assert_eq!(begin(&app, SECOND, &stream(), ANSWERED).await.1, "HTTP/1.1 200");
    drop(open);
    for _ in 0..100 {
        // The server notices a client that disconnected when it sends something, or when the
        // connection ends.
        if begin(&app, FIRST, &stream(), ANSWERED).await.1 == "HTTP/1.1 200" {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("the streams are released");
}
