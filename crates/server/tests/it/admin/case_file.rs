//! The case file is complete, identical when exported twice, and can be verified without a store.

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{ADMIN, Console};
use crate::case_archive::Archive;
use crate::store::{CommandResult, Engine, TestStore};
use crate::wire::{CLAIM, SUBMIT, accept, applicant, entry, receipt, rider};

on_both!(
    exports_a_complete_and_reproducible_case_file,
    verification_names_the_file_with_a_changed_byte,
    a_case_file_of_an_earlier_time_does_not_change,
    exports_a_case_file_without_decisions,
    refuses_an_erased_person_and_verifies_earlier_files,
    refuses_callers_without_permission,
);

/// r1 accepted both terms as an applicant and claimed the receipt, accepted again, and withdrew
/// one. r2 accepted as well.
struct Case {
    console: Console,
    terms: i64,
    messages: i64,
    german: String,
    receipts: Vec<String>,
}

fn decided(engine: Engine) -> Case {
    let store = TestStore::new(engine).with_rider("r2-other");
    let german = store.pdf("Bedingungen");
    let variant = format!("de={german}:Die Bedingungen");
    let terms = store.term("FREELANCER", &["--mandatory", "--variant", &variant]);
    let messages = store.term("MARKETING", &["--label", "1.1"]);
    store.command(&["user", "add", "--id", "r1", "--name", "Fictional Name"]).expect_success();
    let other = store.token("r2-other");
    let console = Console::serve(store);
    let app = &console.app;
    let german = std::fs::read(german).expect("a document");
    let sha256 = hex::encode(Sha256::digest(&german));
    let mut receipts = Vec::new();
    receipts
        .push(receipt(&app.post(SUBMIT).json(&applicant(&accept(&[terms, messages]))).gives(201)));
    let claim = json!({"receipt": {"id": receipts[0]}});
    app.post(CLAIM).token(&console.rider).json(&claim).gives(201);
    let mut in_german = entry(terms, true);
    in_german["sha256"] = json!(sha256);
    in_german["method"] = json!("tick");
    in_german["opened"] = json!(true);
    in_german["last_page"] = json!(1);
    for body in [rider("r1", &[in_german]), rider("r1", &[entry(messages, false)])] {
        receipts.push(receipt(&app.post(SUBMIT).token(&console.rider).json(&body).gives(201)));
    }
    let body = rider("r2-other", &accept(&[terms, messages]));
    app.post(SUBMIT).token(&other).json(&body).gives(201);
    Case { console, terms, messages, german: sha256, receipts }
}

impl Case {
    fn of(&self, user: &str, query: &str) -> Vec<u8> {
        let path = format!("{ADMIN}/people/{user}/case.zip{query}");
        let answer = self.console.app.get(&path).token(&self.console.operator).gives(200);
        assert_eq!(answer.header("content-type"), "application/zip");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        answer.body
    }

    fn verify(&self, bytes: &[u8]) -> CommandResult {
        let file = self.console.app.file("verified.zip", bytes);
        self.console.app.command(&["case", "verify", &file])
    }

    /// Returns the bytes that `musette case` writes.
    fn written(&self, args: &[&str]) -> Vec<u8> {
        let out = self.console.app.path("written.zip");
        let mut all = vec!["case", "--user", "r1", "--out", out.to_str().expect("UTF-8")];
        all.extend(args);
        self.console.app.command(&all).expect_success();
        std::fs::read(out).expect("a file")
    }
}

fn exports_a_complete_and_reproducible_case_file(engine: Engine) {
    let case = decided(engine);
    let bytes = case.of("r1", "");
    // Other activity is not part of the case file, nor is the export itself.
    case.console.app.post(SUBMIT).json(&applicant(&accept(&[case.terms]))).gives(201);
    assert_eq!(bytes, case.of("r1", ""), "the same bytes");
    assert_eq!(bytes, case.written(&[]), "from the command, too");
    assert_ne!(bytes, case.of("r1", "?locale=de"));
    assert_eq!(case.of("r1", "?locale=ar"), case.written(&["--locale", "ar"]));

    let archive = Archive::of(bytes.clone());
    let manifest = archive.json("manifest.json");
    let listed: Vec<_> = manifest["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| (file["path"].as_str().expect("a path"), &file["sha256"]))
        .collect();
    for path in archive.paths().into_iter().filter(|path| *path != "manifest.json") {
        let digest = json!(hex::encode(Sha256::digest(archive.file(path))));
        assert!(listed.contains(&(path, &digest)), "{path} is listed");
    }
    assert_eq!(listed.len() + 1, archive.files.len());

    let contents = archive.json("case.json");
    let decisions = contents["decisions"].as_array().expect("a list");
    let actual: Vec<_> = decisions
        .iter()
        .map(|decision| {
            let is = |name: &str| decision[name] == true;
            (decision["terms_and_conditions_id"].as_i64(), is("accepted"), is("latest"))
        })
        .collect();
    let (terms, messages) = (Some(case.terms), Some(case.messages));
    assert_eq!(
        actual,
        [
            (terms, true, false),
            (messages, true, false),
            (terms, true, true),
            (messages, false, true)
        ]
    );
    assert_eq!(decisions[2]["language"], "de");
    assert_eq!(decisions[2]["last_page"], 1);
    assert_eq!(contents["claims"][0]["receipt_id"], json!(case.receipts[0]));
    assert_eq!(contents["terms"][1]["label"], "1.1");
    assert_eq!(contents["documents"].as_array().map(Vec::len), Some(3), "every language shown");
    assert!(archive.file(&format!("documents/{}.pdf", case.german)).starts_with(b"%PDF"));
    for id in &case.receipts {
        let request = case.console.app.get(&format!("/receipts/{id}")).token(&case.console.rider);
        assert_eq!(request.gives(200).body, archive.file(&format!("receipts/{id}.json")));
        assert!(archive.file(&format!("certificates/{id}.pdf")).starts_with(b"%PDF"));
    }
    let all = String::from_utf8_lossy(&bytes).into_owned();
    assert!(all.contains("Fictional Name") && !all.contains("r2-other"), "data of other people");

    let output = case.verify(&bytes).expect_success();
    assert!(output.starts_with("verified: case of user r1"), "{output}");
    let keys = case.console.app.get("/log/keys").gives(200).body;
    let keys = case.console.app.file("keys.txt", &keys);
    let file = case.console.app.file("verified.zip", &bytes);
    let verify = |key: &str| case.console.app.command(&["case", "verify", &file, "--key", key]);
    assert!(!verify(&keys).expect_success().contains("keys in the file itself"));
    let others = TestStore::new(Engine::Sqlite);
    let others = crate::app::TestApp::serve(others);
    let others = case.console.app.file("others.txt", &others.get("/log/keys").gives(200).body);
    let refused = verify(&others);
    assert_eq!(refused.code, Some(1), "another log's key: {refused:?}");
    let audit = format!("{ADMIN}/audit?event=case_file_made");
    let rows = case.console.app.get(&audit).token(&case.console.operator).gives(200).json();
    let row = &rows["items"].as_array().expect("a list").last().expect("a row").clone();
    assert_eq!((&row["user_id"], &row["actor_user_id"]), (&json!("r1"), &json!("o1")));
    assert_eq!(rows["items"][0]["actor"], "command");
}

fn verification_names_the_file_with_a_changed_byte(engine: Engine) {
    let case = decided(engine);
    let archive = Archive::of(case.of("r1", ""));
    for (index, (path, range)) in archive.files.iter().enumerate() {
        // The last byte of a text is its newline. The middle is somewhere in its content.
        for at in [0, range.len() / 2, range.len() - 1] {
            let output = case.verify(&archive.changed(index, at));
            assert_eq!(output.code, Some(1), "{path} {at}");
            assert!(output.stderr.contains(path), "{path} {at}: {}", output.stderr);
        }
    }
    let (path, range) = &archive.files[0];
    let mut bytes = archive.bytes.clone();
    bytes[range.start] ^= 1;
    case.verify(&bytes).failed(1, path);
    let mut longer = archive.bytes.clone();
    longer.extend(b"more");
    case.verify(&longer).failed(1, "verified.zip");
    case.verify(b"no archive").failed(1, "verified.zip");
    let nowhere = case.console.app.command(&["case", "verify", "nowhere.zip"]);
    nowhere.failed(1, "nowhere.zip");
}

fn a_case_file_of_an_earlier_time_does_not_change(engine: Engine) {
    let case = decided(engine);
    let app = &case.console.app;
    let all = Archive::of(case.of("r1", "")).json("case.json");
    let second = all["decisions"][2]["recorded_at"].as_str().expect("an instant").to_owned();
    let query = format!("?as_of={second}");
    let past = case.of("r1", &query);
    let contents = Archive::of(past.clone()).json("case.json");
    assert_eq!(contents["as_of"], json!(second));
    let decisions = contents["decisions"].as_array().expect("a list");
    assert!((3..=4).contains(&decisions.len()), "{decisions:?}");
    assert!(decisions.iter().all(|decision| decision["recorded_at"].as_str() <= Some(&second)));
    case.verify(&past).expect_success();
    let body = rider("r1", &accept(&[case.messages]));
    app.post(SUBMIT).token(&case.console.rider).json(&body).gives(201);
    assert_eq!(past, case.of("r1", &query), "the past does not change");
    assert_eq!(past, case.written(&["--as-of", &second]));
    let before = case.of("r1", "?as_of=2020-01-01T00:00:00Z");
    assert_eq!(Archive::of(before).json("case.json")["decisions"], json!([]));
    for query in ["?as_of=today", "?locale=%2e%2e%2f"] {
        let path = format!("{ADMIN}/people/r1/case.zip{query}");
        app.get(&path).token(&case.console.operator).refused(400, "invalid_parameter");
    }
}

fn exports_a_case_file_without_decisions(engine: Engine) {
    let case = decided(engine);
    let bytes = case.of("o1", "");
    assert_eq!(bytes, case.of("o1", ""));
    let archive = Archive::of(bytes.clone());
    assert_eq!(archive.paths(), ["case.json", "log/keys.txt", "index.html", "manifest.json"]);
    let output = case.verify(&bytes).expect_success();
    assert!(output.starts_with("nothing to verify: case of user o1 has no receipt"), "{output}");
    assert!(!output.contains("verified:"), "{output}");
    let page = String::from_utf8(archive.file("index.html").to_vec()).expect("UTF-8");
    assert!(page.contains("Nothing to verify: this file has no receipt"), "{page}");
}

fn refuses_an_erased_person_and_verifies_earlier_files(engine: Engine) {
    let case = decided(engine);
    let bytes = case.of("r1", "");
    let app = &case.console.app;
    let body = json!({"confirm": "r1"});
    let person = format!("{ADMIN}/people/r1");
    app.request("DELETE", &person).token(&case.console.admin).json(&body).gives(204);
    app.get(&format!("{person}/case.zip")).token(&case.console.operator).refused(404, "not_found");
    let out = app.path("erased.zip");
    let out = out.to_str().expect("UTF-8");
    app.command(&["case", "--user", "r1", "--out", out]).failed(1, "no user has this ID");
    assert!(!std::path::Path::new(out).exists());
    case.verify(&bytes).expect_success();
}

fn refuses_callers_without_permission(engine: Engine) {
    let case = decided(engine);
    let app = &case.console.app;
    let get =
        |user: &str, token: &str| app.get(&format!("{ADMIN}/people/{user}/case.zip")).token(token);
    get("r1", &case.console.rider).refused(403, "permission_denied");
    get("a1", &case.console.operator).refused(403, "permission_denied");
    get("a1", &case.console.admin).gives(200);
    get("nobody", &case.console.operator).refused(404, "not_found");
    app.get(&format!("{ADMIN}/people/r1/case.zip")).refused(401, "unauthenticated");
}
