//! `--backup-wal-dir`, and `restore` to a point in time from its copies.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{SUBMIT, accept, applicant, receipt};

#[expect(clippy::disallowed_methods, reason = "the real time, as the server under test has it")]
fn seconds() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs_f64()
}

fn copied_timestamp(app: &TestApp) -> f64 {
    let text = app.metrics();
    let line =
        text.lines().find_map(|line| line.strip_prefix("musette_wal_copied_timestamp_seconds "));
    line.map_or(0.0, |value| value.parse().expect("a number"))
}

/// Waits until everything that was acknowledged so far is copied. Returns a time at which this was
/// true.
fn copied_at(app: &TestApp) -> String {
    let now = seconds();
    until("it is copied", || copied_timestamp(app) > now);
    let at = jiff::Timestamp::from_millisecond((copied_timestamp(app) * 1000.0) as i64 + 200);
    at.expect("a time").to_string()
}

struct CopiedStore {
    store: Arc<TestStore>,
    directory: String,
    term: i64,
}

impl CopiedStore {
    fn prepare() -> Self {
        let store = TestStore::new(Engine::Sqlite).with_rider("r1");
        let term = store.term("FREELANCER", &[]);
        let directory = store.path("copies").into_os_string().into_string().expect("UTF-8");
        Self { store: Arc::new(store), directory, term }
    }

    fn serve(&self) -> TestApp {
        let args = ["--backup-wal-dir", &self.directory, "--backup-wal-every", "1s"];
        TestApp::serve_with(&self.store, Start { args: &args, ..Start::default() })
    }

    /// Restores a store from the copies, checks its log, and returns its decisions.
    fn restored(&self, at: &[&str]) -> Vec<Value> {
        let to = TestStore::missing(Engine::Sqlite);
        let output = to.command(&[&["restore", &self.directory], at].concat()).expect_success();
        assert!(output.contains("the copies reach from"), "{output}");
        assert!(!to.path("data/restoring").exists());
        to.command(&["log", "verify"]).expect_success();
        to.export(&[])
    }
}

#[test]
fn restores_a_store_to_any_point_in_time() {
    let copied_store = CopiedStore::prepare();
    let (store, term) = (&copied_store.store, copied_store.term);
    let mut app = copied_store.serve();
    let submit = || receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    let mut times = Vec::new();
    for _ in 0..3 {
        for _ in 0..5 {
            submit();
        }
        times.push((copied_at(&app), store.export(&[])));
        // A copy contains the state at its creation and nothing later.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    // Erasing rewrites the database and truncates the write-ahead log, so a new base copy begins.
    store.command(&["user", "erase", "--id", "r1"]).expect_success();
    submit();
    times.push((copied_at(&app), store.export(&[])));
    std::thread::sleep(std::time::Duration::from_millis(300));
    submit();
    let report = store.command(&["doctor", "--backup-wal-dir", &copied_store.directory]);
    assert!(report.stdout.contains("ok    copies of changes: from "), "{report:?}");
    app.signal("TERM");
    assert!(app.wait_for_exit(std::time::Duration::from_secs(30)).success());
    for (at, rows) in &times {
        assert_eq!(copied_store.restored(&["--at", at]), *rows, "{at}");
    }
    assert_eq!(copied_store.restored(&[]), store.export(&[]), "the end copies the rest");
    let postgres = TestStore::missing(Engine::Postgres);
    postgres.command(&["restore", &copied_store.directory, "--at", &times[1].0]).expect_success();
    assert_eq!(postgres.export(&[]), times[1].1);
    let to = TestStore::missing(Engine::Sqlite);
    let early = ["restore", &copied_store.directory, "--at", "2020-01-01T00:00:00Z"];
    to.command(&early).failed(1, "there is no copy of that time");
}

#[test]
fn restores_everything_that_was_copied_before_a_kill() {
    let copied_store = CopiedStore::prepare();
    let (mut certain, mut all) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        let app = copied_store.serve();
        let (answered, is_copied) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let receipts: Vec<String> = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut receipts = Vec::new();
                let request = app.post(SUBMIT).json(&applicant(&accept(&[copied_store.term])));
                while let Ok(answer) = request.try_send() {
                    receipts.push(receipt(&answer));
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                receipts
            });
            until("it writes", || answered.load(Ordering::SeqCst) > 20);
            let before = answered.load(Ordering::SeqCst);
            copied_at(&app);
            is_copied.store(before, Ordering::SeqCst);
            app.signal("KILL");
            writer.join().expect("it wrote")
        });
        certain.extend(receipts[..is_copied.into_inner()].iter().cloned());
        all.extend(receipts);
    }
    let rows = copied_store.restored(&[]);
    let restored: Vec<&str> = rows.iter().filter_map(|row| row["receipt_id"].as_str()).collect();
    for id in &certain {
        assert_eq!(restored.iter().filter(|receipt| *receipt == id).count(), 1, "{id}");
    }
    // The first run after the restart copies what the killed server had not copied.
    let mut app = copied_store.serve();
    copied_at(&app);
    app.signal("TERM");
    assert!(app.wait_for_exit(std::time::Duration::from_secs(30)).success());
    let rows = copied_store.restored(&[]);
    let restored: Vec<&str> = rows.iter().filter_map(|row| row["receipt_id"].as_str()).collect();
    assert!(all.iter().all(|id| restored.contains(&id.as_str())));
}

#[test]
fn refuses_stores_that_cannot_be_copied_or_restored() {
    let store = TestStore::new(Engine::Postgres);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--backup-wal-dir", "copies"];
    store.command(&serve).failed(2, "--backup-wal-dir is for SQLite");
    let store = TestStore::new(Engine::Sqlite);
    store.command(&["backup", "a.backup"]).expect_success();
    let to = TestStore::missing(Engine::Sqlite);
    let file = store.path("a.backup").into_os_string().into_string().expect("UTF-8");
    to.command(&["restore", &file, "--at", "2026-11-25T09:30:00Z"]).failed(2, "--at");
    let empty = store.path("data/flags");
    std::fs::create_dir_all(&empty).expect("a directory");
    let empty = empty.into_os_string().into_string().expect("UTF-8");
    to.command(&["restore", &empty]).failed(1, "there are no copies");
}
