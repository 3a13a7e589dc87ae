//! A mirror that fetches a log by itself: `--pull`.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use musette::parts::random::sha256_hex;
use musette_core::log::hash::Hash;
use musette_core::log::tile::encode_entries;
use tempfile::TempDir;

use super::{NAME, ORIGIN, TestWitness, checkpoint_path, command, leaves, log, signed, text_of};
use crate::app::TestApp;
use crate::request::Request;
use crate::store::{CommandResult, Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant};

/// A log of at most 255 entries that serves what a test gives it.
struct FakeLog {
    address: String,
    files: Arc<Mutex<HashMap<String, Vec<u8>>>>,
}

impl FakeLog {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let files: Arc<Mutex<HashMap<String, Vec<u8>>>> = Arc::default();
        let served = Arc::clone(&files);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    let mut byte = [0];
                    if stream.read(&mut byte).unwrap_or(0) == 0 {
                        break;
                    }
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let body = served.lock().expect("no panic").get(path).cloned();
                let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
                let body = body.unwrap_or_default();
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(&[head.as_bytes(), &body].concat());
            }
        });
        Self { address, files }
    }

    /// Serves a log whose entries are these, with the hashes `leaves`.
    fn serve(&self, entries: &[Vec<u8>], leaves: &[Hash]) {
        let width = entries.len();
        let hashes = leaves.iter().flat_map(|hash| hash.0).collect();
        let mut files = HashMap::new();
        files.insert("/log/checkpoint".to_owned(), signed(&text_of(leaves)).into_bytes());
        files.insert(format!("/log/tile/0/000.p/{width}"), hashes);
        let bundle = encode_entries(entries).expect("a bundle");
        files.insert(format!("/log/tile/entries/000.p/{width}"), bundle);
        *self.files.lock().expect("no panic") = files;
    }

    fn serve_honestly(&self, size: u64) {
        let entries: Vec<Vec<u8>> = (0..size).map(|index| index.to_be_bytes().to_vec()).collect();
        self.serve(&entries, &leaves(size));
    }
}

fn start(url: &str, key: &str) -> TestWitness {
    let directory = TempDir::new().expect("a directory");
    let mut command = command(directory.path());
    command.args(["--name", NAME, "--log", key, "--mirror", "mirror"]);
    command.args(["--pull", url, "--every", "1s"]);
    TestWitness::spawn(directory, command)
}

fn mirrored(witness: &TestWitness, origin: &str) -> String {
    let path = format!("/mirror{}", checkpoint_path(origin));
    String::from_utf8(witness.request("GET", &path).send().body).expect("UTF-8")
}

#[test]
fn copies_the_log_of_a_server_and_follows_it() {
    let store = TestStore::new(Engine::Sqlite);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    let get = |path: &str| {
        let answer = Request::new("GET", format!("http://{}{path}", app.address)).gives(200);
        String::from_utf8(answer.body).expect("UTF-8")
    };
    let key = get("/log/key");
    let origin = get("/log/checkpoint").lines().next().expect("an origin").to_owned();
    let witness = start(&format!("http://{}/log/", app.address), key.trim_end());
    for _ in 0..3 {
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        let head = || get("/log/checkpoint");
        until("the mirror follows", || {
            let text: String = head().lines().take(3).map(|line| format!("{line}\n")).collect();
            mirrored(&witness, &origin).starts_with(&text)
        });
    }
}

#[test]
fn refuses_a_smaller_and_a_forked_log_for_ever() {
    let fake = FakeLog::start();
    fake.serve_honestly(5);
    let witness = start(&format!("http://{}/log", fake.address), &log().verifier().to_string());
    until("it is copied", || mirrored(&witness, ORIGIN).starts_with(&text_of(&leaves(5))));
    fake.serve_honestly(9);
    until("it follows", || mirrored(&witness, ORIGIN).starts_with(&text_of(&leaves(9))));
    let (cosigned, copied) = (witness.checkpoint().body, mirrored(&witness, ORIGIN));

    fake.serve_honestly(7);
    until("it shrank", || witness.stderr().contains("the log shrank from 9 to 7 entries"));
    let mut forked = leaves(12);
    forked[2] = Hash([7; 32]);
    fake.serve(&vec![Vec::new(); 12], &forked);
    until("it forked", || witness.stderr().contains("the consistency proof"));
    assert_eq!(witness.checkpoint().body, cosigned);
    assert_eq!(mirrored(&witness, ORIGIN), copied);

    // The checkpoint is right, but an entry is not the one that was signed.
    let mut entries: Vec<Vec<u8>> = (0..12_u64).map(|index| index.to_be_bytes().to_vec()).collect();
    entries[10][0] ^= 1;
    fake.serve(&entries, &leaves(12));
    until("an entry is wrong", || {
        witness.stderr().contains("error=the proof does not lead to the root")
    });
    assert_eq!(mirrored(&witness, ORIGIN), copied);
    fake.serve_honestly(12);
    until("it follows again", || mirrored(&witness, ORIGIN).starts_with(&text_of(&leaves(12))));
    let hash = sha256_hex(ORIGIN.as_bytes());
    let path = format!("/mirror/{hash}/tile/entries/000.p/12");
    assert_eq!(witness.request("GET", &path).send().status, 200);
}

#[test]
fn needs_a_mirror_and_exactly_one_log() {
    let directory = TempDir::new().expect("a directory");
    let key = log().verifier().to_string();
    let run = |args: &[&str]| -> CommandResult {
        let mut command = command(directory.path());
        command.args(["--name", NAME, "--log", &key, "--pull", "http://127.0.0.1:9"]).args(args);
        command.output().expect("it runs").into()
    };
    run(&[]).failed(2, "--mirror");
    let other = format!("{key},other.example/log");
    run(&["--mirror", "mirror", "--log", &other]).failed(2, "exactly one log");
}
