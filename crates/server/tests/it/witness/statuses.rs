//! Every status of `add-checkpoint` and of the monitoring path.

use std::sync::Barrier;
use std::thread;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::Cosigner;
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::note::Note;
use tempfile::TempDir;

use super::{
    ORIGIN, TestWitness, body, checkpoint_path, command, extension, leaves, log, proof, root,
    signed, text_of, verify_cosignatures,
};
use crate::request::Answer;

#[track_caller]
fn assert_status(answer: &Answer, status: u16, case: &str) {
    let text = String::from_utf8_lossy(&answer.body);
    assert_eq!(answer.status, status, "{case}: {text}");
}

#[test]
fn cosigns_each_extension_and_serves_the_last_one() {
    let witness = TestWitness::start();
    let keys = witness.keys();
    assert_eq!(keys.len(), 2);
    assert_status(&witness.checkpoint(), 404, "never cosigned");
    // The same size again, and an empty tree, are extensions as well.
    for (old, new) in [(0, 0), (0, 3), (3, 3), (3, 8), (8, 300)] {
        let leaves = leaves(new);
        let text = text_of(&leaves);
        let answer = witness.add(&extension(old, &leaves));
        assert_status(&answer, 200, &format!("{old} to {new}"));
        verify_cosignatures(&answer.body, &text, &keys);

        let served = witness.checkpoint();
        assert_status(&served, 200, "cosigned");
        assert_eq!(served.header("content-type"), "text/plain; charset=utf-8");
        let expected = format!("{}{}", signed(&text), String::from_utf8_lossy(&answer.body));
        assert_eq!(String::from_utf8_lossy(&served.body), expected);
    }
}

#[test]
fn returns_the_last_size_with_a_conflict() {
    let witness = TestWitness::start();
    let nine = leaves(9);
    let early = witness.add(&extension(5, &nine));
    assert_status(&early, 409, "nothing was cosigned");
    assert_eq!(early.body, b"0\n");
    assert_status(&witness.add(&extension(0, &nine)), 200, "the first");
    for old in [0, 5, 8] {
        let answer = witness.add(&extension(old, &leaves(12)));
        assert_status(&answer, 409, "another size");
        assert_eq!(answer.body, b"9\n");
        assert_eq!(answer.header("content-type"), "text/x.tlog.size");
    }
    // A smaller tree is a conflict, too.
    let answer = witness.add(&extension(5, &leaves(7)));
    assert_eq!((answer.status, &*answer.body), (409, &b"9\n"[..]));
}

#[test]
fn refuses_unknown_origins_and_signers() {
    let witness = TestWitness::start();
    let other = Signer::from_seed("other.example/log", &[2; 32]).expect("a key");
    let origin = other.verifier().name().to_owned();
    let checkpoint = Checkpoint { origin, size: 0, root: Hash::empty_root() };
    let unknown = checkpoint.sign(&other).expect("a note").to_string();
    assert_status(&witness.add(&body(0, &[], &unknown)), 404, "unknown origin");

    let text = text_of(&leaves(4));
    let unsigned = || Note::new(text.clone()).expect("a text");
    let stranger = Signer::from_seed(ORIGIN, &[3; 32]).expect("a key");
    let by_stranger = unsigned().signed_by(&stranger).to_string();
    assert_status(&witness.add(&body(0, &[], &by_stranger)), 403, "no trusted key");
    // A wrong line of the trusted key counts, although a right one is there as well.
    let of_other = signed(&text_of(&leaves(5)));
    let wrong = of_other.lines().last().expect("a line");
    let both = format!("{}{wrong}\n", signed(&text));
    assert_status(&witness.add(&body(0, &[], &both)), 403, "a wrong line");
    // A signature of an unknown key is ignored.
    let with_stranger = unsigned().signed_by(&stranger).signed_by(&log()).to_string();
    assert_status(&witness.add(&body(0, &[], &with_stranger)), 200, "a line too many");
    let served = String::from_utf8(witness.checkpoint().body).expect("UTF-8");
    assert!(!served.contains(by_stranger.lines().last().expect("a line")));
}

#[test]
fn refuses_proofs_that_do_not_verify() {
    let witness = TestWitness::start();
    let (five, nine) = (leaves(5), leaves(9));
    let empty = Checkpoint { origin: ORIGIN.into(), size: 0, root: Hash([7; 32]) };
    let empty = signed(&empty.to_string());
    assert_status(&witness.add(&body(0, &[], &empty)), 422, "a root of the empty tree");
    let with_proof = body(0, &[Hash([0; 32])], &signed(&text_of(&five)));
    assert_status(&witness.add(&with_proof), 422, "a proof from size 0");
    assert_status(&witness.add(&extension(0, &five)), 200, "the first");

    let note = signed(&text_of(&nine));
    let right = proof(5, &nine);
    let mut wrong = right.clone();
    wrong[0] = Hash([7; 32]);
    let long = [&*right, &[Hash([7; 32])]].concat();
    for proof in [&[][..], &wrong, &right[1..], &long, &[Hash([7; 32]); 63]] {
        assert_status(&witness.add(&body(5, proof, &note)), 422, "a wrong proof");
    }
    let mut forked = five.clone();
    forked[0] = Hash([7; 32]);
    let forked_nine = [&*forked, &leaves(9)[5..]].concat();
    assert_status(&witness.add(&extension(5, &forked_nine)), 422, "another history");
    let other_root = body(5, &[], &signed(&text_of(&forked)));
    assert_status(&witness.add(&other_root), 422, "two roots for one size");
    let same_with_proof = body(5, &[Hash([0; 32])], &signed(&text_of(&five)));
    assert_status(&witness.add(&same_with_proof), 422, "a proof for the same size");
    assert_status(&witness.add(&body(5, &right, &note)), 200, "the right proof");

    // Both checkpoints are stored as evidence.
    let hash = musette::parts::random::sha256_hex(ORIGIN.as_bytes());
    let file = witness.data().join("logs").join(format!("{hash}.contradiction"));
    let evidence = std::fs::read_to_string(file).expect("evidence");
    assert!(evidence.contains(&text_of(&five)) && evidence.contains(&text_of(&forked)));
    assert!(witness.stderr().contains("a log signed two different trees of one size"));
}

#[test]
fn refuses_malformed_bodies() {
    let witness = TestWitness::start();
    let right = extension(0, &leaves(9));
    let long_proof = body(0, &[Hash([0; 32]); 64], &signed(&text_of(&leaves(9))));
    let text = text_of(&leaves(9));
    let root = root(&leaves(9)).to_base64();
    // One hash has one spelling: the last digit has two unused bits.
    let digit = root.as_bytes()[42];
    let other_spelling = format!("{}{}=", &root[..42], char::from(digit + 1));
    for (case, body) in [
        ("empty", String::new()),
        ("no size", right.replacen("old 0\n", "", 1)),
        ("a zero before the size", right.replacen("old 0", "old 00", 1)),
        ("a sign", right.replacen("old 0", "old +0", 1)),
        ("a negative size", right.replacen("old 0", "old -1", 1)),
        ("CR LF", right.replace('\n', "\r\n")),
        ("64 lines of proof", long_proof),
        ("no signature", format!("old 0\n\n{text}")),
        ("no signature line", format!("old 0\n\n{text}\n")),
        ("no last newline", right.trim_end().to_owned()),
        ("a malformed signature line", format!("{right}\u{2014} name\n")),
        ("another spelling of the root", right.replacen(&root, &other_spelling, 1)),
        ("a size with a zero", right.replacen("\n9\n", "\n09\n", 1)),
        ("a proof line that is too short", right.replacen("old 0\n", "old 0\nAAAA\n", 1)),
    ] {
        assert_status(&witness.add(&body), 400, case);
    }
    let not_utf8 = witness.request("POST", "/add-checkpoint").bytes(b"old 0\n\n\xff\n").send();
    assert_status(&not_utf8, 400, "not UTF-8");
    assert_status(
        &witness.add(&extension(10, &leaves(10)).replacen("old 10", "old 11", 1)),
        400,
        "old is larger",
    );
    assert_status(&witness.checkpoint(), 404, "nothing was cosigned");
    assert_status(&witness.add(&right), 200, "the right body");
}

#[test]
fn limits_the_body_but_takes_sixteen_large_signatures() {
    let witness = TestWitness::start();
    let right = extension(0, &leaves(9));
    // An ML-DSA-87 signature has 4,627 bytes.
    let line = |name: usize| format!("\u{2014} w{name} {}\n", "AAAA".repeat(1545));
    let with_lines = |count| (0..count).fold(right.clone(), |body, name| body + &line(name));
    assert_status(&witness.add(&with_lines(15)), 200, "sixteen signatures");
    let large = with_lines(40);
    assert!(large.len() > 128 * 1024);
    assert_status(&witness.add(&large), 413, "a large body");
    assert_status(&witness.checkpoint(), 200, "it still serves");
}

#[test]
fn signs_only_one_of_twenty_simultaneous_requests() {
    let witness = TestWitness::start();
    assert_status(&witness.add(&extension(0, &leaves(10))), 200, "the first");
    // Each request extends the tree by another leaf: two signed ones would be a fork.
    let requests: Vec<String> = (0..20_u8)
        .map(|number| {
            let mut leaves = leaves(10);
            leaves.push(Hash::leaf(&[number]));
            extension(10, &leaves)
        })
        .collect();
    let barrier = Barrier::new(requests.len());
    let answers: Vec<Answer> = thread::scope(|scope| {
        let threads: Vec<_> = requests
            .iter()
            .map(|body| {
                scope.spawn(|| {
                    barrier.wait();
                    witness.add(body)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(409)), (1, 19));
    assert!(answers.iter().all(|answer| answer.status == 200 || answer.body == b"11\n"));
}

#[test]
fn trusts_several_keys_and_types_for_one_origin() {
    let origin = "an origin, not a key name";
    let ed25519 = Signer::from_seed("key.example", &[4; 32]).expect("a key");
    let ml_dsa = Cosigner::ml_dsa_44("key.example", &[5; 32]).expect("a key");
    let directory = TempDir::new().expect("a directory");
    let file = format!(
        "# keys of the log\n{},{origin}\n\n{},{origin}\n",
        ed25519.verifier(),
        ml_dsa.verifier()
    );
    std::fs::write(directory.path().join("logs.txt"), file).expect("written");
    let mut command = command(directory.path());
    command.args(["--name", "w", "--logs", "logs.txt"]);
    let witness = TestWitness::spawn(directory, command);
    let text = |count| {
        let leaves = leaves(count);
        Checkpoint { origin: origin.into(), size: count, root: root(&leaves) }.to_string()
    };
    let first = Note::new(text(2)).expect("a text").signed_by(&ed25519).to_string();
    assert_status(&witness.add(&body(0, &[], &first)), 200, "signed by Ed25519");
    let line = ml_dsa.sign(&text(4), 0).expect("signed");
    let second = Note::new(text(4)).expect("a text").with_signature(line).to_string();
    let request = body(2, &proof(2, &leaves(4)), &second);
    assert_status(&witness.add(&request), 200, "signed by ML-DSA-44");
    let served = witness.request("GET", &checkpoint_path(origin)).send();
    assert_status(&served, 200, "served");
    let served = String::from_utf8(served.body).expect("UTF-8");
    assert!(served.starts_with(&second), "{served}");
}

#[test]
fn answers_other_paths_and_methods() {
    let witness = TestWitness::start();
    let health = witness.request("GET", "/healthz").send();
    assert_eq!((health.status, &*health.body), (200, &b"ok\n"[..]));
    let upper_case = checkpoint_path(ORIGIN).to_uppercase().replace("CHECKPOINT", "checkpoint");
    for path in ["/", "/checkpoint", "//checkpoint", &upper_case, "/add-checkpoint/", "/metrics"] {
        assert_status(&witness.request("GET", path).send(), 404, path);
    }
    for (method, path) in
        [("GET", "/add-checkpoint"), ("POST", "/healthz"), ("PUT", &checkpoint_path(ORIGIN))]
    {
        assert_status(&witness.request(method, path).send(), 405, path);
    }
}
