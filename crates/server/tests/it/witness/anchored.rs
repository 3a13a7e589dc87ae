//! A server with two witnesses, one with a mirror, and its log under attack: which command finds it.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use musette::parts::random::sha256_hex;
use serde_json::Value;
use tempfile::TempDir;

use super::{TestWitness, program};
use crate::app::{Start, TestApp};
use crate::evidence::tsa::Tsa;
use crate::request::Request;
use crate::store::{CommandResult, Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant, entry, rider};

/// A server with its witnesses.
struct Anchored {
    store: Arc<TestStore>,
    app: Option<TestApp>,
    term: i64,
    origin: String,
    policy: String,
    /// The witnesses, the second one with a mirror. It is started with the server that it fetches.
    _council: TestWitness,
    auditor: Option<TestWitness>,
    auditor_address: String,
    key: String,
    tsa: Tsa,
}

fn spawn(directory: TempDir, listen: &str, args: &[&str]) -> TestWitness {
    let mut command = program(directory.path());
    command.args(["witness", "--listen", listen, "--data", "witness"]).args(args);
    TestWitness::spawn(directory, command)
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

fn text(answer: &crate::request::Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("UTF-8")
}

impl Anchored {
    fn start() -> Self {
        let store = TestStore::new(Engine::Sqlite).with_rider("r1");
        let term = store.term("FREELANCER", &["--mandatory"]);
        let store = Arc::new(store);
        let app = TestApp::serve_with(&store, Start::default());
        let key = text(&app.get("/log/key").gives(200)).trim_end().to_owned();
        drop(app);
        let directory = || TempDir::new().expect("a directory");
        let args = |name| ["--name", name, "--log", &key].map(str::to_owned);
        let council = args("council.example/w");
        let council: Vec<&str> = council.iter().map(String::as_str).collect();
        let council = spawn(directory(), "127.0.0.1:0", &council);
        // The first start creates the keys.
        let auditor_address = free_address();
        let auditor = args("auditor.example/w");
        let auditor: Vec<&str> = auditor.iter().map(String::as_str).collect();
        let auditor = spawn(directory(), &auditor_address, &auditor);
        let [council_key, _] = council.keys().try_into().expect("two keys");
        let [_, auditor_key] = auditor.keys().try_into().expect("two keys");
        let policy = format!(
            "log {key}\nwitness council {council_key} http://{}\n\
             witness auditor {auditor_key} http://{auditor_address}/\n\
             group both all council auditor\nquorum both\n",
            council.address
        );
        let policy = store.file("witnesses.policy", policy.as_bytes());
        let origin = key.split('+').next().expect("an origin").to_owned();
        let mut anchored = Self {
            store,
            app: None,
            term,
            origin,
            policy,
            _council: council,
            auditor: Some(auditor),
            auditor_address,
            key,
            tsa: Tsa::start(),
        };
        anchored.serve();
        anchored
    }

    /// Starts the server, and the auditor, which fetches the log from it.
    fn serve(&mut self) {
        let args = ["--witness-policy", &self.policy, "--tsa", &self.tsa.url, "--tsa-every", "1s"];
        let app = TestApp::serve_with(&self.store, Start { args: &args, ..Start::default() });
        let directory = self.auditor.take().expect("an auditor").kill();
        let pull = app.get("/log").url().to_owned();
        let args = ["--name", "auditor.example/w", "--log", &self.key, "--mirror", "mirror"];
        let args = [&args[..], &["--pull", &pull, "--every", "1s"]].concat();
        self.auditor = Some(spawn(directory, &self.auditor_address, &args));
        self.app = Some(app);
    }

    fn app(&self) -> &TestApp {
        self.app.as_ref().expect("a server")
    }

    fn stop(&mut self) {
        let mut app = self.app.take().expect("a server");
        app.signal("TERM");
        assert!(app.wait_for_exit(Duration::from_secs(30)).success());
    }

    fn submit(&self) {
        self.app().post(SUBMIT).json(&applicant(&accept(&[self.term]))).gives(201);
    }

    fn size(&self, path: &str) -> u64 {
        let answer = self.app().get(path).send();
        let text = text(&answer);
        let size = text.lines().nth(1).filter(|_| answer.status == 200);
        size.map_or(0, |size| size.parse().expect("a number"))
    }

    fn mirror(&self) -> String {
        format!("http://{}/mirror/{}", self.auditor_address, sha256_hex(self.origin.as_bytes()))
    }

    /// Waits until both witnesses and the mirror have the newest checkpoint.
    fn until_anchored(&self) {
        let size = self.size("/log/checkpoint");
        until("the log is cosigned", || self.size("/log/checkpoint?cosigned") >= size);
        let url = format!("{}/checkpoint", self.mirror());
        until("the mirror has the log", || {
            let answer = Request::new("GET", url.clone()).send();
            let text = text(&answer);
            let copied = text.lines().nth(1).and_then(|size| size.parse::<u64>().ok());
            answer.status == 200 && copied >= Some(size)
        });
    }

    /// Waits until the newest checkpoint has a time stamp, and keeps its checkpoint outside of the
    /// company.
    fn kept_time_stamp(&self) -> String {
        let size = self.size("/log/checkpoint");
        let newest = || {
            let stamps = self.app().get("/log/timestamps").gives(200).json();
            stamps.as_array().and_then(|stamps| stamps.last().cloned()).unwrap_or_default()
        };
        until("the log has a time stamp", || newest()["size"].as_u64() >= Some(size));
        let n = newest()["n"].clone();
        let checkpoint = self.app().get(&format!("/log/timestamps/{n}/checkpoint")).gives(200);
        self.store.file("stamped.checkpoint", &checkpoint.body)
    }

    fn watch(&self, args: &[&str]) -> CommandResult {
        let url = self.app().get("/log").url().to_owned();
        let watch = ["log", "watch", &url, "--policy", &self.policy, "--once"];
        self.store.command(&[&watch[..], args].concat())
    }

    fn database(&self) -> PathBuf {
        self.store.path("data/musette.db")
    }
}

#[track_caller]
fn finding(output: &CommandResult) -> Value {
    assert_eq!(output.code, Some(1), "{output:?}");
    let report: Value = serde_json::from_str(&output.stdout).expect("a line of JSON");
    report["findings"][0].clone()
}

#[test]
fn receipts_case_files_and_the_log_carry_cosignatures() {
    let mut anchored = Anchored::start();
    let (app, store) = (anchored.app(), &anchored.store);
    let body = rider("r1", &[entry(anchored.term, true)]);
    let created = app.post(SUBMIT).token(&store.token("r1")).json(&body).gives(201).json();
    anchored.until_anchored();
    let first = store.file("first.json", created["receipt"].to_string().as_bytes());
    let verify = ["receipt", "verify", &first, "--policy", &anchored.policy];
    store.command(&verify).failed(1, "no cosignature of council, auditor");
    let id = created["receipt"]["id"].as_str().expect("an ID");
    let token = store.token("r1");
    let again = app.get(&format!("/receipts/{id}.json")).token(&token).gives(200);
    let again = store.file("again.json", &again.body);
    let verify = ["receipt", "verify", &again, "--policy", &anchored.policy];
    let output = store.command(&verify).expect_success();
    assert!(output.contains("; cosigned by council, auditor"), "{output}");
    let proof = app.get(&format!("/receipts/{id}.tlog-proof")).token(&token).gives(200);
    assert!(text(&proof).contains("council.example/w "), "{}", text(&proof));
    let out = store.path("case.zip").display().to_string();
    store.command(&["case", "--user", "r1", "--out", &out]).expect_success();
    store.command(&["case", "verify", &out, "--policy", &anchored.policy]).expect_success();
    let case = fs::read(&out).expect("a file");
    let mirror = anchored.mirror();
    let verify = ["log", "verify", "--policy", &anchored.policy, "--mirror", &mirror];
    let output = store.command(&verify).expect_success();
    assert!(output.contains("; cosigned by council, auditor"), "{output}");
    assert!(output.contains("; the mirror "), "{output}");
    store.command(&["log", "verify", "--mirror", "nonsense"]).failed(2, "--mirror nonsense");
    let report: Value = serde_json::from_str(&anchored.watch(&[]).expect_success()).expect("JSON");
    assert_eq!(report["cosigned_by"], serde_json::json!(["council", "auditor"]), "{report}");
    assert_eq!(report["origin"], anchored.origin.as_str());
    // Later checkpoints do not change a case file.
    anchored.submit();
    anchored.until_anchored();
    anchored.store.command(&["case", "--user", "r1", "--out", &out]).expect_success();
    assert!(case == fs::read(&out).expect("a file"), "the same state, other bytes");
    // Without a policy, the server does not say which checkpoints are cosigned.
    anchored.stop();
    let app = TestApp::serve_with(&anchored.store, Start::default());
    app.get("/log/checkpoint?cosigned").refused(404, "not_found");
    app.get("/log/checkpoint").gives(200);
}

#[test]
fn a_changed_row_and_a_changed_tile_are_found() {
    let mut anchored = Anchored::start();
    anchored.submit();
    anchored.submit();
    anchored.until_anchored();
    anchored.watch(&[]).expect_success();
    anchored.stop();
    let original = fs::read(anchored.database()).expect("a database");
    anchored.store.tamper("DROP TRIGGER log_entries_no_update");
    anchored.store.tamper("UPDATE log_entries SET entry = replace(entry, 'a', 'b') WHERE idx = 0");
    let output = anchored.store.command(&["log", "verify"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("log_entries"), "{output:?}");
    fs::write(anchored.database(), &original).expect("restored");
    // A tile without its entries.
    anchored.store.tamper("DROP TRIGGER log_tiles_grow_only");
    anchored.store.tamper("UPDATE log_tiles SET bytes = zeroblob(length(bytes)) WHERE level = 0");
    let output = anchored.store.command(&["log", "verify"]);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("log_tiles"), "{output:?}");
    fs::write(anchored.database(), &original).expect("restored");
    anchored.store.command(&["log", "verify"]).expect_success();
}

#[test]
fn a_rollback_and_a_split_view_are_found_with_two_signed_checkpoints() {
    let mut anchored = Anchored::start();
    anchored.submit();
    anchored.until_anchored();
    anchored.stop();
    let backup = fs::read(anchored.database()).expect("a database");
    anchored.serve();
    anchored.submit();
    anchored.submit();
    anchored.until_anchored();
    let stamped = anchored.kept_time_stamp();
    let root = anchored.tsa.root();
    let with_stamp = ["log", "verify", "--tsa-ca", &root, "--checkpoint", &stamped];
    anchored.store.command(&with_stamp).expect_success();
    let state = anchored.store.path("watched").display().to_string();
    anchored.watch(&["--state", &state]).expect_success();
    let newest = anchored.size("/log/checkpoint");
    anchored.stop();
    // The operator restores an older file, as if the last consents had never been given.
    fs::write(anchored.database(), backup).expect("restored");
    anchored.serve();
    let rolled_back = finding(&anchored.watch(&["--state", &state]));
    assert_eq!(rolled_back["kind"], "rollback", "{rolled_back}");
    assert_eq!(rolled_back["checkpoints"].as_array().map(Vec::len), Some(2));
    let mirror = anchored.mirror();
    let verify = ["log", "verify", "--mirror", &mirror];
    anchored.store.command(&verify).failed(1, "restored from an older backup");
    // The stamped checkpoint that was kept has more entries than the log.
    let output = anchored.store.command(&with_stamp);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("the log was truncated"), "{output:?}");
    until("the server logs what its witnesses say", || {
        let log = fs::read_to_string(anchored.store.path("serve.log")).expect("a log");
        log.contains("it has cosigned") && log.contains("restored from an older backup")
    });
    // Other consents fill the gap: two trees of one size, signed with one key.
    while anchored.size("/log/checkpoint") <= newest {
        anchored.submit();
    }
    let split = finding(&anchored.watch(&[]));
    assert_eq!(split["kind"], "split_view", "{split}");
    let sources: Vec<_> = split["checkpoints"].as_array().expect("two").iter().collect();
    assert!(sources[0]["source"].as_str().expect("a URL").starts_with("http://"), "{split}");
    assert!(sources.iter().all(|seen| {
        let note = seen["checkpoint"].as_str().expect("a note");
        note.contains(&format!("\n\u{2014} {} ", anchored.origin))
    }));
    anchored.store.command(&verify).failed(1, "differs in the mirror");
    let output = anchored.store.command(&with_stamp);
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(output.stdout.contains("the log was rewritten"), "{output:?}");
    until("the witnesses refuse the other tree", || {
        let log = fs::read_to_string(anchored.store.path("serve.log")).expect("a log");
        log.contains("status 422")
    });
}

#[test]
fn a_split_view_for_one_client_is_found() {
    let mut anchored = Anchored::start();
    anchored.submit();
    anchored.until_anchored();
    anchored.stop();
    // The operator runs a copy of the log with the same key, and shows it to one client only.
    let copy = TestStore::new(Engine::Sqlite);
    fs::create_dir_all(copy.path("data")).expect("a folder");
    fs::copy(anchored.database(), copy.path("data/musette.db")).expect("copied");
    let shown = TestApp::serve_with(&Arc::new(copy), Start::default());
    anchored.serve();
    anchored.submit();
    anchored.until_anchored();
    let submit = || shown.post(SUBMIT).json(&applicant(&accept(&[anchored.term]))).gives(201);
    let receipt = submit().json()["receipt"].clone();
    let shown_size = || {
        let checkpoint = text(&shown.get("/log/checkpoint").gives(200));
        checkpoint.lines().nth(1).and_then(|size| size.parse::<u64>().ok())
    };
    while shown_size() <= Some(anchored.size("/log/checkpoint")) {
        submit();
    }
    // The receipt has the key's signature. Only the witnesses show that it is of another tree.
    let file = anchored.store.file("shown.json", receipt.to_string().as_bytes());
    let key = anchored.store.file("key.txt", anchored.key.as_bytes());
    anchored.store.command(&["receipt", "verify", &file, "--key", &key]).expect_success();
    let again = shown.get(&format!("/receipts/{}.json", receipt["id"].as_str().expect("an ID")));
    let again = anchored.store.file("again.json", &again.gives(200).body);
    for file in [&file, &again] {
        let verify = ["receipt", "verify", file, "--policy", &anchored.policy];
        anchored.store.command(&verify).failed(1, "no cosignature of council, auditor");
    }
    let url = shown.get("/log").url().to_owned();
    let watch = ["log", "watch", &url, "--policy", &anchored.policy, "--once"];
    let split = finding(&anchored.store.command(&watch));
    assert_eq!(split["kind"], "split_view", "{split}");
    assert_eq!(split["checkpoints"].as_array().map(Vec::len), Some(2), "{split}");
    // Everyone else sees the log that the witnesses know.
    anchored.watch(&[]).expect_success();
}
