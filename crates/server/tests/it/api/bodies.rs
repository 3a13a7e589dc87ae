//! Bodies that are too long, cut off, or no JSON as the contract wants it.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, PRESSED, SUBMIT, accept, applicant};

on_both!(
    malformed_json,
    the_longest_body,
    a_body_that_is_cut_off,
    slow_uploads_hold_up_nobody,
    hostile_heads
);

fn malformed_json(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let token = app.token("r1");
    let nested = |depth: usize| {
        format!(r#"{{"x":{}1{}}}"#, "[".repeat(depth - 1), "]".repeat(depth - 1)).into_bytes()
    };
    let bodies: [&[u8]; 20] = [
        b"",
        b" ",
        b"{",
        b"{}{}",
        b"{} x",
        b"\xef\xbb\xbf{}",
        b"{'user_id':''}",
        b"{\"user_id\":\"\",}",
        b"{\"user_id\":\"\",\"user_id\":\"\"}",
        br#"{"user_id":"","user_\u0069d":""}"#,
        br#"{"x":[{"a":1,"a":1}]}"#,
        br#"{"user_id":"\ud800"}"#,
        br#"{"user_id":"\udc00\ud800"}"#,
        b"{\"user_id\":\"\xff\"}",
        b"{\"user_id\":\"\xc0\x80\"}",
        b"{\"user_id\":\"\xed\xa0\x80\"}",
        b"{\"user_id\":1e999}",
        b"{\"user_id\":NaN}",
        b"{\"user_id\":\"\n\"}",
        &nested(33),
    ];
    for path in [SUBMIT, CLAIM] {
        for body in bodies {
            let request = app.post(path).token(&token).body("application/json", body);
            request.refused(400, "malformed_json");
        }
        // One level less is only of the wrong shape.
        let deepest = app.post(path).token(&token).body("application/json", &nested(32));
        deepest.refused(422, "invalid_request");
    }
}

fn the_longest_body(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    let padded =
        |length: usize| [body.clone(), " ".repeat(length - body.len())].concat().into_bytes();
    app.post(SUBMIT).body("application/json", &padded(65_536)).gives(201);
    app.post(SUBMIT).body("application/json", &padded(65_537)).refused(413, "body_too_large");
    // Without a length the server has to count.
    for (length, status) in [(65_536, "201"), (65_537, "413")] {
        let mut stream = connect(&app);
        let head = head(&app, "Transfer-Encoding: chunked\r\nConnection: close\r\n");
        let (chunk, end) = (format!("{length:x}\r\n"), "\r\n0\r\n\r\n");
        for part in [head.as_bytes(), chunk.as_bytes(), &padded(length), end.as_bytes()] {
            stream.write_all(part).expect("it takes the body");
        }
        assert_eq!(status_of(&mut stream), status, "{length} bytes in one chunk");
    }
    assert_eq!(app.export(&[]).len(), 2);
}

fn connect(app: &TestApp) -> TcpStream {
    let stream = TcpStream::connect(&app.address).expect("it accepts");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    stream
}

fn head(app: &TestApp, more: &str) -> String {
    let host = &app.address;
    format!(
        "POST {SUBMIT} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{more}\r\n"
    )
}

/// The three digits of the first answer; empty where the connection was closed without one.
fn status_of(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // Reset after an early answer is as good as closed.
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.split(' ').nth(1).unwrap_or_default().to_owned()
}

fn a_body_that_is_cut_off(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    for sent in [0, 1, body.len() / 2, body.len()] {
        let mut stream = connect(&app);
        // One byte more is announced than will ever come, even where the JSON is whole.
        let length = format!("Content-Length: {}\r\n", body.len() + 1);
        stream.write_all(head(&app, &length).as_bytes()).expect("it takes the head");
        stream.write_all(&body.as_bytes()[..sent]).expect("it takes the body");
        stream.shutdown(Shutdown::Write).expect("half closed");
        let status = status_of(&mut stream);
        assert!(status.is_empty() || status == "400", "{sent} bytes: {status}");
    }
    for broken in ["5\r\n{\"use", "zz\r\n{}\r\n0\r\n\r\n", "fffffffffffffffff\r\n"] {
        let mut stream = connect(&app);
        let head = head(&app, "Transfer-Encoding: chunked\r\n");
        stream.write_all(head.as_bytes()).expect("it takes the head");
        stream.write_all(broken.as_bytes()).expect("it takes the body");
        stream.shutdown(Shutdown::Write).expect("half closed");
        let status = status_of(&mut stream);
        assert!(status.is_empty() || status == "400", "{broken:?}: {status}");
    }
    assert_eq!(app.export(&[]).len(), 0, "half a body was recorded");
    let whole = format!(
        r#"{{"user_id":"","user_type":"APPLICANT","consents":[{{"accepted":true,"terms_and_conditions_id":{term},"consented_at":"{PRESSED}"}}]}}"#
    );
    app.post(SUBMIT).body("application/json", whole.as_bytes()).gives(201);
}

/// Four hundred phones begin a submission and send no more: others are served, nothing is recorded of
/// them, and one of them that goes on is answered.
fn slow_uploads_hold_up_nobody(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    let head = head(&app, &format!("Content-Length: {}\r\n", body.len()));
    let (sent, missing) = body.as_bytes().split_at(body.len() / 2);
    let mut slow: Vec<TcpStream> = (0..400)
        .map(|_| {
            let mut stream = connect(&app);
            stream.write_all(head.as_bytes()).expect("it takes the head");
            stream.write_all(sent).expect("it takes half of the body");
            stream
        })
        .collect();
    app.post(SUBMIT).body("application/json", body.as_bytes()).gives(201);
    app.get("/healthz").gives(200);
    assert_eq!(app.export(&[]).len(), 1, "half a body was recorded");
    let mut late = slow.pop().expect("a connection");
    late.write_all(missing).expect("it takes the rest");
    let mut status = [0; 12];
    late.read_exact(&mut status).expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 201");
    assert_eq!(app.export(&[]).len(), 2);
}

fn hostile_heads(engine: Engine) {
    let app = TestApp::start(engine);
    let host = &app.address;
    for head in [
        "nonsense\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        format!("GET /api\r\nHost: {host}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(200_000)),
        format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(100_000)),
        format!(
            "POST {SUBMIT} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"
        ),
    ] {
        let mut stream = connect(&app);
        // It may hang up while we still talk.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let status = status_of(&mut stream);
        assert!(status.is_empty() || status.starts_with('4'), "{head:.60}: {status}");
    }
    app.get("/healthz").gives(200);
}
