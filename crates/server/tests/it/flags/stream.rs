//! Tickets and the event stream that they open.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::fixture::{Flags, everything, with};
use crate::app::{Start, TestApp, assert_within_limit, limit};
use crate::request::Request;
use crate::store::Engine;

on_both!(
    sends_a_change_at_once,
    a_ticket_opens_one_stream,
    another_node_sends_the_change_too,
    the_ofrep_link_opens_the_stream,
    a_revoked_key_receives_nothing,
    a_shutdown_ends_streams,
);

/// An open event stream, read as a browser reads it.
struct Listener(BufReader<TcpStream>);

impl Listener {
    #[track_caller]
    fn open(app: &TestApp, path: &str, headers: &str) -> Self {
        let mut stream = TcpStream::connect(&app.address).expect("connects");
        stream.set_read_timeout(Some(Duration::from_secs(15))).expect("a socket option");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", app.address);
        stream.write_all(request.as_bytes()).expect("sends");
        let mut listener = Self(BufReader::new(stream));
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(listener.0.read_line(&mut head).expect("a head") > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        assert!(head.contains("cache-control: private, no-store"), "{head}");
        for name in [
            "content-security-policy",
            "cross-origin-resource-policy: cross-origin",
            "referrer-policy",
            "x-content-type-options",
            "x-request-id",
        ] {
            assert!(head.contains(name), "{name}: {head}");
        }
        listener
    }

    /// Returns the rest of the next line with this prefix; none at the end of the stream.
    #[track_caller]
    fn next(&mut self, prefix: &str) -> Option<String> {
        let mut line = String::new();
        // The last chunk of the body has no bytes.
        while self.0.read_line(&mut line).expect("no time-out") > 0 && line != "0\r\n" {
            if let Some(value) = line.strip_prefix(prefix) {
                return Some(value.trim_end().to_owned());
            }
            line.clear();
        }
        None
    }
}

fn ticket(flags: &Flags) -> String {
    let request = flags.app.post("/api/flags/v3/stream-tickets").token(&flags.client);
    let answer = request.gives(201);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let body = answer.json();
    assert_eq!(body["expires_in"], 60);
    body["ticket"].as_str().expect("a ticket").to_owned()
}

fn path(ticket: &str) -> String {
    format!("/api/flags/v3/stream?ticket={ticket}")
}

/// Builds the request that switches the flag `plain` on or off.
fn change(flags: &Flags, on: bool) -> Request {
    let admin = flags.app.session_of("admin");
    let path = "/api/admin/v1/environments/production/flags/plain/on";
    flags.app.request("PUT", path).token(&admin).json(&json!({"on": on}))
}

fn sends_a_change_at_once(engine: Engine) {
    let flags = Flags::start(engine);
    let mut listener = Listener::open(&flags.app, &path(&ticket(&flags)), "");
    listener.next(": open").expect("it is open");
    let request = change(&flags, false);
    let answered = std::thread::scope(|scope| {
        let answered = scope.spawn(move || {
            request.gives(200);
            Instant::now()
        });
        assert_eq!(listener.next("id: ").expect("an event"), "2");
        let notified_at = Instant::now();
        let answered = answered.join().expect("it is changed");
        notified_at.saturating_duration_since(answered)
    });
    assert!(answered < limit(Duration::from_millis(100)), "{answered:?} after the answer");
    let data = listener.next("data: ").expect("an event");
    let data: serde_json::Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!((&data["type"], &data["version"]), (&json!("refetchEvaluation"), &json!(2)));
    // A change of another environment does not appear here.
    flags.app.import("staging", &with(everything(), "environment", json!("staging")));
    flags.app.import("production", &everything());
    assert_eq!(listener.next("id: ").expect("an event"), "3");
    // A client that reconnects with an old event id gets the newest version at once.
    let mut back = Listener::open(&flags.app, &path(&ticket(&flags)), "Last-Event-ID: 2\r\n");
    assert_eq!(back.next("id: ").expect("an event"), "3");
}

fn a_ticket_opens_one_stream(engine: Engine) {
    let flags = Flags::start(engine);
    let ticket_ = ticket(&flags);
    let _open = Listener::open(&flags.app, &path(&ticket_), "");
    let get = |path: &str| flags.app.get(path);
    get(&path(&ticket_)).refused(401, "ticket_invalid");
    for bad in ["/api/flags/v3/stream", &path(""), &path("nonsense"), &path(&ticket_[1..])] {
        get(bad).refused(401, "ticket_invalid");
    }
    let tickets = "/api/flags/v3/stream-tickets";
    flags.app.post(tickets).refused(401, "unauthenticated");
    // The server ignores the body, because the call has no parameters.
    for (media_type, body) in [
        ("application/json", &b"{}"[..]),
        ("application/json", b"{"),
        ("text/plain", b"x"),
        ("application/x-www-form-urlencoded", b"a=b"),
    ] {
        flags.app.post(tickets).token(&flags.client).body(media_type, body).gives(201);
    }
    flags.app.post(tickets).token(&flags.client).bytes(b"x").gives(201);
    flags.app.post(tickets).json(&json!({})).refused(401, "unauthenticated");
    let later = [("MUSETTE_CLOCK_OFFSET", "61")];
    let node = TestApp::serve_with(&flags.app.store(), Start { env: &later, ..Start::default() });
    node.get(&path(&ticket(&flags))).refused(401, "ticket_invalid");
    let log = std::fs::read_to_string(flags.app.path("serve.log")).expect("a log");
    assert!(!log.contains(&ticket_), "tickets are never logged");
}

fn another_node_sends_the_change_too(engine: Engine) {
    let flags = Flags::start(engine);
    let node = TestApp::serve_with(&flags.app.store(), Start::default());
    let ticket = ticket(&flags);
    // One node issued the ticket and the other accepts it, once.
    let mut listener = Listener::open(&node, &path(&ticket), "");
    flags.app.get(&path(&ticket)).refused(401, "ticket_invalid");
    change(&flags, false).gives(200);
    let changed = Instant::now();
    assert_eq!(listener.next("id: ").expect("an event"), "2");
    assert_within_limit(changed, Duration::from_secs(1));
}

fn the_ofrep_link_opens_the_stream(engine: Engine) {
    let flags = Flags::start(engine);
    let body = json!({"context": {}});
    let all = flags.app.post("/ofrep/v1/evaluate/flags").token(&flags.client).json(&body);
    let all = all.gives(200).json();
    let link =
        all["eventStreams"][0]["endpoint"]["requestUri"].as_str().expect("a link").to_owned();
    let mut listener = Listener::open(&flags.app, &link, "");
    // The client stores the link and reconnects with it.
    let mut again = Listener::open(&flags.app, &link, "");
    change(&flags, false).gives(200);
    for listener in [&mut listener, &mut again] {
        assert_eq!(listener.next("id: ").expect("an event"), "2");
    }
    flags.app.get("/ofrep/v1/stream?access=x").refused(401, "ticket_invalid");
    flags.app.get("/ofrep/v1/stream").refused(401, "ticket_invalid");
    assert_link_opens_nothing_else(&flags, &link);
    assert_link_expires_and_is_replaced(&flags, &link);
}

fn a_revoked_key_receives_nothing(engine: Engine) {
    let flags = Flags::start(engine);
    let body = json!({"context": {}});
    let all = flags.app.post("/ofrep/v1/evaluate/flags").token(&flags.client).json(&body);
    let all = all.gives(200).json();
    let link = all["eventStreams"][0]["endpoint"]["requestUri"].as_str().expect("a link");
    let mut open = [link, &path(&ticket(&flags))].map(|path| Listener::open(&flags.app, path, ""));
    let unused = ticket(&flags);
    change(&flags, false).gives(200);
    for listener in &mut open {
        assert_eq!(listener.next("id: ").expect("an event"), "2");
    }
    let admin = flags.app.session_of("admin");
    let keys = "/api/admin/v1/environments/production/keys";
    let listed = flags.app.get(keys).token(&admin).gives(200).json();
    let items = listed["items"].as_array().expect("items").iter();
    for id in
        items.filter(|key| key["kind"] == "client").map(|key| key["id"].as_str().expect("an id"))
    {
        flags.app.command(&["key", "revoke", id]).expect_success();
    }
    flags.app.get(link).refused(401, "ticket_invalid");
    flags.app.get(&path(&unused)).refused(401, "ticket_invalid");
    change(&flags, true).gives(200);
    for listener in &mut open {
        assert_eq!(listener.next("id: "), None, "the stream ends");
    }
}

/// The link is part of URLs, which proxies log. It only reveals that something changed in that
/// environment.
fn assert_link_opens_nothing_else(flags: &Flags, link: &str) {
    let access = link.split_once("access=").expect("a link").1;
    flags.app.get(&path(access)).refused(401, "ticket_invalid");
    let all = flags.app.post("/ofrep/v1/evaluate/flags").json(&json!({"context": {}}));
    all.clone().token(access).refused(401, "unauthenticated");
    all.header("x-api-key", access).refused(401, "unauthenticated");
    let one = flags.app.request("PUT", "/api/flags/v3/features/plain").json(&json!({}));
    one.token(access).refused(401, "unauthenticated");
    flags.app.get("/api/flags/v3/features-list/keys").token(access).refused(401, "unauthenticated");
    let tickets = flags.app.post("/api/flags/v3/stream-tickets").token(access);
    tickets.refused(401, "unauthenticated");
    let opened =
        path(&ticket(flags)).replace("/api/flags/v3/stream?ticket", "/ofrep/v1/stream?access");
    flags.app.get(&opened).refused(401, "ticket_invalid");
    flags.app.import("staging", &everything());
    let mut listener = Listener::open(&flags.app, link, "");
    flags.app.import("staging", &super::document("hello"));
    change(flags, true).gives(200);
    assert_eq!(listener.next("id: ").expect("an event"), "3", "an event of its environment");
}

/// A day later, according to the clock of another node on the store.
fn assert_link_expires_and_is_replaced(flags: &Flags, link: &str) {
    let all = |app: &TestApp| {
        let all = app.post("/ofrep/v1/evaluate/flags").token(&flags.client);
        all.json(&json!({"context": {}}))
    };
    let tag = all(&flags.app).gives(200).header("etag").to_owned();
    let at = |seconds: &str| {
        let env = [("MUSETTE_CLOCK_OFFSET", seconds)];
        TestApp::serve_with(&flags.app.store(), Start { env: &env, ..Start::default() })
    };
    Listener::open(&at("82800"), link, "");
    let tomorrow = at("86400");
    tomorrow.get(link).refused(401, "ticket_invalid");
    // The response is otherwise unchanged, but "not modified" would leave the client with the old
    // link.
    let renewed = all(&tomorrow).header("if-none-match", &tag).gives(200);
    let renewed = renewed.json();
    let next = renewed["eventStreams"][0]["endpoint"]["requestUri"].as_str().expect("a link");
    assert_ne!(next, link);
    Listener::open(&tomorrow, next, "");
}

fn a_shutdown_ends_streams(engine: Engine) {
    let mut flags = Flags::start(engine);
    let mut listener = Listener::open(&flags.app, &path(&ticket(&flags)), "");
    flags.app.signal("TERM");
    let started = Instant::now();
    assert_eq!(listener.next("id: "), None, "it ends");
    let status = flags.app.wait_for_exit(Duration::from_secs(5));
    assert!(status.success());
    assert!(started.elapsed() < Duration::from_secs(5), "the shutdown does not wait for streams");
}
