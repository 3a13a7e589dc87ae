//! Flags while the database is away.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde_json::json;

use super::{admin, document, served};
use crate::app::{Start, TestApp};
use crate::request::Request;
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, V3, accept, applicant};

/// Nothing listens there.
const NOWHERE: (&str, &str) = ("MUSETTE_DATABASE", "postgres://nobody@127.0.0.1:1/nowhere");

struct Prepared {
    store: Arc<TestStore>,
    token: String,
    key: String,
}

fn prepared() -> Prepared {
    let store = TestStore::new(Engine::Postgres);
    let token = store.session_of("operator");
    store.import("production", &document("hello"));
    let args = ["key", "create", "--env", "production", "--kind", "server"];
    let key = store.command(&args).done().trim().to_owned();
    Prepared { store: Arc::new(store), token, key }
}

fn greeting(app: &TestApp, key: &str) -> Request {
    app.request("PUT", "/api/flags/v3/features/greeting").token(key).json(&json!({"userId": "u1"}))
}

#[track_caller]
fn greets(app: &TestApp, key: &str, version: i64, value: &str) {
    let answer = greeting(app, key).gives(200).json();
    assert_eq!((&answer["version"], &answer["variation"]), (&json!(version), &json!(value)));
}

fn stale_seconds(app: &TestApp) -> f64 {
    let text = app.metrics();
    let line = text.lines().find_map(|line| line.strip_prefix("musette_flags_stale_seconds "));
    line.expect("the metric").parse().expect("a number")
}

#[test]
fn a_node_that_is_cut_off_goes_on_answering() {
    let Prepared { store, token, key } = prepared();
    let app = TestApp::serve_with(&store, Start::default());
    greets(&app, &key, 1, "Hello");
    let etag = greeting(&app, &key).gives(200).header("etag").to_owned();
    assert!(stale_seconds(&app) < 3.0);
    store.let_nobody_in(true);
    until("it says for how long", || {
        greets(&app, &key, 1, "Hello");
        stale_seconds(&app) > 3.0
    });
    greeting(&app, &key).header("if-none-match", &etag).gives(304);
    let refused = app.get("/readyz").refused(503, "unavailable");
    let detail = refused.json()["detail"].as_str().expect("a text").to_owned();
    assert!(detail.contains("Flags") && detail.contains("stale"), "{detail}");
    let put = admin(&app, &token, "PUT", "/flags").header("if-match", "\"1\"");
    put.json(&document("welcome")).refused(503, "unavailable");
    greeting(&app, "musette_server_nobody").refused(401, "unauthenticated");
    store.let_nobody_in(false);
    until("it is ready again", || app.get("/readyz").send().status == 200);
    until("it is current again", || stale_seconds(&app) < 1.0);
    store.import("production", &document("welcome"));
    greets(&app, &key, 2, "Welcome");
}

#[test]
fn a_node_starts_and_answers_flags_without_its_database() {
    let Prepared { store, token, key } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    store.import("production", &document("welcome"));
    drop(first);
    store.let_nobody_in(true);
    let app = TestApp::serve_with(&store, Start::default());
    greets(&app, &key, 2, "Welcome");
    app.get("/healthz").gives(200);
    let readyz = app.get("/readyz").refused(503, "unavailable");
    assert!(readyz.json()["detail"].to_string().contains("stale"));
    assert!(stale_seconds(&app) > 0.0);
    let needs_the_store = [
        app.get(&format!("{V3}/public/terms")),
        app.get("/.well-known/jwks.json"),
        app.get("/").header("accept", "text/html"),
        app.post(SUBMIT).json(&json!({})),
        admin(&app, &token, "GET", "/flags"),
    ];
    for request in &needs_the_store {
        let refused = request.refused(503, "unavailable");
        assert!(refused.header("retry-after").parse::<u64>().is_ok());
    }
    // It finds the store by itself, and then serves everything, what was changed meanwhile too.
    store.let_nobody_in(false);
    until("it is ready", || app.get("/readyz").send().status == 200);
    app.get(&format!("{V3}/public/terms")).gives(200);
    assert_eq!(served(&app, &token), (2, "Welcome".into()));
    store.import("production", &document("hello"));
    greets(&app, &key, 3, "Hello");
    app.signal("TERM");
    let mut app = app;
    assert!(app.ended(Duration::from_secs(10)).success());
}

#[test]
fn a_node_whose_database_is_at_no_address_answers_flags_too() {
    let Prepared { store, key, .. } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    greets(&first, &key, 1, "Hello");
    drop(first);
    let mut app = TestApp::serve_with(&store, Start { env: &[NOWHERE], ..Start::default() });
    greets(&app, &key, 1, "Hello");
    app.get("/readyz").refused(503, "unavailable");
    app.signal("TERM");
    assert!(app.ended(Duration::from_secs(10)).success(), "it stops while it still looks");
}

/// It neither refuses nor answers, as a machine does that lost its network: nobody waits for it, neither at the start nor
/// at the end. What is answered here is answered while it is silent.
#[test]
fn a_silent_database_holds_nobody_up() {
    let Prepared { store, key, .. } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    greets(&first, &key, 1, "Hello");
    drop(first);
    let relay = Relay::start(0);
    let url = relay.url(&store);
    let env = [("MUSETTE_DATABASE", url.as_str()), ("MUSETTE_STORE_WITHIN", "200")];
    let mut app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    greets(&app, &key, 1, "Hello");
    app.get("/readyz").refused(503, "unavailable");
    app.signal("TERM");
    assert!(app.ended(Duration::from_secs(60)).success());
    assert!(relay.is_silent(), "until here");
}

/// It takes the connection that looks for it, and falls silent then: flags are answered meanwhile, and everything once it
/// answers.
#[test]
fn a_database_that_falls_silent_during_the_start_holds_no_flags_up() {
    let Prepared { store, key, .. } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    greets(&first, &key, 1, "Hello");
    drop(first);
    let relay = Relay::start(1);
    let url = relay.url(&store);
    let env = [("MUSETTE_DATABASE", url.as_str()), ("MUSETTE_STORE_WITHIN", "2000")];
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    until("it falls silent", || relay.is_silent());
    greets(&app, &key, 1, "Hello");
    app.get("/readyz").refused(503, "unavailable");
    app.get(&format!("{V3}/public/terms")).refused(503, "unavailable");
    relay.speaks();
    until("it is ready", || app.get("/readyz").send().status == 200);
    app.get(&format!("{V3}/public/terms")).gives(200);
}

/// In front of the PostgreSQL server of the tests: it takes every connection, passes on those that it may, and is silent on
/// the others.
struct Relay {
    address: SocketAddr,
    /// How many more it passes on.
    passes: Arc<AtomicI64>,
}

impl Relay {
    fn start(passes: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let passes = Arc::new(AtomicI64::new(passes));
        let left = Arc::clone(&passes);
        let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("a server");
        let behind = server.rsplit('@').next().expect("an address").to_owned();
        std::thread::spawn(move || {
            // Nobody hangs up on them.
            let mut silent = Vec::new();
            for client in listener.incoming().map_while(Result::ok) {
                if left.fetch_sub(1, Ordering::SeqCst) <= 0 {
                    silent.push(client);
                    continue;
                }
                let server = TcpStream::connect(&behind).expect("PostgreSQL answers");
                let again = |it: &TcpStream| it.try_clone().expect("a socket");
                let ways = [(again(&client), again(&server)), (server, client)];
                for (mut from, mut to) in ways {
                    std::thread::spawn(move || {
                        // It ends when one of them hangs up.
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { address, passes }
    }

    fn url(&self, store: &TestStore) -> String {
        let database = store.database().expect("a database");
        let name = database.rsplit('/').next().expect("a name");
        format!("postgres://musette@{}/{name}", self.address)
    }

    /// Whether somebody was not passed on, and still nobody is.
    fn is_silent(&self) -> bool {
        self.passes.load(Ordering::SeqCst) < 0
    }

    fn speaks(&self) {
        self.passes.store(i64::MAX, Ordering::SeqCst);
    }
}

/// HAProxy takes a connection, and ends it where no server is behind it.
#[test]
fn a_proxy_without_a_primary_is_a_database_that_is_away() {
    let Some(proxy) = Proxy::start() else { return };
    let Prepared { store, key, .. } = prepared();
    let term = store.term("FREELANCER", &[]);
    let first = TestApp::serve_with(&store, Start::default());
    greets(&first, &key, 1, "Hello");
    drop(first);
    let url = proxy.url(store.database().expect("a database"));
    let env = [("MUSETTE_DATABASE", url.as_str())];
    let app = TestApp::serve_with(&store, Start { env: &env, ..Start::default() });
    greets(&app, &key, 1, "Hello");
    app.get("/readyz").refused(503, "unavailable");
    let submit = app.post(SUBMIT).json(&applicant(&accept(&[term])));
    for _ in 0..2 {
        proxy.says("enable server primaries/primary");
        until("it is ready", || app.get("/readyz").send().status == 200);
        submit.gives(201);
        proxy.says("disable server primaries/primary");
        proxy.says("shutdown sessions server primaries/primary");
        let refused = submit.refused(503, "unavailable");
        assert!(refused.header("retry-after").parse::<u64>().is_ok());
        greets(&app, &key, 1, "Hello");
    }
}

/// HAProxy in front of the PostgreSQL server of the tests, which is disabled at first.
struct Proxy {
    child: std::process::Child,
    port: u16,
    dir: tempfile::TempDir,
}

impl Proxy {
    /// None where HAProxy is not installed.
    fn start() -> Option<Self> {
        let dir = tempfile::tempdir().expect("a directory");
        let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("a server");
        let behind = server.rsplit('@').next().expect("an address");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let socket = dir.path().join("admin.sock");
        let config = format!(
            "global\n  stats socket {} level admin\ndefaults\n  mode tcp\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\nlisten primaries\n  bind 127.0.0.1:{port}\n  server primary {behind} disabled\n",
            socket.display()
        );
        let file = dir.path().join("haproxy.cfg");
        std::fs::write(&file, config).expect("a file");
        let started = std::process::Command::new("/usr/sbin/haproxy")
            .arg("-f")
            .arg(file)
            .stderr(std::process::Stdio::null())
            .spawn();
        let child = started.ok()?;
        let proxy = Self { child, port, dir };
        until("HAProxy listens", || {
            std::os::unix::net::UnixStream::connect(&socket).is_ok()
                && TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        Some(proxy)
    }

    fn url(&self, database: &str) -> String {
        let name = database.rsplit('/').next().expect("a name");
        format!("postgres://musette@127.0.0.1:{}/{name}", self.port)
    }

    fn says(&self, command: &str) {
        use std::io::{Read as _, Write as _};
        let socket = self.dir.path().join("admin.sock");
        let mut admin = std::os::unix::net::UnixStream::connect(socket).expect("it listens");
        admin.write_all(format!("{command}\n").as_bytes()).expect("it reads");
        let mut answer = String::new();
        admin.read_to_string(&mut answer).expect("it answers");
        assert_eq!(answer.trim(), "", "{command}");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // A test that has failed may have ended it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The disk copy has the environments of keys by their hashes, never a key.
#[test]
fn a_revoked_key_stays_revoked_without_the_database() {
    let Prepared { store, key, .. } = prepared();
    let args = ["key", "create", "--env", "production", "--kind", "client", "--json"];
    let other = store.command(&args).json();
    let first = TestApp::serve_with(&store, Start::default());
    store.command(&["key", "revoke", other["id"].as_str().expect("an id")]).done();
    drop(first);
    let kept = std::fs::read_to_string(store.path("data/flags/served.json")).expect("a file");
    assert!(!kept.contains(&key));
    let app = TestApp::serve_with(&store, Start { env: &[NOWHERE], ..Start::default() });
    greets(&app, &key, 1, "Hello");
    let revoked = other["key"].as_str().expect("a key");
    greeting(&app, revoked).refused(401, "unauthenticated");
}

/// There is nothing to answer from: the setting is named, as ever.
#[test]
fn without_a_file_the_start_fails() {
    let store = TestStore::new(Engine::Postgres);
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env(NOWHERE.0, NOWHERE.1);
    let ran: crate::store::Ran = serve.output().expect("it ends").into();
    ran.failed(2, "--database");
}

/// A file that is not whole is worse than none, and must not look like a start.
#[test]
fn a_broken_file_is_not_served() {
    let store = TestStore::new(Engine::Postgres);
    std::fs::create_dir_all(store.path("data/flags")).expect("a folder");
    store.file("data/flags/served.json", b"{\"format\":\"musette-flags-served-1\",");
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env(NOWHERE.0, NOWHERE.1);
    let ran: crate::store::Ran = serve.output().expect("it ends").into();
    ran.failed(2, "--database");
}
