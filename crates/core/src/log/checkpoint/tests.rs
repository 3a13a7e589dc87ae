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
fn the_reference_reads_our_checkpoints() {
    for size in [0, 1, 42, i64::MAX as u64] {
        let ours = Checkpoint { size, ..head() };
        let theirs = tlog_tiles::Checkpoint::from_bytes(ours.to_string().as_bytes()).unwrap();
        assert_eq!((theirs.origin(), theirs.size()), (ours.origin.as_str(), size));
        assert_eq!(theirs.hash().0, ours.root.0);
    }
}

#[test]
fn only_a_known_key_of_the_logs_own_name_makes_it_believed() {
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
fn two_keys_of_one_name_serve_a_rotation() {
    let (old, new) = (signer("example.com/log", 1), signer("example.com/log", 2));
    let note = head().sign(&old).unwrap().signed_by(&new).to_string();
    for key in [old, new] {
        assert_eq!(Checkpoint::open(&note, &[key.verifier().clone()]), Ok(head()));
    }
}

#[test]
fn a_log_signs_under_its_own_name_only() {
    let refused = head().sign(&signer("example.com/other", 1));
    let origin = "example.com/log".to_owned();
    assert_eq!(refused, Err(CheckpointError::NotSignedByLog { origin }));
}

#[test]
fn what_is_no_checkpoint_says_why() {
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
fn extension_lines_are_signed_and_otherwise_without_meaning() {
    let log = signer("example.com/log", 1);
    let text = format!("{}extension\n", head());
    let note = Note::new(text).unwrap().signed_by(&log).to_string();
    let known = [log.verifier().clone()];
    assert_eq!(Checkpoint::open(&note, &known), Ok(head()));
    assert!(Checkpoint::open(&note.replace("extension", "Extension"), &known).is_err());
}

proptest! {
    #[test]
    fn any_changed_byte_is_refused(place: prop::sample::Index, byte: u8) {
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
    fn no_text_makes_it_panic(text: String, size: String, root: String) {
        prop_assert!(Checkpoint::parse(&text).is_err());
        let shaped = format!("log\n{size}\n{root}\n");
        prop_assert!(Checkpoint::parse(&shaped).is_err());
    }
}
