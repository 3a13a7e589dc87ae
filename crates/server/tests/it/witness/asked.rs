//! The server asks witnesses: honest, slow, hostile and absent ones, over HTTP with bodies written by
//! hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use musette_core::log::cosignature::Cosigner;
use musette_core::log::hash::Hash;
use musette_core::log::proof::verify_consistency;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant};

on_both!(
    stores_nothing_of_a_hostile_witness_and_delays_no_consent,
    proves_from_the_size_that_a_witness_has,
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Honest,
    Status(u16),
    Silent,
    Half,
    Huge,
    Redirect,
    WrongSignature,
    OtherText,
    NoTime,
    UnknownKey,
    Garbage,
    SameSizeConflict,
    LargerConflict,
    MalformedConflict,
}

/// The checkpoint that a fake witness cosigned last.
type Last = (u64, Option<Hash>);

/// A witness whose answers a test chooses.
struct FakeWitness {
    url: String,
    cosigner: Arc<Cosigner>,
    mode: Arc<Mutex<Mode>>,
    last: Arc<Mutex<Last>>,
    /// The old size and the new size of each request.
    requests: Arc<Mutex<Vec<(u64, u64)>>>,
    count: Arc<AtomicU64>,
}

impl FakeWitness {
    fn start(n: u8) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/w", listener.local_addr().expect("an address"));
        let name = format!("witness-{n}.example");
        let cosigner = Arc::new(Cosigner::ed25519(&name, &[n; 32]).expect("a key"));
        let witness = Self {
            url,
            cosigner,
            mode: Arc::new(Mutex::new(Mode::Honest)),
            last: Arc::default(),
            requests: Arc::default(),
            count: Arc::default(),
        };
        let served = witness.shared();
        // Ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = served.shared();
                // The client may have gone away.
                thread::spawn(move || drop(served.answer(stream)));
            }
        });
        witness
    }

    fn shared(&self) -> Self {
        Self {
            url: self.url.clone(),
            cosigner: Arc::clone(&self.cosigner),
            mode: Arc::clone(&self.mode),
            last: Arc::clone(&self.last),
            requests: Arc::clone(&self.requests),
            count: Arc::clone(&self.count),
        }
    }

    fn set(&self, mode: Mode) {
        *self.mode.lock().expect("a mode") = mode;
    }

    fn requests(&self) -> Vec<(u64, u64)> {
        self.requests.lock().expect("requests").clone()
    }

    /// Returns the line of the policy.
    fn line(&self, name: &str) -> String {
        format!("witness {name} {} {}\n", self.cosigner.verifier(), self.url)
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let (head, body) = read_request(&stream)?;
        let mode = *self.mode.lock().expect("a mode");
        self.count.fetch_add(1, Ordering::SeqCst);
        let (status, body) = match mode {
            _ if !head.starts_with("POST /w/add-checkpoint HTTP/1.1\r\n") => (404, String::new()),
            Mode::Honest => self.honest(&body),
            Mode::Status(status) => (status, "no\n".to_owned()),
            Mode::Silent => {
                thread::sleep(Duration::from_secs(60));
                return Ok(());
            }
            Mode::Half => (200, "\u{2014} witness-1.example AAAA".to_owned()),
            Mode::Huge => (200, "x".repeat(1 << 20)),
            Mode::Redirect => (307, String::new()),
            Mode::Garbage => (200, "welcome\n".to_owned()),
            Mode::SameSizeConflict => {
                let old = body.lines().next().and_then(|line| line.strip_prefix("old "));
                (409, format!("{}\n", old.expect("a size")))
            }
            Mode::LargerConflict => (409, "4711000\n".to_owned()),
            Mode::MalformedConflict => (409, "+7\n".to_owned()),
            _ => (200, self.wrong_line(mode, &body)),
        };
        let length = if mode == Mode::Half { body.len() + 100 } else { body.len() };
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: text/x.tlog.size\r\ncontent-length: {length}\r\n\
             location: /w/elsewhere\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
    }

    /// Signs what the specification allows.
    fn honest(&self, body: &str) -> (u16, String) {
        let (head, note) = body.split_once("\n\n").expect("an empty line");
        let mut lines = head.lines();
        let old: u64 = lines
            .next()
            .and_then(|line| line.strip_prefix("old "))
            .expect("a size")
            .parse()
            .expect("a number");
        let proof: Vec<Hash> = lines.map(|line| Hash::from_base64(line).expect("a hash")).collect();
        let text = &note[..=note.find("\n\n").expect("a note")];
        let size: u64 = text.lines().nth(1).expect("a size").parse().expect("a number");
        let root = Hash::from_base64(text.lines().nth(2).expect("a root")).expect("a root");
        self.requests.lock().expect("requests").push((old, size));
        let mut last = self.last.lock().expect("a state");
        if old != last.0 {
            return (409, format!("{}\n", last.0));
        }
        let old_root = last.1.unwrap_or_else(Hash::empty_root);
        verify_consistency(old, old_root, size, root, &proof).expect("the log proves it");
        *last = (size, Some(root));
        (200, format!("{}\n", self.cosigner.sign(text, 1_795_000_000).expect("signed")))
    }

    fn wrong_line(&self, mode: Mode, body: &str) -> String {
        let note = body.split_once("\n\n").expect("an empty line").1;
        let text = &note[..=note.find("\n\n").expect("a note")];
        let (text, time) = match mode {
            Mode::OtherText => (format!("{text}more\n"), 1_795_000_000),
            Mode::NoTime => (text.to_owned(), 0),
            _ => (text.to_owned(), 1_795_000_000),
        };
        let unknown = Cosigner::ed25519("unknown.example", &[99; 32]).expect("a key");
        let cosigner = if mode == Mode::UnknownKey { &unknown } else { &*self.cosigner };
        let mut line = cosigner.sign(&text, time).expect("signed").to_string();
        if mode == Mode::WrongSignature {
            let at = line.len() - 10;
            let other = if &line[at..=at] == "A" { "B" } else { "A" };
            line.replace_range(at..=at, other);
        }
        line + "\n"
    }
}

fn read_request(stream: &TcpStream) -> std::io::Result<(String, String)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((head, String::from_utf8(body).expect("UTF-8")))
}

fn serve(store: &Arc<TestStore>, policy: &str) -> TestApp {
    let file = store.file("witnesses.policy", policy.as_bytes());
    let args = ["--witness-policy", &file];
    TestApp::serve_with(store, Start { args: &args, ..Start::default() })
}

fn size(app: &TestApp, path: &str) -> u64 {
    let answer = app.get(path).send();
    let text = String::from_utf8(answer.body.clone()).expect("UTF-8");
    let size = text.lines().nth(1).filter(|_| answer.status == 200);
    size.map_or(0, |size| size.parse().expect("a number"))
}

fn until_cosigned(app: &TestApp) {
    let size_now = size(app, "/log/checkpoint");
    until("the newest checkpoint is cosigned", || {
        size(app, "/log/checkpoint?cosigned") >= size_now
    });
}

fn failures(app: &TestApp) -> u64 {
    let name = "musette_anchor_failures_total{kind=\"witness\"} ";
    let metrics = app.metrics();
    let value = metrics.lines().find_map(|line| line.strip_prefix(name));
    value.map_or(0, |value| value.parse().expect("a number"))
}

fn stores_nothing_of_a_hostile_witness_and_delays_no_consent(engine: Engine) {
    let (hostile, honest) = (FakeWitness::start(1), FakeWitness::start(2));
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    hostile.set(Mode::Status(500));
    let policy =
        format!("{}{}group both all a b\nquorum both\n", hostile.line("a"), honest.line("b"));
    let app = serve(&Arc::new(store), &policy);
    for mode in [
        Mode::Status(403),
        Mode::Status(404),
        Mode::Status(422),
        Mode::Half,
        Mode::Huge,
        Mode::Redirect,
        Mode::WrongSignature,
        Mode::OtherText,
        Mode::NoTime,
        Mode::UnknownKey,
        Mode::Garbage,
        Mode::SameSizeConflict,
        Mode::LargerConflict,
        Mode::MalformedConflict,
        Mode::Silent,
    ] {
        hostile.set(mode);
        let (began, before, count) =
            (Instant::now(), failures(&app), hostile.count.load(Ordering::SeqCst));
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        assert!(began.elapsed() < Duration::from_secs(9), "{mode:?} delayed a consent");
        // The previous mode may still be answered.
        until("the witness is asked", || hostile.count.load(Ordering::SeqCst) > count);
        if mode == Mode::Silent {
            break;
        }
        until("the failure is counted", || failures(&app) > before);
        app.get("/log/checkpoint?cosigned").refused(404, "not_found");
        // The pauses after failures double, so that one success keeps the test short.
        hostile.set(Mode::Honest);
        until_cosigned(&app);
        app.store().tamper("DELETE FROM log_cosigned");
    }
    // The other witness is asked although this one never responds.
    let (target, sizes) = (size(&app, "/log/checkpoint"), || honest.requests());
    until("the other witness is asked", || sizes().iter().any(|(_, size)| *size >= target));
    app.get("/log/checkpoint?cosigned").refused(404, "not_found");
    let log = std::fs::read_to_string(app.path("serve.log")).expect("a log");
    for text in ["status 403: no", "status 404: no", "status 422: no", "4711000 entries"] {
        assert_eq!(log.matches(text).count(), 1, "{text}: {log}");
    }
    assert!(log.contains("a witness cosigns again"), "{log}");
    hostile.set(Mode::Honest);
    until_cosigned(&app);
    assert!(app.metrics().contains("musette_anchor_age_seconds{kind=\"witness\"} "));
}

fn proves_from_the_size_that_a_witness_has(engine: Engine) {
    let witness = FakeWitness::start(1);
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let store = Arc::new(store);
    let policy = witness.line("a") + "quorum a\n";
    let app = serve(&store, &policy);
    let submit =
        |app: &TestApp| drop(app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    submit(&app);
    until_cosigned(&app);
    let (old, first) = *witness.requests().last().expect("a request");
    assert!(old <= first);
    // While it is away, nothing is lost: the next proof begins at the size that it has.
    witness.set(Mode::Status(503));
    submit(&app);
    submit(&app);
    assert!(size(&app, "/log/checkpoint?cosigned") < size(&app, "/log/checkpoint"));
    drop(app);
    witness.set(Mode::Honest);
    let app = serve(&store, &policy);
    until_cosigned(&app);
    let newest = size(&app, "/log/checkpoint");
    let confirmed = witness.requests().iter().rev().nth(1).map(|(_, size)| *size);
    assert_eq!(witness.requests().last(), Some(&(confirmed.expect("an earlier one"), newest)));
    // A witness whose state was restored from a backup says so with 409.
    let state = { *witness.last.lock().expect("a state") };
    submit(&app);
    until_cosigned(&app);
    *witness.last.lock().expect("a state") = state;
    submit(&app);
    until_cosigned(&app);
    let requests = witness.requests();
    let [.., refused, last] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!((refused.1, last.0), (last.1, state.0), "{requests:?}");
    // The log is not asked again without growth.
    let count = requests.len();
    thread::sleep(Duration::from_secs(3));
    let has_grown = size(&app, "/log/checkpoint") != last.1;
    assert!(has_grown || witness.requests().len() == count, "{:?}", witness.requests());
}

#[test]
fn one_of_two_nodes_asks_and_the_other_takes_over() {
    let witness = FakeWitness::start(1);
    let store = TestStore::new(Engine::Postgres);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let store = Arc::new(store);
    let policy = witness.line("a") + "quorum a\n";
    let (mut first, second) = (serve(&store, &policy), serve(&store, &policy));
    for _ in 0..3 {
        second.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        until_cosigned(&first);
        // The other node serves what the one that asks has stored.
        until_cosigned(&second);
    }
    let mut sizes: Vec<u64> = witness.requests().iter().map(|(_, size)| *size).collect();
    let count = sizes.len();
    sizes.dedup();
    assert_eq!(sizes.len(), count, "a checkpoint was sent twice: {:?}", witness.requests());
    first.signal("TERM");
    assert!(first.wait_for_exit(Duration::from_secs(30)).success());
    second.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
    until_cosigned(&second);
}
