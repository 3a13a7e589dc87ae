//! `--policy`: the quorum of witnesses that a verifier demands.

use musette_core::log::cosignature::Cosigner;
use musette_core::log::note::Note;
use musette_core::log::tlog_proof::TlogProof;

use super::{saved, text};
use crate::app::TestApp;
use crate::store::{Engine, TestStore};
use crate::wire::{SUBMIT, accept, applicant};

on_both!(demands_the_quorum_of_a_policy);

fn witness(n: u8) -> Cosigner {
    Cosigner::ed25519(&format!("witness-{n}.example"), &[n; 32]).expect("a key")
}

fn demands_the_quorum_of_a_policy(engine: Engine) {
    let store = TestStore::new(engine);
    let term = store.term("FREELANCER", &["--mandatory"]);
    let app = TestApp::serve(store);
    let mut receipt =
        app.post(SUBMIT).json(&applicant(&accept(&[term]))).gives(201).json()["receipt"].clone();
    let vkey = text(&app.get("/log/key").gives(200));
    let members = format!(
        "witness council {}\nwitness auditor {}\ngroup both all council auditor\nquorum both\n",
        witness(1).verifier(),
        witness(2).verifier()
    );
    let with_log = app.file("with-log.policy", format!("log {vkey}{members}").as_bytes());
    let without_log = app.file("without-log.policy", members.as_bytes());
    let none = app.file("none.policy", b"quorum none\n");
    let wrong = app.file("wrong.policy", b"# comment\nquorum unknown\n");
    let keys = app.file("keys.txt", vkey.as_bytes());

    let plain = saved(&app, "plain.json", &receipt);
    let mut proof = TlogProof::parse(receipt["proof"].as_str().expect("a proof")).expect("a proof");
    let mut note = Note::parse(&proof.checkpoint).expect("a note");
    for n in [1, 2] {
        let line = witness(n).sign(note.text(), 1_795_000_000).expect("signs");
        note = note.with_signature(line);
        proof.checkpoint = note.to_string();
        receipt["proof"] = proof.to_string().into();
        saved(&app, &format!("cosigned-{n}.json"), &receipt);
    }
    let (by_one, by_both) = (app.path("cosigned-1.json"), app.path("cosigned-2.json"));
    let (by_one, by_both) = (by_one.display().to_string(), by_both.display().to_string());

    let verify =
        |file: &str, args: &[&str]| app.command(&[&["receipt", "verify", file][..], args].concat());
    for args in [
        &["--policy", &with_log][..],
        &["--policy", &without_log],
        &["--policy", &without_log, "--key", &keys],
    ] {
        let output = verify(&by_both, args).expect_success();
        assert!(output.contains("; cosigned by council, auditor"), "{output}");
        verify(&by_one, args).failed(1, "no cosignature of auditor");
        verify(&plain, args).failed(1, "no cosignature of council, auditor");
    }
    let output = verify(&plain, &["--policy", &none]).expect_success();
    assert!(output.contains("no cosignature is needed"), "{output}");
    verify(&plain, &["--policy", &wrong]).failed(2, "line 2: the name unknown");
    let other = TestApp::start(engine);
    let log_key = text(&other.get("/log/key").gives(200));
    let other_log = app.file("other.policy", format!("log {log_key}quorum none\n").as_bytes());
    verify(&by_both, &["--policy", &other_log]).failed(1, "not verified");

    app.command(&["log", "verify", "--policy", &none]).expect_success();
    app.command(&["log", "verify", "--policy", &with_log]).failed(1, "no cosignature of council");
    app.command(&["log", "verify", "--policy", &wrong]).failed(2, "line 2: ");
}
