use std::convert::Infallible;

use proptest::prelude::*;

use super::{AddCheckpoint, BODY_MAX, BodyError, Refusal};
use crate::log::checkpoint::Checkpoint;
use crate::log::edge::Edge;
use crate::log::hash::Hash;
use crate::log::key::{Signer, VerifierKey};
use crate::log::note::{Note, NoteError};
use crate::log::proof::{self, Node, ProofError};

const ORIGIN: &str = "example.com/log";

/// A log whose entries are their indexes.
fn hash_of(node: Node) -> Hash {
    if node.height == 0 {
        return Hash::leaf(&node.index.to_be_bytes());
    }
    let child = |index| hash_of(Node { height: node.height - 1, index: 2 * node.index + index });
    Hash::node(child(0), child(1))
}

fn root(size: u64) -> Hash {
    let mut edge = Edge::default();
    edge.append((0..size).map(|index| Hash::leaf(&index.to_be_bytes())));
    edge.root()
}

fn proof(old: u64, new: u64) -> Vec<Hash> {
    proof::consistency(old, new, |node| Ok::<_, Infallible>(hash_of(node))).unwrap()
}

fn head(size: u64) -> Checkpoint {
    Checkpoint { origin: ORIGIN.into(), size, root: root(size) }
}

fn log() -> Signer {
    Signer::from_seed(ORIGIN, &[1; 32]).unwrap()
}

fn keys() -> [VerifierKey; 1] {
    [log().verifier().clone()]
}

fn body(old: u64, proof: &[Hash], checkpoint: &Checkpoint) -> String {
    let lines: String = proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
    let note = Note::new(checkpoint.to_string()).unwrap().signed_by(&log());
    format!("old {old}\n{lines}\n{note}")
}

fn check(body: &str, last: Option<&Checkpoint>) -> Result<usize, Refusal> {
    let request = AddCheckpoint::parse(body.as_bytes()).unwrap();
    request.check(&keys(), last).map(|signatures| signatures.len())
}

#[test]
fn signs_every_extension_of_the_last_checkpoint() {
    for new in 0..20 {
        assert_eq!(check(&body(0, &[], &head(new)), None), Ok(1));
        for old in 0..=new {
            let last = head(old);
            let request = body(old, &proof(old, new), &head(new));
            assert_eq!(check(&request, Some(&last)), Ok(1), "{old} to {new}");
        }
    }
}

#[test]
fn refuses_in_the_order_of_the_contract() {
    let (five, nine) = (head(5), head(9));
    let forked = Checkpoint { root: Hash([7; 32]), ..head(9) };
    let last_forked = Checkpoint { root: Hash([7; 32]), ..head(5) };
    let proof = proof(5, 9);
    let conflict = |old, last| Err(Refusal::Conflict { old, last });
    let table = [
        (body(10, &[], &nine), Some(&five), Err(Refusal::OldAboveSize { old: 10, size: 9 })),
        (body(0, &[], &nine), Some(&five), conflict(0, 5)),
        (body(9, &[], &nine), Some(&five), conflict(9, 5)),
        (body(5, &proof, &nine), None, conflict(5, 0)),
        // A wrong proof is not looked at before the size.
        (body(4, &[Hash([0; 32])], &nine), Some(&five), conflict(4, 5)),
        (body(5, &[], &nine), Some(&five), Err(Refusal::Proof(ProofError::Length { found: 0 }))),
        (body(5, &proof, &forked), Some(&five), Err(Refusal::Proof(ProofError::Root))),
        (body(5, &proof, &nine), Some(&last_forked), Err(Refusal::Proof(ProofError::OldRoot))),
        (body(9, &[], &forked), Some(&nine), Err(Refusal::OtherRoot { size: 9 })),
        (
            body(9, &[Hash([0; 32])], &nine),
            Some(&nine),
            Err(Refusal::Proof(ProofError::Length { found: 1 })),
        ),
        (
            body(0, &[Hash([0; 32])], &nine),
            None,
            Err(Refusal::Proof(ProofError::Length { found: 1 })),
        ),
        (
            body(0, &[], &Checkpoint { root: Hash([7; 32]), ..head(0) }),
            None,
            Err(Refusal::EmptyRoot),
        ),
    ];
    for (request, last, expected) in table {
        assert_eq!(check(&request, last), expected, "{request}");
    }
}

#[test]
fn checks_signatures_first() {
    let other = Signer::from_seed("other", &[2; 32]).unwrap();
    let unsigned = Note::new(head(9).to_string()).unwrap();
    let by_other = format!("old 99\n\n{}", unsigned.clone().signed_by(&other));
    assert_eq!(check(&by_other, None), Err(Refusal::Signature(NoteError::NoKnownSigner)));
    let right = unsigned.signed_by(&log());
    let of_eight = Note::new(head(8).to_string()).unwrap().signed_by(&log());
    let wrong = right.with_signature(of_eight.signatures()[0].clone());
    let bad_signature = Err(Refusal::Signature(NoteError::BadSignature(ORIGIN.into())));
    assert_eq!(check(&format!("old 99\n\n{wrong}"), None), bad_signature);
}

#[test]
fn accepts_an_origin_that_is_not_a_key_name() {
    let text = format!("go.sum database tree\n0\n{}\n", Hash::empty_root().to_base64());
    let note = Note::new(text).unwrap().signed_by(&log());
    let request = AddCheckpoint::parse(format!("old 0\n\n{note}").as_bytes()).unwrap();
    assert_eq!(request.checkpoint.origin, "go.sum database tree");
    assert!(request.check(&keys(), None).is_ok());
}

#[test]
fn rejects_malformed_bodies_with_the_reason() {
    let right = body(5, &proof(5, 9), &head(9));
    let line = Hash([0; 32]).to_base64();
    let with_proof = |count| format!("old 5\n{}{}", format!("{line}\n").repeat(count), &right[6..]);
    let table = [
        (String::new(), BodyError::NoCheckpoint),
        ("old 5\n".into(), BodyError::NoCheckpoint),
        ("\n\n".into(), BodyError::Old),
        (right.replacen("old 5", "old 05", 1), BodyError::Old),
        (right.replacen("old 5", "old  5", 1), BodyError::Old),
        (right.replacen("old 5", "old +5", 1), BodyError::Old),
        (right.replacen("old 5", "old", 1), BodyError::Old),
        (right.replacen("old 5", "Old 5", 1), BodyError::Old),
        (right.replacen("old 5", "old 5 ", 1), BodyError::Old),
        (right.replacen("old 5", "old 9223372036854775808", 1), BodyError::Old),
        (format!("\n{right}"), BodyError::Old),
        (with_proof(1).replacen(&line, &line[..43], 1), BodyError::ProofLine(1)),
        (with_proof(1).replacen("A=", "B=", 1), BodyError::ProofLine(1)),
        (with_proof(2).replacen(&line, &format!("{line} "), 1), BodyError::ProofLine(1)),
        (with_proof(59), BodyError::ProofTooLong),
        (format!("old 0\n\n{}", head(9)), BodyError::Note(NoteError::Shape)),
        (format!("old 0\n\n{}\n", head(9)), BodyError::Note(NoteError::Shape)),
        (right.trim_end().into(), BodyError::Note(NoteError::Shape)),
        (format!("{right}x\n"), BodyError::Note(NoteError::SignatureLine(2))),
        (right.replacen("old 5\n", "old 5\r\n", 1), BodyError::Old),
    ];
    for (text, error) in table {
        assert_eq!(AddCheckpoint::parse(text.as_bytes()), Err(error), "{text}");
    }
    assert!(AddCheckpoint::parse(with_proof(58).as_bytes()).is_ok(), "63 lines");
    let long = vec![b'x'; BODY_MAX + 1];
    assert_eq!(AddCheckpoint::parse(&long), Err(BodyError::TooLong));
    assert_eq!(AddCheckpoint::parse(b"old 0\n\n\xff"), Err(BodyError::Encoding));
    let no_size = right.replacen("\n9\n", "\n09\n", 1);
    assert!(matches!(AddCheckpoint::parse(no_size.as_bytes()), Err(BodyError::Checkpoint(_))));
}

proptest! {
    #[test]
    fn never_panics(body: Vec<u8>, lines in "(old |[0-9]|\n|\u{2014} |[a-zA-Z=]){0,80}") {
        let _ = AddCheckpoint::parse(&body);
        let _ = AddCheckpoint::parse(lines.as_bytes());
    }
}
