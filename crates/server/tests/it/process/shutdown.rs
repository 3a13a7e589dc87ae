//! SIGTERM and SIGINT.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant};

on_both!(finishes_requests_in_flight, reports_not_ready_while_draining);

const SOON: Duration = Duration::from_secs(20);

fn finishes_requests_in_flight(engine: Engine) {
    for signal in ["TERM", "INT"] {
        let store = Arc::new(TestStore::new(engine));
        let term = store.term("FREELANCER", &[]);
        let mut app = TestApp::serve_with(&store, Start::default());
        // An idle connection must not delay the shutdown.
        let idle = TcpStream::connect(&app.address).expect("it accepts");
        let body = applicant(&accept(&[term])).to_string();
        let mut stream = TcpStream::connect(&app.address).expect("it accepts");
        stream.set_read_timeout(Some(SOON)).expect("a limit");
        let (host, length) = (&app.address, body.len());
        let head = format!(
            "POST {SUBMIT} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it takes the head");
        stream.write_all(&body.as_bytes()[..length / 2]).expect("it takes half");
        std::thread::sleep(Duration::from_millis(100));
        app.signal(signal);
        until("it accepts no more", || TcpStream::connect(&app.address).is_err());
        assert!(app.is_running(), "it stopped in the middle of a request");
        stream.write_all(&body.as_bytes()[length / 2..]).expect("it takes the rest");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer, and the end");
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        assert_eq!(app.wait_for_exit(SOON).code(), Some(0));
        assert_eq!(store.export(&[]).len(), 1);
        drop(idle);
    }
}

fn reports_not_ready_while_draining(engine: Engine) {
    let store = Arc::new(TestStore::new(engine));
    let term = store.term("FREELANCER", &[]);
    let start = Start { args: &["--drain-delay", "3"], ..Start::default() };
    let mut app = TestApp::serve_with(&store, start);
    app.get("/readyz").gives(200);
    let start = Instant::now();
    app.signal("TERM");
    while app.get("/readyz").send().status != 503 {
        assert!(start.elapsed() < Duration::from_secs(2), "it does not say that it drains");
    }
    while start.elapsed() < Duration::from_millis(2_000) {
        app.get("/readyz").refused(503, "unavailable");
        app.get("/healthz").gives(200);
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    }
    assert_eq!(app.wait_for_exit(SOON).code(), Some(0));
    assert!(start.elapsed() >= Duration::from_millis(3_000));
    assert_eq!(app.rest_of_stdout(), "", "one line on stdout, no more");
}
