//! `testdata/log-vectors.json`: cases that all verifiers, in any language, must accept or reject.
//! `UPDATE=1 cargo test -p musette-core log::vectors` rewrites the file.

mod make;

use std::path::PathBuf;

use serde_json::Value;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::hash::Hash;
use super::key::VerifierKey;
use super::note::Note;
use super::proof::{verify_consistency, verify_inclusion};
use super::receipt::{Receipt, SubjectCheck};
use super::tile::{Resource, Tile};
use super::tlog_proof::TlogProof;

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/log-vectors.json")
}

fn read() -> Value {
    serde_json::from_str(&std::fs::read_to_string(path()).unwrap()).unwrap()
}

#[test]
fn the_file_equals_the_output_of_this_code() {
    let vectors = make::all();
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&vectors).unwrap();
        std::fs::write(path(), format!("{text}\n")).unwrap();
    }
    assert!(read() == vectors, "testdata/log-vectors.json is out of date: run with UPDATE=1");
}

/// Checks all cases of a list. Each list must have valid and invalid cases, because a list of only
/// one kind proves nothing.
fn check(list: &str, verify: impl Fn(&Value) -> bool) {
    let vectors = read();
    let cases = vectors[list].as_array().unwrap();
    for case in cases {
        assert_eq!(verify(case), case["valid"].as_bool().unwrap(), "{list}: {}", case["case"]);
    }
    for valid in [true, false] {
        assert!(cases.iter().any(|case| case["valid"] == valid), "{list} has no {valid}");
    }
}

fn hash(value: &Value) -> Option<Hash> {
    Hash::from_base64(value.as_str()?)
}

fn hashes(value: &Value) -> Option<Vec<Hash>> {
    value.as_array()?.iter().map(hash).collect()
}

fn trusted() -> Vec<VerifierKey> {
    vec![VerifierKey::parse(read()["key"].as_str().unwrap()).unwrap()]
}

fn text<'a>(case: &'a Value, member: &str) -> &'a str {
    case[member].as_str().unwrap()
}

#[test]
fn inclusion() {
    check("inclusion", |case| {
        let number = |member: &str| case[member].as_u64().unwrap();
        let (leaf, root) = (hash(&case["leaf"]).unwrap(), hash(&case["root"]).unwrap());
        let path = hashes(&case["path"]).unwrap();
        verify_inclusion(number("size"), root, number("index"), leaf, &path).is_ok()
    });
}

#[test]
fn consistency() {
    check("consistency", |case| {
        let number = |member: &str| case[member].as_u64().unwrap();
        let (old, new) = (hash(&case["old_root"]).unwrap(), hash(&case["new_root"]).unwrap());
        let path = hashes(&case["path"]).unwrap();
        verify_consistency(number("old"), old, number("new"), new, &path).is_ok()
    });
}

#[test]
fn leaves_and_roots() {
    let vectors = read();
    let entries = vectors["entries"].as_array().unwrap();
    let mut frontier = super::frontier::Frontier::default();
    for (entry, (leaf, root)) in entries.iter().zip(
        hashes(&vectors["leaves"]).unwrap().into_iter().zip(hashes(&vectors["roots"]).unwrap()),
    ) {
        assert_eq!(frontier.root(), root);
        assert_eq!(Hash::leaf(entry.as_str().unwrap().as_bytes()), leaf);
        frontier.append(leaf);
    }
    assert_eq!(frontier.size(), 20);
}

#[test]
fn tile_paths() {
    check("tile_paths", |case| {
        let Ok(resource) = Resource::parse(text(case, "path")) else { return false };
        let (level, index, width) = match resource {
            Resource::Hashes(Tile { level, index, width }) => (Value::from(level), index, width),
            Resource::Entries { index, width } => (Value::from("entries"), index, width),
        };
        assert_eq!(
            (&level, index, width),
            (
                &case["level"],
                case["index"].as_u64().unwrap(),
                case["width"].as_u64().unwrap() as u16,
            )
        );
        true
    });
}

#[test]
fn keys() {
    check("keys", |case| VerifierKey::parse(text(case, "key")).is_ok());
}

#[test]
fn notes() {
    check("notes", |case| {
        Note::parse(text(case, "note")).is_ok_and(|note| note.verify(&trusted()).is_ok())
    });
}

#[test]
fn proofs() {
    check("proofs", |case| {
        let leaf = Hash::leaf(text(case, "entry").as_bytes());
        TlogProof::parse(text(case, "proof"))
            .is_ok_and(|proof| proof.verify(leaf, &trusted()).is_ok())
    });
}

#[test]
fn ml_dsa() {
    let vectors = read();
    let case = &vectors["ml_dsa"];
    let keys = [trusted(), vec![VerifierKey::parse(text(case, "key")).unwrap()]].concat();
    let proof = TlogProof::parse(text(case, "proof")).unwrap();
    let leaf = Hash::leaf(text(case, "entry").as_bytes());
    assert_eq!(proof.verify(leaf, &keys[1..]).unwrap().size, 2);
    assert_eq!(Checkpoint::demand_ml_dsa(&proof.checkpoint, &keys), Ok(()));
    let not_signed = CheckpointError::NotSignedByMlDsa { origin: keys[0].name().to_owned() };
    assert_eq!(Checkpoint::demand_ml_dsa(&proof.checkpoint, &keys[..1]), Err(not_signed));
    // The first line is of Ed25519, so that verifiers that know no other type still read it.
    let note = Note::parse(&proof.checkpoint).unwrap();
    assert!(keys[0].is_of(&note.signatures()[0]) && keys[1].is_of(&note.signatures()[1]));
}

#[test]
fn receipts() {
    check("receipts", |case| {
        let Ok(receipt) = Receipt::parse(text(case, "receipt")) else { return false };
        let Ok(verified) = receipt.verify(&trusted(), case["user_id"].as_str()) else {
            return false;
        };
        assert_eq!(case["subject"] == "matches", verified.subject == SubjectCheck::Matches);
        true
    });
}
