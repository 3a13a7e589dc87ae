//! `--backup-wal-dir`, and `restore` to any time from its copies.

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

fn copied_until(app: &TestApp) -> f64 {
    let text = app.metrics();
    let line = text.lines().find_map(|it| it.strip_prefix("musette_wal_copied_timestamp_seconds "));
    line.map_or(0.0, |it| it.parse().expect("a number"))
}

/// Waits until everything that was answered so far is copied, and gives a time of which that is true.
fn copied(app: &TestApp) -> String {
    let now = seconds();
    until("it is copied", || copied_until(app) > now);
    let at = jiff::Timestamp::from_millisecond((copied_until(app) * 1000.0) as i64 + 200);
    at.expect("a time").to_string()
}

struct Copied {
    store: Arc<TestStore>,
    directory: String,
    term: i64,
}

impl Copied {
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

    /// What a store restored from the copies has; its log verifies.
    fn restored(&self, at: &[&str]) -> Vec<Value> {
        let to = TestStore::none(Engine::Sqlite);
        let said = to.command(&[&["restore", &self.directory], at].concat()).done();
        assert!(said.contains("the copies reach from"), "{said}");
        assert!(!to.path("data/restoring").exists());
        to.command(&["log", "verify"]).done();
        to.export(&[])
    }
}

#[test]
fn a_store_is_restored_as_it_was_at_any_time() {
    let copied_store = Copied::prepare();
    let (store, term) = (&copied_store.store, copied_store.term);
    let mut app = copied_store.serve();
    let submit = || receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    let mut times = Vec::new();
    for _ in 0..3 {
        for _ in 0..5 {
            submit();
        }
        times.push((copied(&app), store.export(&[])));
        // A copy is as of its own time; what is later is not in it.
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    // It rewrites the database and empties the log: a new base begins.
    store.command(&["user", "erase", "--id", "r1"]).done();
    submit();
    times.push((copied(&app), store.export(&[])));
    std::thread::sleep(std::time::Duration::from_millis(300));
    submit();
    let found = store.command(&["doctor", "--backup-wal-dir", &copied_store.directory]);
    assert!(found.stdout.contains("ok    copies of changes: from "), "{found:?}");
    app.signal("TERM");
    assert!(app.ended(std::time::Duration::from_secs(30)).success());
    for (at, rows) in &times {
        assert_eq!(copied_store.restored(&["--at", at]), *rows, "{at}");
    }
    assert_eq!(copied_store.restored(&[]), store.export(&[]), "the end copies the rest");
    let postgres = TestStore::none(Engine::Postgres);
    postgres.command(&["restore", &copied_store.directory, "--at", &times[1].0]).done();
    assert_eq!(postgres.export(&[]), times[1].1);
    let to = TestStore::none(Engine::Sqlite);
    let early = ["restore", &copied_store.directory, "--at", "2020-01-01T00:00:00Z"];
    to.command(&early).failed(1, "there is no copy of that time");
}

#[test]
fn after_a_kill_everything_that_was_copied_is_there() {
    let copied_store = Copied::prepare();
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
            copied(&app);
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
        assert_eq!(restored.iter().filter(|it| *it == id).count(), 1, "{id}");
    }
    // The first run of the next start copies what the killed one had not.
    let mut app = copied_store.serve();
    copied(&app);
    app.signal("TERM");
    assert!(app.ended(std::time::Duration::from_secs(30)).success());
    let rows = copied_store.restored(&[]);
    let restored: Vec<&str> = rows.iter().filter_map(|row| row["receipt_id"].as_str()).collect();
    assert!(all.iter().all(|id| restored.contains(&id.as_str())));
}

#[test]
fn what_cannot_be_copied_or_restored_is_refused() {
    let store = TestStore::new(Engine::Postgres);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--backup-wal-dir", "copies"];
    store.command(&serve).failed(2, "--backup-wal-dir is for SQLite");
    let store = TestStore::new(Engine::Sqlite);
    store.command(&["backup", "a.backup"]).done();
    let to = TestStore::none(Engine::Sqlite);
    let file = store.path("a.backup").into_os_string().into_string().expect("UTF-8");
    to.command(&["restore", &file, "--at", "2026-11-25T09:30:00Z"]).failed(2, "--at");
    let empty = store.path("data/flags");
    std::fs::create_dir_all(&empty).expect("a directory");
    let empty = empty.into_os_string().into_string().expect("UTF-8");
    to.command(&["restore", &empty]).failed(1, "there are no copies");
}
