//! Flags while the database is unavailable.

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

/// No server listens at this address.
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
    let key = store.command(&args).expect_success().trim().to_owned();
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
fn a_disconnected_node_still_serves_flags() {
    let Prepared { store, token, key } = prepared();
    let app = TestApp::serve_with(&store, Start::default());
    greets(&app, &key, 1, "Hello");
    let etag = greeting(&app, &key).gives(200).header("etag").to_owned();
    assert!(stale_seconds(&app) < 3.0);
    store.refuse_connections(true);
    until("the response has its staleness", || {
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
    store.refuse_connections(false);
    until("it is ready again", || app.get("/readyz").send().status == 200);
    until("it is current again", || stale_seconds(&app) < 1.0);
    store.import("production", &document("welcome"));
    greets(&app, &key, 2, "Welcome");
}

#[test]
fn a_node_starts_and_serves_flags_without_its_database() {
    let Prepared { store, token, key } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    store.import("production", &document("welcome"));
    drop(first);
    store.refuse_connections(true);
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
    // The node connects to the store on its own and then serves everything, including changes made
    // in the meantime.
    store.refuse_connections(false);
    until("it is ready", || app.get("/readyz").send().status == 200);
    app.get(&format!("{V3}/public/terms")).gives(200);
    assert_eq!(served(&app, &token), (2, "Welcome".into()));
    store.import("production", &document("hello"));
    greets(&app, &key, 3, "Hello");
    app.signal("TERM");
    let mut app = app;
    assert!(app.wait_for_exit(Duration::from_secs(10)).success());
}

#[test]
fn a_node_whose_database_refuses_connections_serves_flags() {
    let Prepared { store, key, .. } = prepared();
    let first = TestApp::serve_with(&store, Start::default());
    greets(&first, &key, 1, "Hello");
    drop(first);
    let mut app = TestApp::serve_with(&store, Start { env: &[NOWHERE], ..Start::default() });
    greets(&app, &key, 1, "Hello");
    app.get("/readyz").refused(503, "unavailable");
    app.signal("TERM");
    assert!(app.wait_for_exit(Duration::from_secs(10)).success(), "it stops while it still looks");
}

/// The database neither refuses nor answers, like a machine without a network. No request waits for
/// it, neither at the start nor at the shutdown. The requests here are answered while it is silent.
#[test]
fn a_silent_database_blocks_no_request() {
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
    assert!(app.wait_for_exit(Duration::from_secs(60)).success());
    assert!(relay.is_silent(), "until here");
}

/// The database accepts the connection that looks for it and then stops answering. Flags are
/// answered in the meantime, and everything else once it answers again.
#[test]
fn a_database_that_stops_answering_during_the_start_blocks_no_flags() {
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
    relay.forward_all();
    until("it is ready", || app.get("/readyz").send().status == 200);
    app.get(&format!("{V3}/public/terms")).gives(200);
}

/// A relay in front of the tests' PostgreSQL server. It accepts every connection, forwards the
/// permitted number, and leaves the others without an answer.
struct Relay {
    address: SocketAddr,
    /// How many more connections it forwards.
    passes: Arc<AtomicI64>,
}

impl Relay {
    fn start(passes: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let passes = Arc::new(AtomicI64::new(passes));
        let remaining = Arc::clone(&passes);
        let server = std::env::var("MUSETTE_TEST_POSTGRES").expect("a server");
        let behind = server.rsplit('@').next().expect("an address").to_owned();
        std::thread::spawn(move || {
            // Keeps the silent connections open.
            let mut silent = Vec::new();
            for client in listener.incoming().map_while(Result::ok) {
                if remaining.fetch_sub(1, Ordering::SeqCst) <= 0 {
                    silent.push(client);
                    continue;
                }
                let server = TcpStream::connect(&behind).expect("PostgreSQL answers");
                let again = |socket: &TcpStream| socket.try_clone().expect("a socket");
                let ways = [(again(&client), again(&server)), (server, client)];
                for (mut from, mut to) in ways {
                    std::thread::spawn(move || {
                        // The copy ends when either side closes its connection.
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

    /// Returns whether at least one connection is silent and no further one may pass.
    fn is_silent(&self) -> bool {
        self.passes.load(Ordering::SeqCst) < 0
    }

    fn forward_all(&self) {
        self.passes.store(i64::MAX, Ordering::SeqCst);
    }
}

/// HAProxy accepts a connection and closes it if no server is behind it.
#[test]
fn treats_a_proxy_without_a_primary_as_an_unavailable_database() {
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
        proxy.send_command("enable server primaries/primary");
        until("it is ready", || app.get("/readyz").send().status == 200);
        submit.gives(201);
        proxy.send_command("disable server primaries/primary");
        proxy.send_command("shutdown sessions server primaries/primary");
        let refused = submit.refused(503, "unavailable");
        assert!(refused.header("retry-after").parse::<u64>().is_ok());
        greets(&app, &key, 1, "Hello");
    }
}

/// HAProxy in front of the tests' PostgreSQL server, which is disabled at first.
struct Proxy {
    child: std::process::Child,
    port: u16,
    dir: tempfile::TempDir,
}

impl Proxy {
    /// Starts HAProxy. Returns none if it is not installed.
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

    fn send_command(&self, command: &str) {
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
        // A failed test may have ended the process already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The copy on disk maps hashes of keys to environments and contains no key.
#[test]
fn a_revoked_key_stays_revoked_without_the_database() {
    let Prepared { store, key, .. } = prepared();
    let args = ["key", "create", "--env", "production", "--kind", "client", "--json"];
    let other = store.command(&args).json();
    let first = TestApp::serve_with(&store, Start::default());
    store.command(&["key", "revoke", other["id"].as_str().expect("an id")]).expect_success();
    drop(first);
    let copy = std::fs::read_to_string(store.path("data/flags/served.json")).expect("a file");
    assert!(!copy.contains(&key));
    let app = TestApp::serve_with(&store, Start { env: &[NOWHERE], ..Start::default() });
    greets(&app, &key, 1, "Hello");
    let revoked = other["key"].as_str().expect("a key");
    greeting(&app, revoked).refused(401, "unauthenticated");
}

/// The node has no flags to serve, so the start fails and names the setting as usual.
#[test]
fn refuses_to_start_without_database_and_copy() {
    let store = TestStore::new(Engine::Postgres);
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env(NOWHERE.0, NOWHERE.1);
    let output: crate::store::CommandResult = serve.output().expect("it ends").into();
    output.failed(2, "--database");
}

/// An incomplete file is worse than no file, so it must not be used.
#[test]
fn does_not_serve_an_incomplete_file() {
    let store = TestStore::new(Engine::Postgres);
    std::fs::create_dir_all(store.path("data/flags")).expect("a folder");
    store.file("data/flags/served.json", b"{\"format\":\"musette-flags-served-1\",");
    let mut serve = store.program();
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env(NOWHERE.0, NOWHERE.1);
    let output: crate::store::CommandResult = serve.output().expect("it ends").into();
    output.failed(2, "--database");
}
