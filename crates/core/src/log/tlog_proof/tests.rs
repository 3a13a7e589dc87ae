use ed25519_dalek::SigningKey;
use proptest::prelude::*;

use super::{TEXT_MAX, TlogProof, TlogProofError};
use crate::log::checkpoint::Checkpoint;
use crate::log::edge::Edge;
use crate::log::hash::Hash;
use crate::log::key::{Signer, VerifierKey};
use crate::log::proof::ProofError;

fn signer() -> Signer {
    Signer::new("example.com/log", SigningKey::from_bytes(&[5; 32])).unwrap()
}

fn trusted() -> [VerifierKey; 1] {
    [signer().verifier().clone()]
}

fn leaf(index: u64) -> Hash {
    Hash::leaf(&index.to_be_bytes())
}

fn proof(size: u64, index: u64) -> TlogProof {
    let mut edge = Edge::default();
    let growth = edge.append((0..size).map(leaf));
    let head = Checkpoint { origin: "example.com/log".into(), size, root: edge.root() };
    let checkpoint = head.sign(&signer()).unwrap().to_string();
    TlogProof { extra: None, index, path: growth.inclusion(&edge, index).unwrap(), checkpoint }
}

#[test]
fn a_parsed_proof_equals_the_original_and_verifies() {
    for (size, index) in [(1, 0), (2, 1), (300, 0), (300, 255), (300, 299)] {
        let proof = proof(size, index);
        let parsed = TlogProof::parse(&proof.to_string()).unwrap();
        assert_eq!(parsed, proof);
        let checkpoint = parsed.verify(leaf(index), &trusted()).unwrap();
        assert_eq!(checkpoint.size, size);
        let other = parsed.verify(leaf(index + 1), &trusted());
        assert_eq!(other, Err(TlogProofError::Path(ProofError::Root)));
    }
}

#[test]
fn writes_the_lines_in_the_order_of_the_specification() {
    let text = proof(3, 2).to_string();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("c2sp.org/tlog-proof@v1"));
    assert_eq!(lines.next(), Some("index 2"));
    assert_eq!(lines.next().map(str::len), Some(44));
    assert_eq!(lines.next(), Some(""));
    assert_eq!(lines.next(), Some("example.com/log"));
    assert_eq!(lines.next(), Some("3"));
}

#[test]
fn extra_data_is_kept_and_not_verified() {
    let with_extra = TlogProof { extra: Some(b"note".to_vec()), ..proof(3, 2) };
    let text = with_extra.to_string();
    assert_eq!(text.lines().nth(1), Some("extra bm90ZQ=="));
    assert_eq!(TlogProof::parse(&text).unwrap(), with_extra);
    with_extra.verify(leaf(2), &trusted()).unwrap();
}

#[test]
fn rejects_malformed_proofs_with_the_reason() {
    let text = proof(3, 2).to_string();
    let path = text.lines().nth(2).unwrap();
    let long_extra = format!("extra {}\nindex", "AAAA".repeat(22_000));
    let table = [
        (String::new(), TlogProofError::Header),
        (text.replace("@v1", "@v2"), TlogProofError::Header),
        (text.replace("@v1\n", "@v1\r\n"), TlogProofError::Header),
        (text.replace("index 2", "index 02"), TlogProofError::Index),
        (text.replace("index 2", "index  2"), TlogProofError::Index),
        (text.replace("index 2", "index -2"), TlogProofError::Index),
        (text.replace("index 2\n", ""), TlogProofError::Index),
        (text.replace("index", "extra !\nindex"), TlogProofError::Extra),
        (text.replace("index", "extra\nindex"), TlogProofError::Extra),
        (text.replace("index", &long_extra), TlogProofError::Extra),
        (text.replace("index 2", "index 2\nAAAA"), TlogProofError::PathLine(1)),
        (text.replace("\n\nexample", " \n\nexample"), TlogProofError::PathLine(1)),
        (text.replace(path, &[path; 64].join("\n")), TlogProofError::PathTooLong),
        (text.split("\n\n").next().unwrap().to_owned(), TlogProofError::NoCheckpoint),
        ("x".repeat(TEXT_MAX + 1), TlogProofError::TooLong),
    ];
    for (text, error) in table {
        assert_eq!(TlogProof::parse(&text), Err(error), "{text:.200}");
    }
}

proptest! {
    #[test]
    fn rejects_any_changed_byte(index in 0_u64..21, position: prop::sample::Index, byte: u8) {
        let text = proof(21, index).to_string();
        let position = position.index(text.len());
        let mut changed = text.into_bytes();
        prop_assume!(changed[position] != byte);
        changed[position] = byte;
        if let Ok(changed) = String::from_utf8(changed) {
            let verified = TlogProof::parse(&changed).and_then(|proof| proof.verify(leaf(index), &trusted()));
            prop_assert!(verified.is_err());
        }
    }

    #[test]
    fn never_panics(text: String) {
        prop_assert!(TlogProof::parse(&text).is_err());
        let _ = TlogProof::parse(&format!("c2sp.org/tlog-proof@v1\n{text}"));
        let _ = TlogProof::parse(&format!("c2sp.org/tlog-proof@v1\nindex 1\n{text}\n\n{text}"));
    }
}
