//! `backup` while others write, and `restore`.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, V3, accept, applicant, receipt};

on_both!(a_copy_of_everything, what_cannot_be_restored);

fn a_copy_of_everything(engine: Engine) {
    let store = TestStore::new(engine).with_rider("r1");
    let term = store.term("FREELANCER", &["--mandatory"]);
    let token = store.token("r1");
    let app = TestApp::serve(store);
    let file = app.path("backup").into_os_string().into_string().expect("UTF-8");
    let submit = || receipt(&app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201));
    let before: Vec<String> = (0..5).map(|_| submit()).collect();
    let is_over = AtomicBool::new(false);
    let meanwhile = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut receipts = vec![submit()];
            while !is_over.load(Ordering::Relaxed) {
                receipts.push(submit());
            }
            receipts
        });
        app.command(&["backup", &file]).done();
        is_over.store(true, Ordering::Relaxed);
        writer.join().expect("it wrote")
    });
    let terms = app.get(&format!("{V3}/public/terms")).gives(200).json();
    let old_receipt = app.get(&format!("/receipts/{}.json", before[0])).gives(200).body;
    let old_key = app.get("/log/key").gives(200).body;
    let old_keys = app.get("/log/keys").gives(200).body;
    assert_eq!(old_keys, old_key, "there is but one log");
    let old_log = log_name(&old_key);
    let old_tile = app.get(&format!("/log/{old_log}/tile/0/000.p/5")).gives(200).body;
    assert_eq!(app.get("/log/tile/0/000.p/5").gives(200).body, old_tile);
    let _dir = app.store();
    drop(app);

    for engine in [engine, other(engine)] {
        // A copy of one engine's store fills the other's as well.
        let copy = TestStore::new(engine);
        copy.command(&["restore", &file]).done();
        let rows = copy.export(&[]);
        let restored: Vec<&str> =
            rows.iter().filter_map(|row| row["receipt_id"].as_str()).collect();
        assert_eq!(restored[..5], before);
        let same: Vec<&str> =
            meanwhile.iter().map(String::as_str).take(restored.len() - 5).collect();
        assert_eq!(restored[5..], same, "a moment in between, nothing missing before it");
        let app = TestApp::serve(copy);
        let copied = app.get(&format!("{V3}/public/terms")).gives(200).json();
        assert_eq!(copied[0]["sha256"], terms[0]["sha256"]);
        let link = format!("/documents/{}.pdf", terms[0]["sha256"].as_str().expect("a hash"));
        assert!(app.get(&link).gives(200).body.starts_with(b"%PDF-"));
        // The new log has the short addresses; those of the old one still give the same bytes.
        let keys = app.get("/log/keys").gives(200).body;
        let key = app.get("/log/key").gives(200).body;
        assert_eq!(keys, [&key[..], &old_key[..]].concat());
        let tile = |log: &str| app.get(&format!("/log/{log}tile/0/000.p/1"));
        assert_eq!(tile(&format!("{old_log}/")).gives(200).body, old_tile[..32]);
        let current = tile("").gives(200);
        assert_ne!(current.body, old_tile[..32]);
        assert_eq!(current.header("cache-control"), "no-cache");
        assert_eq!(tile(&format!("{}/", log_name(&key))).gives(200).body, current.body);
        tile("nothing/").refused(404, "not_found");
        let head = app.get(&format!("/log/{old_log}/checkpoint")).gives(200).body;
        assert!(head.starts_with(&old_key[..old_key.len() / 4]), "{head:?}");
        let receipt = app.file("old.json", &old_receipt);
        let known = app.file("keys", &keys);
        app.command(&["receipt", "verify", &receipt, "--key", &known]).done();
        // Sessions, receipts and the numbering go on.
        let claim = json!({"receipt": {"id": before[0]}});
        app.post(CLAIM).token(&token).json(&claim).gives(201);
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        assert_eq!(app.export(&[]).len(), rows.len() + 1);
    }
}

/// The last part of the origin, by which the addresses of one log begin.
fn log_name(key: &[u8]) -> String {
    let line = std::str::from_utf8(key).expect("UTF-8");
    let origin = line.split('+').next().expect("an origin");
    origin.rsplit('/').next().expect("a name").to_owned()
}

fn other(engine: Engine) -> Engine {
    match engine {
        Engine::Sqlite => Engine::Postgres,
        Engine::Postgres => Engine::Sqlite,
    }
}

fn what_cannot_be_restored(engine: Engine) {
    let store = TestStore::new(engine);
    store.term("FREELANCER", &[]);
    let file = store.path("backup").into_os_string().into_string().expect("UTF-8");
    store.command(&["backup", &file]).done();
    store.command(&["restore", &file]).failed(1, "empty");
    store.command(&["backup", "no/such/folder/backup"]).failed(1, "no/such/folder/backup");
    let bytes = std::fs::read(&file).expect("the backup");
    let with_a_user = TestStore::new(engine).with_rider("r1");
    with_a_user.command(&["restore", &file]).failed(1, "empty");
    with_a_user.command(&["restore", "missing"]).failed(1, "missing");
    for broken in [&b""[..], b"nonsense", &bytes[..bytes.len() / 2], &bytes[..bytes.len() - 1]] {
        let empty = TestStore::new(engine);
        let file = empty.file("broken", broken);
        let ran = empty.command(&["restore", &file]);
        assert_eq!(ran.code, Some(1), "{} bytes: {ran:?}", broken.len());
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
        // Half of it is not there either: the whole can still be restored.
        let whole = empty.file("whole", &bytes);
        empty.command(&["restore", &whole]).done();
    }
}
