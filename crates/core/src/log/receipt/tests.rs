use ed25519_dalek::SigningKey;
use proptest::prelude::*;

use super::{Receipt, ReceiptError, SubjectCheck};
use crate::log::checkpoint::{Checkpoint, CheckpointError};
use crate::log::edge::Edge;
use crate::log::entry::{
    Claim, ClaimKind, Consent, Entry, EntryError, Evidence, Submission, UserType, V1,
};
use crate::log::hash::Hash;
use crate::log::key::{Signer, VerifierKey};
use crate::log::note::NoteError;
use crate::log::proof::ProofError;
use crate::log::subject::SubjectKey;
use crate::log::tlog_proof::TlogProofError;
use crate::terms::ReceiptKey;

const RIDER: &str = "rider-1";
const KEY: [u8; 32] = [3; 32];

fn signer() -> Signer {
    Signer::new("example.com/log", SigningKey::from_bytes(&[5; 32])).unwrap()
}

fn trusted() -> [VerifierKey; 1] {
    [signer().verifier().clone()]
}

fn receipt_id() -> String {
    ReceiptKey::new(&[8; 32]).id(0, "0193-entry")
}

fn entry(user_type: UserType) -> Entry {
    let reference = match user_type {
        UserType::Rider => RIDER.to_owned(),
        UserType::Applicant => receipt_id(),
    };
    Entry::Submission(Submission {
        amr: None,
        app: None,
        app_sha256: None,
        clock_offset_ms: None,
        consents: vec![Consent {
            accepted: true,
            consented_at: "2026-11-21T09:30:00Z".into(),
            evidence: Evidence::Presented,
            last_page: None,
            method: None,
            opened: None,
            sha256: "ab".repeat(32),
            terms_and_conditions_id: 17,
        }],
        continues: None,
        device_at: None,
        id: "0193-entry".into(),
        locale: None,
        market: None,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subject: SubjectKey::new(KEY).subject(&reference),
        user_type,
        v: V1,
    })
}

/// Issues a receipt as the store does: its entry is in the middle of a batch that is appended to a
/// log.
fn issue(text: String) -> Receipt {
    let mut edge = Edge::default();
    edge.append((0..300_u32).map(|index| Hash::leaf(&index.to_be_bytes())));
    let leaves = [Hash::leaf(b"before"), Hash::leaf(text.as_bytes()), Hash::leaf(b"after")];
    let growth = edge.append(leaves);
    let (size, root) = (edge.size(), edge.root());
    let checkpoint = Checkpoint { origin: "example.com/log".into(), size, root };
    let note = checkpoint.sign(&signer()).unwrap().to_string();
    let path = growth.inclusion(&edge, 301).unwrap();
    Receipt::build(receipt_id(), 301, text, path, note, &SubjectKey::new(KEY))
}

fn receipt(user_type: UserType) -> Receipt {
    issue(entry(user_type).encode().unwrap())
}

#[test]
fn a_riders_receipt_verifies_with_and_without_a_user_id() {
    let text = serde_json::to_string(&receipt(UserType::Rider)).unwrap();
    let receipt = Receipt::parse(&text).unwrap();
    let verified = receipt.verify(&trusted(), Some(RIDER)).unwrap();
    assert_eq!(verified.subject, SubjectCheck::Matches);
    assert_eq!((verified.index, verified.checkpoint.size), (301, 303));
    assert_eq!(Entry::Submission(verified.submission), entry(UserType::Rider));
    let unclaimed = receipt.verify(&trusted(), None).unwrap();
    assert_eq!(unclaimed.subject, SubjectCheck::NotClaimed);
    assert_eq!(receipt.verify(&trusted(), Some("rider-2")), Err(ReceiptError::Subject));
    assert_eq!(receipt.verify(&trusted(), Some("")), Err(ReceiptError::Subject));
}

#[test]
fn an_applicants_receipt_is_bound_to_its_own_id() {
    let receipt = receipt(UserType::Applicant);
    let verified = receipt.verify(&trusted(), None).unwrap();
    assert_eq!(verified.subject, SubjectCheck::Matches);
    assert_eq!(receipt.verify(&trusted(), Some(RIDER)), Err(ReceiptError::Applicant));
    let other = Receipt { id: ReceiptKey::new(&[8; 32]).id(0, "other"), ..receipt };
    assert_eq!(other.verify(&trusted(), None), Err(ReceiptError::Subject));
}

#[test]
fn names_the_part_that_does_not_match() {
    let good = receipt(UserType::Rider);
    let verify = |receipt: &Receipt| receipt.verify(&trusted(), Some(RIDER)).map(|_| ());
    let index = Receipt { index: 300, ..good.clone() };
    assert_eq!(verify(&index), Err(ReceiptError::Index { receipt: 300, proof: 301 }));
    let entry = Receipt { entry: good.entry.replace("true", "false"), ..good.clone() };
    assert_eq!(verify(&entry), Err(TlogProofError::Path(ProofError::Root).into()));
    let key = SubjectKey::new([4; 32]).to_base64url();
    assert_eq!(verify(&Receipt { subject_key: key, ..good.clone() }), Err(ReceiptError::Subject));
    let key = Receipt { subject_key: String::new(), ..good.clone() };
    assert!(matches!(verify(&key), Err(ReceiptError::SubjectKey(_))));
    let proof = Receipt { proof: String::new(), ..good.clone() };
    assert_eq!(verify(&proof), Err(ReceiptError::Proof(TlogProofError::Header)));
    let other_signer = Signer::new("example.com/log", SigningKey::from_bytes(&[6; 32])).unwrap();
    let unknown = good.verify(&[other_signer.verifier().clone()], Some(RIDER));
    let no_known_signer = CheckpointError::Note(NoteError::NoKnownSigner);
    assert_eq!(unknown, Err(ReceiptError::Proof(TlogProofError::Checkpoint(no_known_signer))));
}

#[test]
fn rejects_a_receipt_for_an_entry_that_is_not_a_submission() {
    let claim = Entry::Claim(Claim {
        claimed_entry: "0193-entry".into(),
        claimed_subject: "cd".repeat(32),
        id: "0194-claim".into(),
        kind: ClaimKind::Claim,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subject: "ef".repeat(32),
        v: V1,
    });
    let claim = issue(claim.encode().unwrap());
    assert_eq!(claim.verify(&trusted(), None), Err(ReceiptError::NotASubmission));
    let spaced = issue(entry(UserType::Rider).encode().unwrap().replace(',', ", "));
    let actual = spaced.verify(&trusted(), None);
    assert_eq!(actual, Err(ReceiptError::Entry(EntryError::NotCanonical)));
}

#[test]
fn ignores_unknown_members_but_rejects_malformed_receipts() {
    let good = receipt(UserType::Rider);
    let text = serde_json::to_string(&good).unwrap();
    let more = text.replacen('{', "{\"later\":[1],", 1);
    assert_eq!(Receipt::parse(&more), Ok(good));
    let others = [
        "",
        "null",
        "[]",
        "{}",
        &text[1..],
        &text.replace("\"index\":301", "\"index\":-1"),
        &text.replace("\"index\":301", "\"index\":\"301\""),
        &text.replace("\"index\":301", "\"index\":301,\"index\":301"),
        &text.replace("\"proof\"", "\"prof\""),
    ];
    for other in others {
        assert!(matches!(Receipt::parse(other), Err(ReceiptError::Json(_))), "{other:.200}");
    }
    assert_eq!(Receipt::parse(&" ".repeat(2_000_000)), Err(ReceiptError::TooLong));
}

proptest! {
    /// Checks every byte of the entry, the proof, the key and the id of an applicant's receipt.
    #[test]
    fn rejects_any_changed_byte(part in 0..4, position: prop::sample::Index, byte: u8) {
        let good = receipt(UserType::Applicant);
        let mut changed = good.clone();
        let text = match part {
            0 => &mut changed.id,
            1 => &mut changed.entry,
            2 => &mut changed.proof,
            _ => &mut changed.subject_key,
        };
        let mut bytes = text.clone().into_bytes();
        let position = position.index(bytes.len());
        prop_assume!(bytes[position] != byte);
        bytes[position] = byte;
        if let Ok(other) = String::from_utf8(bytes) {
            *text = other;
            prop_assert!(changed.verify(&trusted(), None).is_err());
        }
    }

    #[test]
    fn never_panics(text: String) {
        prop_assert!(Receipt::parse(&text).is_err());
        let good = receipt(UserType::Rider);
        let others = [
            Receipt { entry: text.clone(), ..good.clone() },
            Receipt { proof: text.clone(), ..good.clone() },
            Receipt { subject_key: text, ..good },
        ];
        for other in others {
            prop_assert!(other.verify(&trusted(), Some(RIDER)).is_err());
        }
    }
}
