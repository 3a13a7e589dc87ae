//! Creates the test vectors. The keys are constants and protect nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};

use crate::log::checkpoint::Checkpoint;
use crate::log::cosignature::ml_dsa_44_message;
use crate::log::edge::Edge;
use crate::log::entry::{Consent, Entry, Evidence, Method, Submission, UserType, V1};
use crate::log::frontier::Frontier;
use crate::log::hash::Hash;
use crate::log::key::Signer;
use crate::log::note::Note;
use crate::log::proof;
use crate::log::receipt::Receipt;
use crate::log::subject::SubjectKey;
use crate::log::tlog_proof::TlogProof;
use crate::terms::ReceiptKey;

const ORIGIN: &str = "musette.example/log";
const RIDER: &str = "rider-fictional-1";
const SUBJECT_KEY: [u8; 32] = [0xa5; 32];

pub(super) fn all() -> Value {
    let entries: Vec<String> =
        (0..20).map(|index| format!("entry {index} \u{fc}\u{645}")).collect();
    let leaves: Vec<Hash> = entries.iter().map(|entry| Hash::leaf(entry.as_bytes())).collect();
    json!({
        "about": "Made by the tests of crates/core/src/log; verifiers in every language pass it.",
        "key": log().verifier().to_string(),
        "entries": entries,
        "leaves": base64(&leaves),
        "roots": base64(&(0..=leaves.len()).map(|size| root(&leaves[..size])).collect::<Vec<_>>()),
        "inclusion": inclusion(&leaves),
        "consistency": consistency(&leaves),
        "tile_paths": tile_paths(),
        "keys": keys(),
        "notes": notes(),
        "proofs": proofs(),
        "receipts": receipts(),
        "ml_dsa": ml_dsa(),
    })
}

fn signer(name: &str, seed: u8) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[seed; 32])).unwrap()
}

fn log() -> Signer {
    signer(ORIGIN, 1)
}

fn base64(hashes: &[Hash]) -> Vec<String> {
    hashes.iter().map(|hash| hash.to_base64()).collect()
}

fn root(leaves: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    leaves.iter().for_each(|leaf| frontier.append(*leaf));
    frontier.root()
}

fn read(leaves: &[Hash]) -> impl FnMut(proof::Node) -> Result<Hash, ()> {
    |node| {
        let start = (node.index << node.height) as usize;
        Ok(root(&leaves[start..start + (1 << node.height)]))
    }
}

fn inclusion(leaves: &[Hash]) -> Vec<Value> {
    let mut cases = Vec::new();
    for size in [1, 2, 3, 7, 13] {
        for index in 0..size {
            let leaf = leaves[index as usize];
            let root = root(&leaves[..size as usize]);
            let path = proof::inclusion(size, index, read(leaves)).unwrap();
            let mut push = |case: &str, index: u64, root: Hash, path: &[Hash], valid: bool| {
                cases.push(json!({
                    "case": format!("{case}, leaf {index} of {size}"),
                    "size": size, "index": index, "leaf": leaf.to_base64(),
                    "root": root.to_base64(), "path": base64(path), "valid": valid,
                }));
            };
            push("as it is", index, root, &path, true);
            if [2, 7].contains(&size) {
                push("another index", (index + 1) % size, root, &path, false);
                push("an index outside", size + index, root, &path, false);
                push("another root", index, leaf, &path, false);
                push("a hash too few", index, root, &path[1..], false);
                push("a hash too many", index, root, &[path, vec![leaf]].concat(), false);
            }
        }
    }
    cases
}

fn consistency(leaves: &[Hash]) -> Vec<Value> {
    let mut cases = Vec::new();
    for (old, new) in [(0, 0), (0, 7), (1, 1), (1, 2), (3, 7), (4, 8), (6, 13), (8, 20), (19, 20)] {
        let roots = (root(&leaves[..old as usize]), root(&leaves[..new as usize]));
        let path = proof::consistency(old, new, read(leaves)).unwrap();
        let mut push = |case: &str, roots: (Hash, Hash), path: &[Hash], valid: bool| {
            cases.push(json!({
                "case": format!("{case}, {old} to {new}"), "old": old, "new": new,
                "old_root": roots.0.to_base64(), "new_root": roots.1.to_base64(),
                "path": base64(path), "valid": valid,
            }));
        };
        push("as it is", roots, &path, true);
        push("another old root", (leaves[19], roots.1), &path, false);
        if old > 0 {
            push("another new root", (roots.0, leaves[19]), &path, false);
        }
        push("a hash too many", roots, &[path.clone(), vec![roots.0]].concat(), false);
        if !path.is_empty() {
            push("a hash too few", roots, &path[1..], false);
        }
    }
    cases
}

fn tile_paths() -> Vec<Value> {
    let valid = [
        ("tile/0/000", json!(0), 0, 256),
        ("tile/1/x001/234.p/7", json!(1), 1234, 7),
        ("tile/63/x001/x234/067.p/255", json!(63), 1_234_067, 255),
        ("tile/entries/273.p/112", json!("entries"), 273, 112),
    ];
    let invalid = [
        "tile/0",
        "tile/64/000",
        "tile/00/000",
        "tile/0/0",
        "tile/0/x000/001",
        "tile/0/001/001",
        "tile/0/x001",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/data/000",
    ];
    let valid = valid.into_iter().map(|(path, level, index, width)| {
        json!({"case": path, "path": path, "level": level, "index": index, "width": width, "valid": true})
    });
    let invalid =
        invalid.into_iter().map(|path| json!({"case": path, "path": path, "valid": false}));
    valid.chain(invalid).collect()
}

fn keys() -> Vec<Value> {
    let key = log().verifier().to_string();
    let cases = [
        ("as it is", key.clone(), true),
        ("another name", key.replacen("log", "lag", 1), false),
        ("an upper-case id", key.replacen(&key[20..28], &key[20..28].to_uppercase(), 1), false),
        ("no key", key[..29].to_owned(), false),
        ("a byte too many", format!("{key}AA=="), false),
        (
            "the type of a witness",
            "w.example+00000000+BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE".into(),
            false,
        ),
    ];
    cases.map(|(case, key, valid)| json!({"case": case, "key": key, "valid": valid})).into()
}

fn notes() -> Vec<Value> {
    let text = "A text\n\nwith an empty line, \u{fc} and \u{645}.\n";
    let note = Note::new(text.to_owned()).unwrap();
    let good = note.clone().signed_by(&log()).to_string();
    let by_unknown_signers =
        note.clone().signed_by(&signer("witness.example", 2)).signed_by(&signer(ORIGIN, 3));
    let copied = Note::new("Other\n".into()).unwrap().signed_by(&log()).to_string();
    let copied = copied.lines().last().unwrap();
    let cases = [
        ("as it is", good.clone(), true),
        ("beside unknown signers", by_unknown_signers.clone().signed_by(&log()).to_string(), true),
        (
            "sixteen signatures",
            (2..17)
                .fold(note, |note, seed| note.signed_by(&signer("w", seed)))
                .signed_by(&log())
                .to_string(),
            true,
        ),
        ("of unknown signers only", by_unknown_signers.to_string(), false),
        ("another text", good.replace("A text", "B text"), false),
        ("a signature of another text", format!("{text}\n{copied}\n"), false),
        ("a good and a bad signature", format!("{good}{copied}\n"), false),
        ("no signature", format!("{text}\n"), false),
        ("no final newline", good.trim_end().to_owned(), false),
        ("a carriage return", good.replace(".\n", ".\r\n"), false),
        ("a hyphen for the dash", good.replace('\u{2014}', "-"), false),
    ];
    cases.map(|(case, note, valid)| json!({"case": case, "note": note, "valid": valid})).into()
}

fn proofs() -> Vec<Value> {
    let receipt = issue(UserType::Rider, log());
    let (entry, proof) = (receipt.entry, receipt.proof);
    let hash = proof.lines().nth(2).unwrap();
    let under = |signer| issue(UserType::Rider, signer).proof;
    let cases = [
        ("as it is", proof.clone(), true),
        ("with extra data", proof.replacen("index", "extra AAAA\nindex", 1), true),
        ("another index", proof.replacen("index 301", "index 300", 1), false),
        ("a leading zero", proof.replacen("index 301", "index 0301", 1), false),
        ("another header", proof.replacen("@v1", "@v2", 1), false),
        ("a hash too few", proof.replacen(&format!("{hash}\n"), "", 1), false),
        ("a hash too many", proof.replacen(hash, &format!("{hash}\n{hash}"), 1), false),
        ("another size", proof.replacen("\n303\n", "\n304\n", 1), false),
        ("a key of the same name", under(signer(ORIGIN, 2)), false),
        ("another log", under(signer("other.example", 1)), false),
        ("no checkpoint", proof.split_once("\n\n").unwrap().0.to_owned(), false),
    ];
    cases.map(|(case, proof, valid)| json!({"case": case, "entry": entry, "proof": proof, "valid": valid})).into()
}

fn receipts() -> Vec<Value> {
    let rider = issue(UserType::Rider, log());
    let applicant = issue(UserType::Applicant, log());
    let text = |receipt: &Receipt| serde_json::to_string(receipt).unwrap();
    let changed = |change: fn(&mut Receipt)| {
        let mut receipt = applicant.clone();
        change(&mut receipt);
        text(&receipt)
    };
    let hashed = issue_with(UserType::Rider, log(), |submission| {
        submission.app_sha256 =
            submission.app.take().map(|app| SubjectKey::new(SUBJECT_KEY).app_sha256(&app));
    });
    let signed_in = issue_with(UserType::Rider, log(), |submission| {
        submission.amr = Some(["pwd", "otp", "mfa"].map(Into::into).to_vec());
    });
    let (matches, not_claimed) = (Some("matches"), Some("not_claimed"));
    let cases = [
        ("a rider's, claimed", text(&rider), Some(RIDER), matches),
        ("a rider's, not claimed", text(&rider), None, not_claimed),
        ("a rider's, claimed by another", text(&rider), Some("rider-fictional-2"), None),
        ("an applicant's", text(&applicant), None, matches),
        ("an applicant's, claimed by a user", text(&applicant), Some(RIDER), None),
        ("with the hash of an app", text(&hashed), Some(RIDER), matches),
        ("with how the person had signed in", text(&signed_in), Some(RIDER), matches),
        ("with an unknown member", text(&rider).replacen('{', "{\"x\":[],", 1), None, not_claimed),
        ("another id", changed(|receipt| receipt.id.push('x')), None, None),
        ("another index", changed(|receipt| receipt.index += 1), None, None),
        (
            "another decision",
            changed(|receipt| receipt.entry = receipt.entry.replacen("true", "false", 1)),
            None,
            None,
        ),
        (
            "a space in the entry",
            changed(|receipt| receipt.entry = receipt.entry.replacen(',', ", ", 1)),
            None,
            None,
        ),
        ("another key", changed(|receipt| receipt.subject_key = "A".repeat(43)), None, None),
        ("no proof", changed(|receipt| receipt.proof.clear()), None, None),
        ("cut off", text(&rider)[..200].to_owned(), None, None),
        ("a key of the same name", text(&issue(UserType::Rider, signer(ORIGIN, 2))), None, None),
    ];
    let case = |(case, receipt, user_id, subject): (&str, String, Option<&str>, Option<&str>)| json!({"case": case, "receipt": receipt, "user_id": user_id, "valid": subject.is_some(), "subject": subject});
    cases.map(case).into()
}

/// A proof under a head that both keys of a log signed, and the message that ML-DSA-44 signed.
fn ml_dsa() -> Value {
    const TIME: u64 = 1_795_000_000;
    let (signer, cosigner) = (log(), log().ml_dsa_44().unwrap());
    let mut edge = Edge::default();
    let growth = edge.append([Hash::leaf(b"before"), Hash::leaf(b"entry")]);
    let head = Checkpoint { origin: ORIGIN.into(), size: edge.size(), root: edge.root() };
    let text = head.to_string();
    let line = cosigner.sign(&text, TIME).unwrap();
    let checkpoint = head.sign(&signer).unwrap().with_signature(line).to_string();
    let path = growth.inclusion(&edge, 1).unwrap();
    json!({
        "key": cosigner.verifier().to_string(),
        "entry": "entry",
        "proof": TlogProof { extra: None, index: 1, path, checkpoint }.to_string(),
        "time": TIME,
        "message": STANDARD.encode(ml_dsa_44_message(ORIGIN, &text, TIME).unwrap()),
    })
}

/// Issues a receipt for an entry in the old format, with `app` as it was sent.
fn issue(user_type: UserType, signer: Signer) -> Receipt {
    issue_with(user_type, signer, |_| ())
}

fn issue_with(user_type: UserType, signer: Signer, change: fn(&mut Submission)) -> Receipt {
    let id = ReceiptKey::new(&[0x5a; 32]).id(7, "0193-entry");
    let key = SubjectKey::new(SUBJECT_KEY);
    let subject = match user_type {
        UserType::Rider => key.subject(RIDER),
        UserType::Applicant => key.subject(&id),
    };
    let consent = |term, method| Consent {
        accepted: true,
        consented_at: "2026-11-21T10:30:00+01:00".into(),
        evidence: Evidence::Presented,
        last_page: Some(3),
        method,
        opened: Some(true),
        sha256: "ab".repeat(32),
        terms_and_conditions_id: term,
    };
    let mut submission = Submission {
        amr: None,
        app: Some("vectors \"1\" \\ \u{1f6b2}".into()),
        app_sha256: None,
        clock_offset_ms: None,
        consents: vec![consent(17, Some(Method::Tick)), consent(18, None)],
        continues: None,
        device_at: None,
        id: "0193-entry".into(),
        locale: Some("ar".into()),
        market: None,
        recorded_at: "2026-11-21T09:30:00.123Z".into(),
        subject,
        user_type,
        v: V1,
    };
    change(&mut submission);
    let entry = Entry::Submission(submission).encode().unwrap();
    let mut edge = Edge::default();
    edge.append((0..300_u32).map(|index| Hash::leaf(&index.to_be_bytes())));
    let leaves = [Hash::leaf(b"before"), Hash::leaf(entry.as_bytes()), Hash::leaf(b"after")];
    let growth = edge.append(leaves);
    let origin = signer.verifier().name().to_owned();
    let head = Checkpoint { origin, size: edge.size(), root: edge.root() };
    let note = head.sign(&signer).unwrap().to_string();
    let path = growth.inclusion(&edge, 301).unwrap();
    Receipt::build(id, 301, entry, path, note, &key)
}
