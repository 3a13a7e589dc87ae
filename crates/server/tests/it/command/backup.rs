//! `backup` during writes, and `restore`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::app::{Start, TestApp};
use crate::store::{Engine, TestStore};
use crate::until::until;
use crate::wire::{CLAIM, SUBMIT, V3, accept, applicant, receipt};

on_both!(
    a_changed_backup_is_refused,
    a_backup_restores_everything,
    refuses_files_that_are_not_a_complete_backup,
    a_server_makes_scheduled_backups
);

fn a_backup_restores_everything(engine: Engine) {
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
        app.command(&["backup", &file]).expect_success();
        is_over.store(true, Ordering::Relaxed);
        writer.join().expect("it wrote")
    });
    let terms = app.get(&format!("{V3}/public/terms")).gives(200).json();
    let old_receipt = app.get(&format!("/receipts/{}.json", before[0])).gives(200).body;
    let old_key = app.get("/log/key").gives(200).body;
    let old_keys = app.get("/log/keys").gives(200).body;
    assert_eq!(old_keys, old_key, "there is only one log");
    let old_log = log_name(&old_key);
    let old_tile = app.get(&format!("/log/{old_log}/tile/0/000.p/5")).gives(200).body;
    assert_eq!(app.get("/log/tile/0/000.p/5").gives(200).body, old_tile);
    let _dir = app.store();
    drop(app);

    for engine in [engine, other(engine)] {
        // A copy from one engine can be restored into the other.
        let copy = TestStore::new(engine);
        copy.command(&["restore", &file]).expect_success();
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
        // The new log uses short addresses. The addresses of the old one still return the same
        // bytes.
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
        let key_file = app.file("keys", &keys);
        app.command(&["receipt", "verify", &receipt, "--key", &key_file]).expect_success();
        // Sessions, receipts and the numbering continue.
        let claim = json!({"receipt": {"id": before[0]}});
        app.post(CLAIM).token(&token).json(&claim).gives(201);
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201);
        assert_eq!(app.export(&[]).len(), rows.len() + 1);
    }
}

/// Returns the last part of the origin, with which the addresses of one log begin.
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

fn refuses_files_that_are_not_a_complete_backup(engine: Engine) {
    let store = TestStore::new(engine);
    store.term("FREELANCER", &[]);
    let file = store.path("backup").into_os_string().into_string().expect("UTF-8");
    store.command(&["backup", &file]).expect_success();
    store.command(&["restore", &file]).failed(1, "empty");
    store.command(&["backup", "no/such/folder/backup"]).failed(1, "no/such/folder/backup");
    let bytes = std::fs::read(&file).expect("the backup");
    let with_a_user = TestStore::new(engine).with_rider("r1");
    with_a_user.command(&["restore", &file]).failed(1, "empty");
    with_a_user.command(&["restore", "missing"]).failed(1, "missing");
    let flipped = |at: usize| {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        flipped
    };
    for broken in [
        Vec::new(),
        b"nonsense".to_vec(),
        bytes[..bytes.len() / 2].to_vec(),
        bytes[..bytes.len() - 1].to_vec(),
        flipped(bytes.len() / 3),
        flipped(bytes.len() / 2),
        flipped(bytes.len() - 6),
    ] {
        let empty = TestStore::new(engine);
        let file = empty.file("broken", &broken);
        // The error is one line, whatever the flipped bit changed in a row.
        empty.command(&["restore", &file]).failed(1, "not a complete backup");
        // A failed restore leaves no rows, so the complete backup can still be restored.
        let whole = empty.file("whole", &bytes);
        empty.command(&["restore", &whole]).expect_success();
    }
}

fn backups(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".backup")).collect();
    names.sort();
    names
}

fn a_server_makes_scheduled_backups(engine: Engine) {
    let store = Arc::new(TestStore::new(engine).with_rider("r1"));
    let folder = store.path("backups");
    std::fs::create_dir(&folder).expect("a folder");
    for name in
        ["musette-20200101T000000Z.backup", "musette-20200102T000000Z.backup", "mine.backup"]
    {
        std::fs::write(folder.join(name), "old").expect("a file");
    }
    let args = [
        "--backup-every",
        "6h",
        "--backup-keep",
        "2",
        "--backup-dir",
        folder.to_str().expect("UTF-8"),
    ];
    let app = TestApp::serve_with(&store, Start { args: &args, ..Start::default() });
    // The newest backup is from 2020, so one is due. Then there is one backup too many and the
    // oldest is deleted.
    until("the oldest backup is deleted", || {
        backups(&folder).len() == 3
            && backups(&folder).iter().all(|name| !name.contains("20200101"))
    });
    drop(app);
    let files = backups(&folder);
    assert_eq!((&*files[0], &*files[1]), ("mine.backup", "musette-20200102T000000Z.backup"));
    let copy = TestStore::new(engine);
    copy.command(&["restore", folder.join(&files[2]).to_str().expect("UTF-8")]).expect_success();
    copy.command(&["token", "issue", "--user", "r1"]).expect_success();
    let report = store.command(&["doctor", "--backup-every", "6h", "--backup-dir", args[5]]);
    assert!(
        report.stdout.contains(&format!(
            "ok    backups: the newest is {}",
            folder.join(&files[2]).display()
        )),
        "{report:?}"
    );
    // Half of a schedule is a configuration error.
    let check = |args: &[&str]| store.command(&[&["check-config"], args].concat());
    check(&["--backup-every", "6h"]).failed(2, "--backup-dir");
    check(&["--backup-dir", "backups"]).failed(2, "--backup-every");
    check(&["--backup-every", "6", "--backup-dir", "backups"]).failed(2, "--backup-every");
    check(&["--backup-every", "5s", "--backup-dir", "backups"]).failed(2, "one minute");
    let data = store.path("data").into_os_string().into_string().expect("UTF-8");
    if engine == Engine::Sqlite {
        check(&["--backup-wal-dir", &data]).failed(2, "the data directory");
    }
}

/// A mistyped path must not overwrite an existing file, least of all the store.
#[test]
fn a_backup_overwrites_only_backups() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    let text = |name: &str| store.path(name).into_os_string().into_string().expect("UTF-8");
    store.command(&["backup", &text("data/musette.db")]).failed(1, "is not overwritten");
    store.command(&["token", "issue", "--user", "r1"]).expect_success();
    let (backup, letter) = (text("made"), text("letter"));
    store.command(&["backup", &backup]).expect_success();
    store.command(&["backup", &backup]).expect_success();
    std::fs::write(&letter, "Dear Ada").expect("a file");
    store.command(&["backup", &letter]).failed(1, "is not overwritten");
    assert_eq!(std::fs::read(&letter).expect("there"), b"Dear Ada");
    store.command(&["backup", "-"]).failed(1, "standard output");
    store.command(&["backup", &text("data")]).failed(1, "a directory");
    let case = |out: &str| store.command(&["case", "--user", "r1", "--out", out]);
    case(&backup).failed(1, "is not overwritten");
    let restore = store.command(&["restore", &backup]);
    restore.failed(1, "already contains a store");
}

/// Only complete files have their final name, whenever the process is killed.
#[test]
fn a_killed_backup_leaves_no_incomplete_file() {
    let store = TestStore::new(Engine::Sqlite).with_rider("r1");
    store.term("FREELANCER", &[]);
    let folder = store.path("killed");
    std::fs::create_dir(&folder).expect("a folder");
    let mut child = store.program();
    let mut child = child.args(["backup", "killed/a.backup"]).spawn().expect("it starts");
    // Starting when it has opened the file that it writes to.
    until("it writes", || {
        let open = std::fs::read_dir(format!("/proc/{}/fd", child.id()));
        let mut open = open.into_iter().flatten().flatten();
        open.any(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| to.starts_with(&folder)))
            || child.try_wait().expect("a child").is_some()
    });
    child.kill().expect("it is killed, or has ended");
    child.wait().expect("it ends");
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let entry = entry.expect("an entry");
        assert_eq!(entry.file_name(), "a.backup", "half a backup has a name");
        let copy = TestStore::new(Engine::Sqlite);
        let file = entry.path().to_str().expect("UTF-8").to_owned();
        copy.command(&["restore", &file]).expect_success();
    }
}

fn unpacked(bytes: &[u8]) -> String {
    use std::io::Read as _;
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("gzip");
    text
}

fn packed(text: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.as_bytes()).expect("it is packed");
    out.finish().expect("it is packed")
}

/// A person who can write the file adds a role for themselves. The restore refuses it completely.
fn a_changed_backup_is_refused(engine: Engine) {
    let app = TestApp::serve(TestStore::new(engine).with_rider("r1"));
    let file = app.path("backup").into_os_string().into_string().expect("UTF-8");
    app.command(&["backup", &file]).expect_success();
    let keys = app.file("keys", &app.get("/log/keys").gives(200).body);
    let bytes = std::fs::read(&file).expect("a file");
    let text = unpacked(&bytes);
    let changed = text.replace(r#"["r1","rider"]"#, r#"["r1","admin"]"#);
    // In PostgreSQL's format of JSON.
    let changed = changed.replace(r#"["r1", "rider"]"#, r#"["r1", "admin"]"#);
    assert_ne!(changed, text);
    let changed = app.file("changed", &packed(&changed));
    let longer = app.file("longer", &[&bytes[..], b"more"].concat());
    let (unsealed, _) = {
        let text = unpacked(&bytes).replace("musette-backup-2", "musette-backup-1");
        let (lines, seal) = text.trim_end().rsplit_once('\n').expect("lines");
        (app.file("earlier", &packed(&format!("{lines}\n"))), seal.to_owned())
    };
    let copy = TestStore::new(engine);
    copy.command(&["restore", &changed]).failed(1, "it was modified after it was written");
    copy.command(&["restore", &longer]).failed(1, "it has data after its end");
    copy.command(&["restore", &unsealed, "--key", &keys]).failed(1, "did not sign backups");
    copy.command(&["token", "issue", "--user", "r1"]).failed(1, "");
    let pinned = copy.command(&["restore", &file, "--key", &keys]);
    assert!(pinned.stdout.contains("the backup is authentic"), "{pinned:?}");
    pinned.expect_success();
    let copy = TestStore::new(engine);
    let restore = copy.command(&["restore", &file]);
    assert!(restore.stdout.contains("compare it with a copy"), "{restore:?}");
    restore.expect_success();
    // A backup of an earlier version, or one without its seal.
    let copy = TestStore::new(engine);
    let earlier = copy.command(&["restore", &unsealed]);
    assert!(
        earlier.stderr.contains("warning: the authenticity of this backup is not proved"),
        "{earlier:?}"
    );
    earlier.expect_success();
    let other = TestStore::new(Engine::Sqlite);
    let other = TestApp::serve(other);
    let keys = app.file("others", &other.get("/log/keys").gives(200).body);
    TestStore::new(engine)
        .command(&["restore", &file, "--key", &keys])
        .failed(1, "not signed by a known key");
}
