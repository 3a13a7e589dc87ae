//! Many clients that read a large document slowly, or not at all, cost the server almost nothing.
//!
//! `SLOW_READERS=1000` with `ulimit -n 4096` tests the number of the goal.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::app::TestApp;
use crate::pdf;
use crate::store::{Engine, TestStore};

on_both!(slow_readers_of_a_large_document_need_little_memory);

const DOCUMENT_BYTES: usize = 19 * 1024 * 1024;
/// Additional memory for any number of readers.
const MORE_KIB_MAX: u64 = 64 * 1024;

/// Returns the resident memory of the process in KiB.
fn resident(app: &TestApp) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", app.pid())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.split_whitespace().next().expect("a number").parse().expect("KiB")
}

/// Reads the beginning of a document and then nothing more.
fn reader(app: &TestApp, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&app.address).expect("it listens");
    let mut request = String::new();
    let _ = write!(request, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", app.address);
    stream.write_all(request.as_bytes()).expect("it takes a request");
    let mut first = [0; 15];
    stream.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    stream
}

fn slow_readers_of_a_large_document_need_little_memory(engine: Engine) {
    let count =
        std::env::var("SLOW_READERS").ok().and_then(|text| text.parse().ok()).unwrap_or(120);
    let store = TestStore::new(engine);
    let bytes = pdf::page_of("Hello", DOCUMENT_BYTES);
    let file = store.file("large.pdf", &bytes);
    let args = ["terms", "publish", &file, "--type", "FREELANCER", "--title", "Hello"];
    let term = store.command(&args).json();
    let path = format!("/documents/{}.pdf", term["sha256"].as_str().expect("a hash"));
    let app = TestApp::serve(store);
    app.get("/healthz").gives(200);
    let before = resident(&app);
    let started = Instant::now();
    let readers: Vec<TcpStream> = (0..count).map(|_| reader(&app, &path)).collect();
    let opened = started.elapsed();
    // Until every reader has as much as the kernel buffers for it.
    std::thread::sleep(Duration::from_secs(1));
    let more = resident(&app).saturating_sub(before);
    println!(
        "{engine:?}: {count} slow readers of {DOCUMENT_BYTES} bytes add {more} KiB to {before} KiB; opened in {opened:?}"
    );
    assert!(more < MORE_KIB_MAX, "{count} readers add {more} KiB");
    // Another client still gets the whole document quickly.
    assert_eq!(app.get(&path).gives(200).body, bytes);
    drop(readers);
}
