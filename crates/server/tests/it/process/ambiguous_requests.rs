//! Requests that two programs could interpret differently, sent as bytes. A proxy and the server
//! must never disagree about the end of a request or its host.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use crate::app::TestApp;
use crate::store::Engine;

on_both!(
    refuses_ambiguous_requests_and_closes_the_connection,
    reports_requests_that_are_too_long,
    answers_earlier_requests_before_refusing_a_later_one,
    accepts_unusual_but_unambiguous_requests,
);

/// The flag service has its own routes outside of the router.
const PATHS: [&str; 3] = ["/healthz", "/api/flags/v3/features", "/ofrep/v1/evaluate/flags"];

struct Wire(TcpStream);

impl Wire {
    fn open(app: &TestApp) -> Self {
        let stream = TcpStream::connect(&app.address).expect("it accepts");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
        Self(stream)
    }

    fn send(&mut self, bytes: &[u8]) {
        // The server may have closed the connection already.
        let _ = self.0.write_all(bytes);
    }

    /// Reads everything up to the end of the connection.
    fn rest(&mut self) -> String {
        let mut answer = Vec::new();
        let _ = self.0.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .filter(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
        .next()
        .unwrap_or_default()
}

/// Checks that there is one response, which is this problem with all common headers, followed by
/// the end of the connection.
#[track_caller]
fn assert_refused(answer: &str, status: u16, code: &str, request: &str) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {answer:?}");
    assert_eq!(answer.matches("x-request-id: ").count(), 1, "{request:?}: {answer:?}");
    assert_eq!(header(answer, "connection"), "close", "{request:?}: {answer}");
    assert_eq!(header(answer, "content-type"), "application/problem+json", "{request:?}: {answer}");
    for name in ["content-security-policy", "x-content-type-options", "referrer-policy"] {
        assert_ne!(header(answer, name), "", "{name} after {request:?}: {answer}");
    }
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    let problem: serde_json::Value = serde_json::from_str(body).expect(body);
    assert_eq!(problem["code"], code, "{request:?}");
    assert_eq!(problem["request_id"], header(answer, "x-request-id"), "{request:?}");
}

fn ambiguous(path: &str, host: &str) -> Vec<String> {
    let get = |lines: &str| format!("GET {path} HTTP/1.1\r\n{lines}\r\n");
    let put = |lines: &str, body: &str| {
        format!(
            "PUT {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{lines}\r\n{body}"
        )
    };
    let chunked = "2\r\n{}\r\n0\r\n\r\n";
    vec![
        put("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunked),
        put("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", chunked),
        put("Content-Length: 2\r\nContent-Length: 2\r\n", "{}"),
        put("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"),
        put("Content-Length: 2, 2\r\n", "{}"),
        put("Content-Length: +2\r\n", "{}"),
        put("Content-Length: 2;\r\n", "{}"),
        put("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunked),
        put("Transfer-Encoding: gzip, chunked\r\n", chunked),
        put("Transfer-Encoding: xchunked\r\n", chunked),
        put("Transfer-Encoding: chunked, identity\r\n", chunked),
        put("Transfer-Encoding : chunked\r\n", chunked),
        put("Content-Length : 2\r\n", "{}"),
        put("X: a\r\n b\r\n", ""),
        put("X: a\r\n\tContent-Length: 2\r\n", "{}"),
        format!("PUT {path} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n{chunked}"),
        get(""),
        get(&format!("Host: {host}\r\nHost: {host}\r\n")),
        get(&format!("Host: {host}\r\nHost: elsewhere.example\r\n")),
        get(&format!(" Host: {host}\r\n")),
        get(&format!("Host : {host}\r\n")),
        get(&format!("Host: {host}\r\nX: a\0b\r\n")),
        get(&format!("Host: {host}\r\nX: a\rb\r\n")),
        get(&format!("Host: {host}\r\nX\r\n")),
        get(&format!("Host: {host}\r\nB\u{e9}: a\r\n")),
        format!("GET {path} HTTP/1.1\nHost: {host}\n\n"),
        format!("GET {path} HTTP/1.1\r\nHost: {host}\nX: a\r\n\r\n"),
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\n"),
        format!("GET http://elsewhere.example{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET http://{host}@elsewhere.example{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET {path}#fragment HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET {path}\r\nHost: {host}\r\n\r\n"),
        format!("GET {path} HTTP/1.2\r\nHost: {host}\r\n\r\n"),
        format!("GET {path} HTTP/2.0\r\nHost: {host}\r\n\r\n"),
        format!("GET  {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET\t{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("MUSETTE-REFUSED {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}".to_owned(),
    ]
}

fn refuses_ambiguous_requests_and_closes_the_connection(engine: Engine) {
    let app = TestApp::start(engine);
    for path in PATHS {
        for request in ambiguous(path, &app.address) {
            let mut wire = Wire::open(&app);
            // The server must not answer a smuggled request.
            let smuggled = format!("GET /readyz HTTP/1.1\r\nHost: {}\r\n\r\n", app.address);
            wire.send(format!("{request}{smuggled}").as_bytes());
            assert_refused(&wire.rest(), 400, "malformed_request", &request);
            // The same request byte by byte, as over a slow connection.
            let mut wire = Wire::open(&app);
            wire.0.set_nodelay(true).expect("an option");
            for byte in request.as_bytes() {
                wire.send(&[*byte]);
            }
            let _ = wire.0.shutdown(Shutdown::Write);
            let answer = wire.rest();
            if !answer.is_empty() {
                assert_refused(&answer, 400, "malformed_request", &request);
            }
        }
    }
    app.get("/healthz").gives(200);
}

fn reports_requests_that_are_too_long(engine: Engine) {
    let app = TestApp::start(engine);
    let (host, long) = (&app.address, "x".repeat(100_000));
    for path in PATHS {
        for (request, status, code) in [
            (format!("GET {path}?{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"), 414, "uri_too_long"),
            (
                format!("GET {path}?{} HTTP/1.1\r\nHost: {host}\r\n\r\n", &long[..20_000]),
                414,
                "uri_too_long",
            ),
            (
                format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nX: {long}\r\n\r\n"),
                431,
                "headers_too_large",
            ),
            (
                format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: y\r\n".repeat(200)),
                431,
                "headers_too_large",
            ),
        ] {
            let mut wire = Wire::open(&app);
            wire.send(request.as_bytes());
            assert_refused(&wire.rest(), status, code, &request[..60]);
        }
        let mut wire = Wire::open(&app);
        let most = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nX: {}\r\nConnection: close\r\n\r\n",
            &long[..40_000]
        );
        wire.send(most.as_bytes());
        let answer = wire.rest();
        assert!(!answer.contains(" 431 ") && answer.starts_with("HTTP/1.1 "), "{answer:.80}");
    }
}

fn answers_earlier_requests_before_refusing_a_later_one(engine: Engine) {
    let app = TestApp::start(engine);
    let host = &app.address;
    for path in PATHS {
        let body = "{\"userId\":\"u1\"}";
        let good = format!(
            "PUT {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let bad = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n");
        let mut wire = Wire::open(&app);
        wire.send(format!("{good}{good}{bad}{good}").as_bytes());
        let answer = wire.rest();
        let answers: Vec<&str> = answer.split("HTTP/1.1 4").skip(1).collect();
        assert_eq!(answers.len(), 3, "{answer}");
        assert!(!answers[0].starts_with("00") && !answers[1].starts_with("00"), "{answer}");
        assert!(
            answers[2].starts_with("00") && answers[2].contains("malformed_request"),
            "{answer}"
        );
    }
}

fn accepts_unusual_but_unambiguous_requests(engine: Engine) {
    let app = TestApp::start(engine);
    let host = &app.address;
    for request in [
        format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n"),
        format!("\r\nGET /healthz HTTP/1.1\r\nHOST:{host}\r\n"),
        format!("GET http://{host}/healthz HTTP/1.1\r\nHost: {host}\r\n"),
        "GET /healthz HTTP/1.0\r\n".to_owned(),
        format!("GET /healthz?a=%20&b=[]|^ HTTP/1.1\r\nHost: {host}\r\nX:\r\n"),
    ] {
        let mut wire = Wire::open(&app);
        wire.send(format!("{request}Connection: close\r\n\r\n").as_bytes());
        let answer = wire.rest();
        assert!(
            answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.0 200"),
            "{request:?}: {answer}"
        );
    }
    // Unsupported methods, with valid and invalid paths.
    for request in [
        format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n"),
        format!("TRACE /healthz HTTP/1.1\r\nHost: {host}\r\n"),
        format!("BREW /api/flags/v3/features HTTP/1.1\r\nHost: {host}\r\n"),
    ] {
        let mut wire = Wire::open(&app);
        wire.send(format!("{request}Connection: close\r\n\r\n").as_bytes());
        let answer = wire.rest();
        assert!(answer.starts_with("HTTP/1.1 405"), "{request:?}: {answer}");
        assert_ne!(header(&answer, "allow"), "", "{request:?}: {answer}");
        assert!(!answer.contains("X-Secret") && !answer.contains("TRACE /"), "{answer}");
    }
    let mut wire = Wire::open(&app);
    wire.send(
        format!("OPTIONS * HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes(),
    );
    let answer = wire.rest();
    assert!(answer.starts_with("HTTP/1.1 405") || answer.starts_with("HTTP/1.1 204"), "{answer}");
}
