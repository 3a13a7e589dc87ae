use ed25519_dalek::SigningKey;
use proptest::prelude::*;

use super::{Checkpoint, CheckpointError};
use crate::log::hash::Hash;
use crate::log::key::Signer;
use crate::log::note::{Note, NoteError};

/// The example of the specification.
const EXAMPLE: &str =
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

fn signer(name: &str, seed: u8) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[seed; 32])).unwrap()
}

fn head() -> Checkpoint {
    Checkpoint { origin: "example.com/log".into(), size: 42, root: Hash([9; 32]) }
}

#[test]
fn the_example_reads_and_writes() {
    let checkpoint = Checkpoint::parse(EXAMPLE).unwrap();
    assert_eq!(checkpoint.origin, "example.com/behind-the-sofa");
    assert_eq!(checkpoint.size, 20_852_163);
    assert_eq!(checkpoint.to_string(), EXAMPLE);
}

#[test]
fn the_reference_implementation_reads_our_checkpoints() {
    for size in [0, 1, 42, i64::MAX as u64] {
        let ours = Checkpoint { size, ..head() };
        let reference = tlog_tiles::Checkpoint::from_bytes(ours.to_string().as_bytes()).unwrap();
        assert_eq!((reference.origin(), reference.size()), (ours.origin.as_str(), size));
        assert_eq!(reference.hash().0, ours.root.0);
    }
}

#[test]
fn requires_the_signature_of_a_known_key_named_like_the_log() {
    let (log, witness) = (signer("example.com/log", 1), signer("witness.example", 2));
    let note = head().sign(&log).unwrap().signed_by(&witness).to_string();
    let (log, witness) = (log.verifier().clone(), witness.verifier().clone());
    assert_eq!(Checkpoint::open(&note, std::slice::from_ref(&log)), Ok(head()));
    assert_eq!(Checkpoint::open(&note, &[witness.clone(), log]), Ok(head()));
    let origin = "example.com/log".to_owned();
    let by_witness_only = Checkpoint::open(&note, &[witness]);
    assert_eq!(by_witness_only, Err(CheckpointError::NotSignedByLog { origin }));
    let unknown = Checkpoint::open(&note, &[]);
    assert_eq!(unknown, Err(CheckpointError::Note(NoteError::NoKnownSigner)));
}

#[test]
fn two_keys_with_one_name_allow_a_key_rotation() {
    let (old, new) = (signer("example.com/log", 1), signer("example.com/log", 2));
    let note = head().sign(&old).unwrap().signed_by(&new).to_string();
    for key in [old, new] {
        assert_eq!(Checkpoint::open(&note, &[key.verifier().clone()]), Ok(head()));
    }
}

#[test]
fn a_log_signs_only_with_its_own_name() {
    let actual = head().sign(&signer("example.com/other", 1));
    let origin = "example.com/log".to_owned();
    assert_eq!(actual, Err(CheckpointError::NotSignedByLog { origin }));
}

#[test]
fn rejects_malformed_checkpoints_with_the_reason() {
    let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";
    let table = [
        ("".to_owned(), CheckpointError::Shape),
        ("\n".into(), CheckpointError::Shape),
        ("log\n1\n".into(), CheckpointError::Shape),
        (format!("log\n1\n{root}"), CheckpointError::Shape),
        (format!("\n1\n{root}\n"), CheckpointError::Shape),
        (format!("log\n\n{root}\n"), CheckpointError::Shape),
        (format!("log\n1\n{root}\n\n"), CheckpointError::Shape),
        (format!("log\n1\n{root}\n\nextension\n"), CheckpointError::Shape),
        (format!("my log\n1\n{root}\n"), CheckpointError::Origin),
        (format!("log\n01\n{root}\n"), CheckpointError::Size),
        (format!("log\n+1\n{root}\n"), CheckpointError::Size),
        (format!("log\n-1\n{root}\n"), CheckpointError::Size),
        (format!("log\n1 \n{root}\n"), CheckpointError::Size),
        (format!("log\n9223372036854775808\n{root}\n"), CheckpointError::Size),
        (format!("log\n99999999999999999999999\n{root}\n"), CheckpointError::Size),
        ("log\n1\nAAAA\n".into(), CheckpointError::Root),
        (format!("log\n1\n{}\n", &root[..43]), CheckpointError::Root),
        (format!("log\n1\n{}J=\n", &root[..42]), CheckpointError::Root),
        (format!("log\n1\n{root}\r\n"), CheckpointError::Root),
    ];
    for (text, error) in table {
        assert_eq!(Checkpoint::parse(&text), Err(error), "{text:?}");
    }
}

#[test]
fn extension_lines_are_signed_and_otherwise_ignored() {
    let log = signer("example.com/log", 1);
    let text = format!("{}extension\n", head());
    let note = Note::new(text).unwrap().signed_by(&log).to_string();
    let trusted = [log.verifier().clone()];
    assert_eq!(Checkpoint::open(&note, &trusted), Ok(head()));
    assert!(Checkpoint::open(&note.replace("extension", "Extension"), &trusted).is_err());
}

proptest! {
    #[test]
    fn rejects_any_changed_byte(place: prop::sample::Index, byte: u8) {
        let log = signer("example.com/log", 1);
        let note = head().sign(&log).unwrap().to_string();
        let place = place.index(note.len());
        let mut changed = note.into_bytes();
        prop_assume!(changed[place] != byte);
        changed[place] = byte;
        if let Ok(changed) = String::from_utf8(changed) {
            prop_assert!(Checkpoint::open(&changed, &[log.verifier().clone()]).is_err());
        }
    }

    #[test]
    fn never_panics(text: String, size: String, root: String) {
        prop_assert!(Checkpoint::parse(&text).is_err());
        let shaped = format!("log\n{size}\n{root}\n");
        prop_assert!(Checkpoint::parse(&shaped).is_err());
    }
}
