//! Parsers of the evidence log: proofs, notes, keys, tiles, entries, receipts. The seeds are the
//! valid and invalid test vectors that all verifiers must handle.

use std::convert::Infallible;
use std::sync::LazyLock;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::edge::Edge;
use musette_core::log::entry::Entry;
use musette_core::log::hash::Hash;
use musette_core::log::key::VerifierKey;
use musette_core::log::note::Note;
use musette_core::log::policy::Policy;
use musette_core::log::receipt::Receipt;
use musette_core::log::tile::{self, Resource, decode_entries, encode_entries};
use musette_core::log::tlog_proof::TlogProof;
use serde_json::Value;

use super::{kind, text};

static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../testdata/log-vectors.json")).unwrap_or_default()
});

static TRUSTED_KEYS: LazyLock<Vec<VerifierKey>> = LazyLock::new(|| {
    VerifierKey::parse_list(VECTORS["key"].as_str().unwrap_or_default()).unwrap_or_default()
});

/// Returns the values of this member in the list with this name.
fn vectors(list: &str, member: &str) -> Vec<Vec<u8>> {
    let cases = VECTORS[list].as_array().map(Vec::as_slice).unwrap_or_default();
    cases.iter().filter_map(|case| Some(case[member].as_str()?.as_bytes().to_vec())).collect()
}

pub fn notes() -> Vec<Vec<u8>> {
    vectors("notes", "note")
}

pub fn note(input: &[u8]) -> String {
    let parsed = Note::parse(&text(input));
    let verified = parsed.as_ref().ok().map(|note| {
        assert_eq!(Note::parse(&note.to_string()).as_ref(), Ok(note), "parses to the same note");
        kind(&note.verify(&TRUSTED_KEYS))
    });
    format!("{} {verified:?}", kind(&parsed))
}

pub fn checkpoint(input: &[u8]) -> String {
    let opened = Checkpoint::open(&text(input), &TRUSTED_KEYS);
    if let Ok(head) = Checkpoint::parse(&text(input)) {
        assert_eq!(Checkpoint::parse(&head.to_string()), Ok(head), "parses to the same head");
    }
    kind(&opened)
}

pub fn policies() -> Vec<Vec<u8>> {
    let key = VECTORS["key"].as_str().unwrap_or_default().trim();
    let witness = "w.example+42c57b29+BGvOp3uEnd6nzUnCvDAukZyPwqzf9NU5OSF5aLXyDuKc";
    let file = format!(
        "# comment\nlog {key} https://log.example\nwitness a {witness} https://w.example/\n\
         group g 1 a\ngroup h all g\nquorum h\n"
    );
    vec![file.into_bytes(), b"quorum none\n".to_vec(), b"group g any a\nquorum g".to_vec()]
}

pub fn policy(input: &[u8]) -> String {
    let parsed = Policy::parse(input);
    let checked = parsed.as_ref().ok().map(|policy| {
        let notes = notes();
        let check = |note: &Vec<u8>| kind(&policy.check(&text(note), &[]));
        notes.iter().take(4).map(check).collect::<Vec<_>>()
    });
    format!("{} {checked:?}", kind(&parsed))
}

pub fn proofs() -> Vec<Vec<u8>> {
    vectors("proofs", "proof")
}

pub fn proof(input: &[u8]) -> String {
    let parsed = TlogProof::parse(&text(input));
    let verified = parsed.as_ref().ok().map(|proof| {
        assert_eq!(TlogProof::parse(&proof.to_string()).as_ref(), Ok(proof));
        let leaf = Hash::leaf(b"an entry that no vector has");
        let verified = proof.verify(leaf, &TRUSTED_KEYS);
        assert!(verified.is_err(), "accepted a proof of an entry that was never logged");
        kind(&verified)
    });
    format!("{} {verified:?}", kind(&parsed))
}

pub fn tile_paths() -> Vec<Vec<u8>> {
    vectors("tile_paths", "path")
}

pub fn tile_path(input: &[u8]) -> String {
    let text = text(input);
    let parsed = Resource::parse(&text);
    if let Ok(resource) = parsed {
        assert_eq!(resource.to_string(), text, "one resource has one path");
    }
    kind(&parsed)
}

pub fn tiles() -> Vec<Vec<u8>> {
    let entries: Vec<Vec<u8>> = (0..5_u8).map(|at| vec![at; usize::from(at) * 7]).collect();
    let bundle = encode_entries(&entries).unwrap_or_default();
    vec![bundle, Hash::leaf(b"one").0.to_vec(), [0xff; 8192].to_vec(), Vec::new()]
}

/// Parses the input as an entry bundle, and as the partial tiles from which a writer would continue.
pub fn tile(input: &[u8]) -> String {
    let width = input.first().map_or(1, |byte| u16::from(*byte) + 1);
    let bundle = decode_entries(input, width);
    if let Ok(entries) = &bundle {
        assert_eq!(encode_entries(entries).as_deref().ok(), Some(input));
    }
    let size = (input.len() / 32) as u64;
    let restored: Result<Edge, _> = Edge::restore(size, |_| Ok::<_, Infallible>(input));
    let path = tile::inclusion(size, size / 2, |_| Ok::<_, Infallible>(input));
    format!("{} {} {}", kind(&bundle), kind(&restored), kind(&path))
}

pub fn entries() -> Vec<Vec<u8>> {
    let mut entries = vectors("proofs", "entry");
    let receipts = vectors("receipts", "receipt");
    let parsed = receipts.iter().filter_map(|receipt| Receipt::parse(&text(receipt)).ok());
    entries.extend(parsed.map(|receipt| receipt.entry.into_bytes()));
    entries
}

pub fn entry(input: &[u8]) -> String {
    let text = text(input);
    let decoded = Entry::decode(&text);
    if let Ok(entry) = &decoded {
        assert_eq!(entry.encode().as_deref(), Ok(&*text), "canonical is one spelling");
    }
    kind(&decoded)
}

pub fn receipts() -> Vec<Vec<u8>> {
    vectors("receipts", "receipt")
}

pub fn receipt(input: &[u8]) -> String {
    let parsed = Receipt::parse(&text(input));
    let Ok(receipt) = &parsed else { return kind(&parsed) };
    let verified = receipt.verify(&TRUSTED_KEYS, None);
    if verified.is_ok() {
        let is_known = entries().iter().any(|entry| entry == receipt.entry.as_bytes());
        assert!(is_known, "accepted a receipt for an entry that is in no test vector");
    }
    format!("taken {} {}", kind(&verified), kind(&receipt.verify(&TRUSTED_KEYS, Some("rider-1"))))
}

pub fn vkeys() -> Vec<Vec<u8>> {
    vectors("keys", "key")
}

pub fn vkey(input: &[u8]) -> String {
    let parsed = VerifierKey::parse(&text(input));
    if let Ok(key) = &parsed {
        assert_eq!(VerifierKey::parse(&key.to_string()).as_ref(), Ok(key));
    }
    format!("{} {}", kind(&parsed), kind(&VerifierKey::parse_list(&text(input))))
}
