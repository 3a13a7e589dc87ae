//! The server sends no event to an internal address of the company unless `--webhook-allow`
//! includes it.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::json;

use super::receiver::{Receiver, Reply, WITHIN};
use super::{add_webhook, deliveries, serve_allowing, with_admin};
use crate::admin::ADMIN;
use crate::app::{Start, TestApp};
use crate::store::Engine;

on_both!(refuses_private_addresses, checks_the_address_when_connecting, does_not_follow_redirects,);

const LOOPBACK: &str = "127.0.0.0/8,::1/128";

/// Accepts connections, so that the test sees whether any was made.
fn trap() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("it does not wait");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

fn was_reached(trap: &TcpListener) -> bool {
    match trap.accept() {
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        Err(error) => panic!("{error}"),
    }
}

fn refuses_private_addresses(engine: Engine) {
    let (store, admin) = with_admin(engine);
    let app = TestApp::serve_with(&store, Start::default());
    let webhooks = format!("{ADMIN}/webhooks");
    let body = |url: &str| json!({"url": url, "types": ["gate.changed"]});
    let add = |url: &str| app.post(&webhooks).token(&admin).json(&body(url));
    let created = add("https://8.8.8.8/").gives(201).json();
    let path = format!("{webhooks}/{}", created["id"].as_str().expect("an id"));
    for host in [
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.1.1",
        "[::]",
        "[::1]",
        "[::127.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::]",
        "[fc00::1]",
        "[fd12:3456::1]",
        "[fe80::1]",
        "[fec0::1]",
        // Host names, and spellings that the resolver accepts as an address.
        "localhost",
        "LOCALHOST",
        "2130706433",
        "127.1",
        "0x7f.1",
    ] {
        let url = format!("https://{host}:8443/x");
        add(&url).refused(422, "address_not_allowed");
        let change = app.request("PUT", &path).token(&admin).json(&body(&url));
        change.refused(422, "address_not_allowed");
    }
    for url in ["http://8.8.8.8/", "http://127.0.0.1/", "http://localhost/"] {
        add(url).refused(422, "address_not_allowed");
    }
    add("ftp://8.8.8.8/").refused(422, "invalid_request");
    assert_eq!(app.get(&path).token(&admin).gives(200).json()["url"], "https://8.8.8.8/");
}

fn checks_the_address_when_connecting(engine: Engine) {
    let (store, admin) = with_admin(engine);
    let mut app = serve_allowing(&store, LOOPBACK);
    let (trap, port) = trap();
    let hosts = ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost"];
    let urls = hosts
        .iter()
        .flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:{port}/")));
    let webhooks: Vec<String> = urls.map(|url| add_webhook(&app, &admin, &url)).collect();
    let test = |app: &TestApp, id: &str| {
        app.post(&format!("{ADMIN}/webhooks/{id}/test")).token(&admin).gives(202);
    };
    for id in &webhooks {
        test(&app, id);
        let started = Instant::now();
        while !was_reached(&trap) {
            assert!(started.elapsed() < WITHIN, "with the setting it is reached");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    app.signal("KILL");
    app.wait_for_exit(WITHIN);
    // Connections of the previous node.
    while was_reached(&trap) {}
    let app = TestApp::serve_with(&store, Start::default());
    for id in &webhooks {
        test(&app, id);
        // The newest delivery is first. The previous node tried the other one.
        let all = deliveries(&app, &admin, id, |all| all.len() == 2 && all[0]["attempts"] != 0);
        let why = "the address is neither public nor in --webhook-allow";
        assert_eq!((&all[0]["error"], &all[0]["status"]), (&why.into(), &"waiting".into()));
    }
    assert!(!was_reached(&trap));
}

fn does_not_follow_redirects(engine: Engine) {
    let (store, admin) = with_admin(engine);
    let app = serve_allowing(&store, LOOPBACK);
    let (trap, port) = trap();
    for status in [301, 302, 303, 307, 308] {
        let to = format!("http://127.0.0.1:{port}/");
        let receiver = Receiver::start(Reply::Redirect(status, to));
        let id = add_webhook(&app, &admin, &receiver.url);
        app.post(&format!("{ADMIN}/webhooks/{id}/test")).token(&admin).gives(202);
        let tried = deliveries(&app, &admin, &id, |all| {
            all.iter().all(|delivery| delivery["attempts"] != 0)
        });
        assert_eq!((tried.len(), &tried[0]["response_status"]), (1, &status.into()), "{tried:?}");
        assert_eq!(tried[0]["status"], "waiting", "it is no delivery");
    }
    assert!(!was_reached(&trap));
}
