//! Request bodies that are too long, incomplete, or not the JSON that the contract requires.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, PRESSED, SUBMIT, accept, applicant};

on_both!(
    refuses_malformed_json,
    limits_the_length_of_a_body,
    refuses_an_incomplete_body,
    slow_uploads_do_not_block_other_clients,
    refuses_hostile_request_heads
);

fn refuses_malformed_json(engine: Engine) {
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
        // One level less is refused only for its shape.
        let deepest = app.post(path).token(&token).body("application/json", &nested(32));
        deepest.refused(422, "invalid_request");
    }
}

fn limits_the_length_of_a_body(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    let padded =
        |length: usize| [body.clone(), " ".repeat(length - body.len())].concat().into_bytes();
    app.post(SUBMIT).body("application/json", &padded(65_536)).gives(201);
    app.post(SUBMIT).body("application/json", &padded(65_537)).refused(413, "body_too_large");
    // Without `Content-Length` the server has to count the bytes.
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

/// Returns the status of the first response; empty if the connection was closed without one.
fn status_of(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset after an early response counts as closed.
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.split(' ').nth(1).unwrap_or_default().to_owned()
}

fn refuses_an_incomplete_body(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    for sent_bytes in [0, 1, body.len() / 2, body.len()] {
        let mut stream = connect(&app);
        // The request announces one byte more than it sends, even if the JSON is complete.
        let length = format!("Content-Length: {}\r\n", body.len() + 1);
        stream.write_all(head(&app, &length).as_bytes()).expect("it takes the head");
        stream.write_all(&body.as_bytes()[..sent_bytes]).expect("it takes the body");
        stream.shutdown(Shutdown::Write).expect("half closed");
        let status = status_of(&mut stream);
        assert!(status.is_empty() || status == "400", "{sent_bytes} bytes: {status}");
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

/// 400 phones start a submission and then stop sending. Other clients are served, nothing is
/// recorded for the 400, and one of them that continues gets a response.
fn slow_uploads_do_not_block_other_clients(engine: Engine) {
    let app = TestApp::start(engine);
    let term = app.term("FREELANCER", &[]);
    let body = applicant(&accept(&[term])).to_string();
    let head = head(&app, &format!("Content-Length: {}\r\n", body.len()));
    let (first_half, second_half) = body.as_bytes().split_at(body.len() / 2);
    let mut slow: Vec<TcpStream> = (0..400)
        .map(|_| {
            let mut stream = connect(&app);
            stream.write_all(head.as_bytes()).expect("it takes the head");
            stream.write_all(first_half).expect("it takes half of the body");
            stream
        })
        .collect();
    app.post(SUBMIT).body("application/json", body.as_bytes()).gives(201);
    app.get("/healthz").gives(200);
    assert_eq!(app.export(&[]).len(), 1, "half a body was recorded");
    let mut late = slow.pop().expect("a connection");
    late.write_all(second_half).expect("it takes the rest");
    let mut status = [0; 12];
    late.read_exact(&mut status).expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 201");
    assert_eq!(app.export(&[]).len(), 2);
}

fn refuses_hostile_request_heads(engine: Engine) {
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
        // The server may close the connection while the test is still sending.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
        let status = status_of(&mut stream);
        assert!(status.is_empty() || status.starts_with('4'), "{head:.60}: {status}");
    }
    app.get("/healthz").gives(200);
}
