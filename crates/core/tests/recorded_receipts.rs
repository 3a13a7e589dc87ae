//! `testdata/recorded-receipts.json`: receipts of decisions, openings of notices and messages that
//! every verifier, in any language, must accept or reject. `UPDATE=1 cargo test -p musette-core --test
//! recorded_receipts` rewrites the file.

use std::path::PathBuf;

use musette_core::campaigns::{Channel, MessageReceipt, MessageRecord, leaf, path, root};
use musette_core::decisions::DecisionReceipt;
use musette_core::decisions::receipt::salt_text;
use musette_core::log::appender::Appender;
use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::entry::{
    DecisionBy, DecisionKind, DecisionSystem, DecisionTransition, Entry, NoticeBatch,
    NoticeBatchType, NoticeOpened, NoticeOpenedType, V1,
};
use musette_core::log::hash::Hash;
use musette_core::log::key::{Signer, VerifierKey};
use musette_core::log::opening_receipt::OpeningReceipt;
use musette_core::log::subject::SubjectKey;
use serde_json::{Value, json};

/// The keys are constants and protect nothing.
const KEY: [u8; 32] = [0xa5; 32];
const RIDER: &str = "rider-fictional-1";
const ID: &str = "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9e";
const SALT: [u8; 32] = [0x5a; 32];
const AT: &str = "2026-11-21T09:30:00.123Z";

fn signer() -> Signer {
    Signer::from_seed("musette.example/log", &[1; 32]).expect("a signer")
}

/// Returns the proof of an entry in a log with others.
fn proof(entry: &str) -> String {
    let origin = "musette.example/log".to_owned();
    let head = Checkpoint { origin, size: 0, root: Hash::empty_root() };
    let head = head.sign(&signer()).expect("a head").to_string();
    let empty = Appender::restore::<(), Vec<u8>>(signer(), &head, |_| Err(()));
    let empty = empty.expect("an empty log");
    let appended = empty.append(["one", "two", entry, "four", "five"], 1).expect("a head");
    appended.proof(2).expect("a proof").to_string()
}

fn subject(id: &str) -> String {
    SubjectKey::new(KEY).subject(id)
}

fn decision_record() -> Value {
    json!({
        "v": 1, "type": "evaluation.transition", "id": ID, "user_id": RIDER, "version": 2,
        "from": "PENDING", "to": "EVALUATED", "by": {"kind": "service"}, "at": AT,
        "system": {"name": "roster", "version": "7.2"},
        "figures": {"worked_minutes": 228}, "statement": null,
        "reasons": [{"code": "late", "text": {"en": "12 minutes \"late\" \u{1f6b2}\n", "ar": "م"}}],
    })
}

fn decision(record: &Value) -> DecisionReceipt {
    let commitment = musette_core::decisions::commitment(&SALT, record).expect("a commitment");
    let system = DecisionSystem { name: "roster".into(), version: "7.2".into() };
    let entry = Entry::Decision(DecisionTransition {
        by: DecisionBy { kind: "service".into(), reference: None },
        commitment,
        evaluation: Some(subject(ID)),
        from: Some("PENDING".into()),
        id: "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8d9f".into(),
        recorded_at: AT.into(),
        restriction: None,
        subject: subject(RIDER),
        system: Some(system),
        to: "EVALUATED".into(),
        kind: DecisionKind::Evaluation,
        v: V1,
        version: 2,
    });
    let entry = entry.encode().expect("an entry");
    DecisionReceipt {
        proof: proof(&entry),
        entry,
        salt: salt_text(&SALT),
        record: record.clone(),
        subject_key: SubjectKey::new(KEY).to_base64url(),
    }
}

fn opening() -> OpeningReceipt {
    let entry = Entry::NoticeOpened(NoticeOpened {
        locale: Some("de".into()),
        opened_at: "2026-11-21T09:29:00.000Z".into(),
        recorded_at: AT.into(),
        sha256: "ab".repeat(32),
        subject: subject(RIDER),
        terms_and_conditions_id: 17,
        kind: NoticeOpenedType::NoticeOpened,
        v: V1,
    });
    let entry = entry.encode().expect("an entry");
    let subject_key = SubjectKey::new(KEY).to_base64url();
    OpeningReceipt { proof: proof(&entry), entry, subject_key }
}

fn message() -> MessageReceipt {
    let record = MessageRecord {
        campaign: ID.into(),
        channel: Channel::Email,
        locale: "de".into(),
        message: "0193b2d0-7f3a-7a61-9c1e-2f5a6b7c8da0".into(),
        sent_at: AT.into(),
        sha256: "cd".repeat(32),
        step: 1,
        subject: subject(RIDER),
        v: 1,
    };
    let text = serde_json::to_string(&record).expect("JSON");
    let mut leaves: Vec<Hash> = (0..7).map(|i| Hash::leaf(&[i])).collect();
    leaves[4] = leaf(&SALT, &text);
    let root = hex::encode(root(&leaves).0);
    let entry = Entry::NoticeBatch(NoticeBatch {
        campaign: ID.into(),
        channel: Channel::Email,
        count: 7,
        recorded_at: AT.into(),
        root: root.clone(),
        step: 1,
        kind: NoticeBatchType::NoticeBatch,
        v: V1,
    });
    let entry = entry.encode().expect("an entry");
    let path = path(&leaves, 4).expect("a path");
    MessageReceipt {
        record: serde_json::to_value(&record).expect("JSON"),
        salt: hex::encode(SALT),
        index: 4,
        count: 7,
        path: path.into_iter().map(|hash| hex::encode(hash.0)).collect(),
        root,
        proof: proof(&entry),
        entry,
    }
}

type Case = (&'static str, bool, Value);

/// Returns a valid receipt, and one for each change, all of which are invalid.
fn cases(valid: &impl serde::Serialize, changes: &[(&'static str, &str, Value)]) -> Vec<Case> {
    let valid = serde_json::to_value(valid).expect("JSON");
    let mut unknown = valid.clone();
    unknown["later"] = json!("ignored");
    let mut cases = vec![("as it is", true, valid.clone()), ("an unknown member", true, unknown)];
    for (case, pointer, value) in changes {
        let mut changed = valid.clone();
        let member = changed.pointer_mut(pointer).expect("a member");
        assert_ne!(member, value, "{case}");
        *member = value.clone();
        cases.push((case, false, changed));
    }
    cases
}

fn decisions() -> Vec<Case> {
    let zeros = salt_text(&[0; 32]);
    let valid = decision(&decision_record());
    let mut cases = cases(
        &valid,
        &[
            ("another text", "/record/reasons/0/text/en", json!("72 minutes late")),
            ("another figure", "/record/figures/worked_minutes", json!(1)),
            ("another salt", "/salt", json!(zeros)),
            ("a short salt", "/salt", json!("AAAA")),
            ("another key", "/subject_key", json!(zeros)),
            ("the entry of a notice", "/entry", json!(opening().entry)),
            ("the proof of another entry", "/proof", json!(opening().proof)),
            ("another member of the record", "/record/statement", json!("more")),
        ],
    );
    // The entry commits to these records, but says something else itself.
    for (case, pointer, value) in [
        ("a record of another version", "/version", json!(3)),
        ("a record of another status", "/to", json!("NO_SHOW")),
        ("a record from another status", "/from", json!("NO_SHOW")),
        ("a record of a person", "/by/kind", json!("human")),
        ("a record of another system", "/system/version", json!("8")),
        ("a record of another kind", "/type", json!("restriction.transition")),
        ("a record of another person", "/user_id", json!("rider-fictional-2")),
        ("a record of another evaluation", "/id", json!("0193")),
    ] {
        let mut record = decision_record();
        *record.pointer_mut(pointer).expect("a member") = value;
        cases.push((case, false, serde_json::to_value(decision(&record)).expect("JSON")));
    }
    cases
}

fn openings() -> Vec<Case> {
    let decision = decision(&decision_record());
    cases(
        &opening(),
        &[
            ("another document", "/entry", json!(opening().entry.replace("abab", "baba"))),
            ("the entry of a decision", "/entry", json!(decision.entry)),
            ("the proof of another entry", "/proof", json!(decision.proof)),
            ("another key", "/subject_key", json!(salt_text(&[0; 32]))),
            ("a short key", "/subject_key", json!("AAAA")),
        ],
    )
}

fn messages() -> Vec<Case> {
    let other = "00".repeat(32);
    let upper = hex::encode(SALT).to_uppercase();
    cases(
        &message(),
        &[
            ("another text", "/record/sha256", json!(other)),
            ("another step", "/record/step", json!(2)),
            ("another campaign", "/record/campaign", json!("0193")),
            ("another channel", "/record/channel", json!("sms")),
            ("another recipient", "/record/subject", json!(other)),
            ("another salt", "/salt", json!(other)),
            ("an upper-case salt", "/salt", json!(upper)),
            ("another index", "/index", json!(5)),
            ("an index outside of the batch", "/index", json!(7)),
            ("another count", "/count", json!(8)),
            ("another root", "/root", json!(other)),
            ("another path", "/path/0", json!(other)),
            ("the entry of a notice", "/entry", json!(opening().entry)),
        ],
    )
}

fn vectors() -> Value {
    let list = |cases: Vec<Case>| -> Vec<Value> {
        let case = |(case, valid, receipt): Case| json!({"case": case, "valid": valid, "receipt": receipt.to_string()});
        cases.into_iter().map(case).collect()
    };
    json!({
        "about": "Made by crates/core/tests/recorded_receipts.rs; verifiers in every language pass it.",
        "key": signer().verifier().to_string(),
        "user_id": RIDER,
        "decisions": list(decisions()),
        "openings": list(openings()),
        "messages": list(messages()),
    })
}

#[test]
fn the_file_equals_the_output_of_this_code() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let file = file.join("../../testdata/recorded-receipts.json");
    let vectors = vectors();
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&vectors).expect("JSON");
        std::fs::write(&file, format!("{text}\n")).expect("a file");
    }
    let text = std::fs::read_to_string(file).expect("a file");
    let stored: Value = serde_json::from_str(&text).expect("JSON");
    assert!(stored == vectors, "testdata/recorded-receipts.json is out of date: use UPDATE=1");
}

/// Checks all cases of a list.
fn check(list: &str, verify: impl Fn(&str, &[VerifierKey]) -> Result<(), String>) {
    let vectors = vectors();
    let keys = [signer().verifier().clone()];
    let others = [Signer::from_seed("musette.example/log", &[2; 32]).expect("a signer")];
    let others = others.map(|signer| signer.verifier().clone());
    for case in vectors[list].as_array().expect("cases") {
        let receipt = case["receipt"].as_str().expect("a text");
        let verified = verify(receipt, &keys);
        assert_eq!(verified.is_ok(), case["valid"] == true, "{}: {verified:?}", case["case"]);
        assert!(verify(receipt, &others).is_err(), "{}: another log", case["case"]);
    }
    assert!(verify("{}", &keys).is_err() && verify("not JSON", &keys).is_err());
    assert!(verify(&" ".repeat(32 * 1024 * 1024), &keys).is_err());
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[test]
fn only_unchanged_receipts_of_decisions_verify() {
    check("decisions", |receipt, keys| {
        let receipt = DecisionReceipt::parse(receipt).map_err(text)?;
        receipt.verify(keys).map(drop).map_err(text)
    });
}

#[test]
fn only_unchanged_receipts_of_openings_verify() {
    check("openings", |receipt, keys| {
        let receipt = OpeningReceipt::parse(receipt).map_err(text)?;
        receipt.verify(keys, Some(RIDER)).map(drop).map_err(text)
    });
    let keys = [signer().verifier().clone()];
    assert!(opening().verify(&keys, Some("rider-fictional-2")).is_err());
    assert!(opening().verify(&keys, None).is_ok(), "the owner is not checked");
}

#[test]
fn only_unchanged_proofs_of_messages_verify() {
    check("messages", |receipt, keys| {
        let receipt = MessageReceipt::parse(receipt).map_err(text)?;
        receipt.verify(keys).map(drop).map_err(text)
    });
}
