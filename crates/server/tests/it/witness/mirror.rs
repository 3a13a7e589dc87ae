//! A witness that also keeps a copy of the log: `--mirror`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use musette_core::log::cosignature::CosignerKey;
use musette_core::log::hash::Hash;
use musette_core::log::note::Note;
use musette_core::log::tile::decode_entries;
use tempfile::TempDir;

use super::{
    NAME, ORIGIN, TestWitness, command, extension, halves, leaves, log, root, signed, text_of,
    verify_cosignatures,
};
use musette::parts::random::sha256_hex;

use crate::request::Answer;
use crate::store::CommandResult;

fn start() -> TestWitness {
    TestWitness::start_in(TempDir::new().expect("a directory"), &["--mirror", "mirror"])
}

fn mirror_keys(witness: &TestWitness) -> Vec<CosignerKey> {
    let keys = witness.keys();
    assert_eq!(keys.len(), 4);
    keys.into_iter().filter(|key| key.name() == format!("{NAME}/mirror")).collect()
}

/// Returns a subtree consistency proof, as the draft defines it.
fn subtree_proof(start: usize, end: usize, leaves: &[Hash], is_whole: bool) -> Vec<Hash> {
    if start == 0 && end == leaves.len() {
        return if is_whole { Vec::new() } else { vec![root(leaves)] };
    }
    let [first, second] = halves(leaves);
    let middle = first.len();
    let (mut path, sibling) = if end <= middle {
        (subtree_proof(start, end, first, is_whole), second)
    } else if middle <= start {
        (subtree_proof(start - middle, end - middle, second, is_whole), first)
    } else {
        (subtree_proof(0, end - middle, second, false), first)
    };
    path.push(root(sibling));
    path
}

fn head(origin: &str, start: u64, end: u64) -> Vec<u8> {
    let length = (origin.len() as u16).to_be_bytes();
    [&length[..], origin.as_bytes(), &start.to_be_bytes(), &end.to_be_bytes(), &[0, 0]].concat()
}

/// Returns the package of the entries `start..end`, which lie in one bundle, for a tree of `size`.
fn package(start: u64, end: u64, size: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for index in start..end {
        bytes.extend([0, 8]);
        bytes.extend(index.to_be_bytes());
    }
    let aligned = (start / 256 * 256) as usize;
    let proof = subtree_proof(aligned, end as usize, &leaves(size), true);
    bytes.push(proof.len() as u8);
    bytes.extend(proof.iter().flat_map(|hash| hash.0));
    bytes
}

/// Returns the upload of an honest client.
fn upload(start: u64, end: u64) -> Vec<u8> {
    let mut bytes = head(ORIGIN, start, end);
    let mut from = start;
    while from < end {
        let to = ((from / 256 + 1) * 256).min(end);
        bytes.extend(package(from, to, end));
        from = to;
    }
    bytes
}

fn send(witness: &TestWitness, body: &[u8]) -> Answer {
    witness.request("POST", "/add-entries").body("application/octet-stream", body).send()
}

#[track_caller]
fn assert_info(answer: &Answer, status: u16, size: u64, next: u64) {
    let text = String::from_utf8_lossy(&answer.body);
    assert_eq!((answer.status, &*text), (status, &*format!("{size}\n{next}\n\n")));
    assert_eq!(answer.header("content-type"), "text/x.tlog.mirror-info");
}

fn get(witness: &TestWitness, path: &str) -> Answer {
    let hash = sha256_hex(ORIGIN.as_bytes());
    witness.request("GET", &format!("/mirror/{hash}/{path}")).send()
}

#[test]
fn copies_the_log_and_serves_it_as_tiles() {
    let witness = start();
    let keys = mirror_keys(&witness);
    assert_eq!(keys.len(), 2);
    for (old, new) in [(0, 0), (0, 1), (1, 700), (700, 700), (700, 1024), (1024, 1100)] {
        assert_eq!(witness.add(&extension(old as usize, &leaves(new))).status, 200);
        let answer = send(&witness, &upload(old, new));
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let text = text_of(&leaves(new));
        verify_cosignatures(&answer.body, &text, &keys);
        let served = get(&witness, "checkpoint");
        assert_eq!(served.status, 200);
        let expected = format!("{}{}", signed(&text), String::from_utf8_lossy(&answer.body));
        assert_eq!(String::from_utf8_lossy(&served.body), expected);
    }
    for (path, indexes) in [
        ("tile/entries/000", 0..256),
        ("tile/entries/002", 512..768),
        ("tile/entries/004.p/76", 1024..1100),
        // The checkpoint of 700 entries had this partial bundle.
        ("tile/entries/002.p/188", 512..700),
    ] {
        let answer = get(&witness, path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), "application/octet-stream");
        let width = (indexes.end - indexes.start) as u16;
        let entries = decode_entries(&answer.body, width).expect("a bundle");
        let expected: Vec<[u8; 8]> = indexes.map(u64::to_be_bytes).collect();
        assert_eq!(entries, expected);
    }
    let all = leaves(1100);
    let hashes = |range: std::ops::Range<usize>| -> Vec<u8> {
        all[range].iter().flat_map(|hash| hash.0).collect()
    };
    assert_eq!(get(&witness, "tile/0/003").body, hashes(768..1024));
    assert_eq!(get(&witness, "tile/0/004.p/76").body, hashes(1024..1100));
    let upper: Vec<u8> = all[..1024].chunks(256).flat_map(|part| root(part).0).collect();
    assert_eq!(get(&witness, "tile/1/000.p/4").body, upper);
    for path in ["tile/0/004.p/77", "tile/entries/005", "tile/2/000.p/1", "tile/0/0", "entries"] {
        assert_eq!(get(&witness, path).status, 404, "{path}");
    }
}

#[test]
fn answers_each_status_of_the_specification() {
    let witness = start();
    let other = [&head("other.example/log", 0, 1)[..], &package(0, 1, 1)].concat();
    assert_eq!(send(&witness, &other).status, 404);
    assert_eq!(send(&witness, &upload(0, 300)).status, 422, "no checkpoint yet");
    assert_eq!(witness.add(&extension(0, &leaves(300))).status, 200);
    assert_eq!(witness.add(&extension(300, &leaves(600))).status, 200);

    assert_info(&send(&witness, &upload(0, 299)), 409, 600, 0);
    assert_info(&send(&witness, &upload(0, 700)), 409, 600, 0);
    assert_info(&send(&witness, &head(ORIGIN, 256, 600)), 409, 600, 0);

    let first = [&head(ORIGIN, 0, 600)[..], &package(0, 256, 600)].concat();
    for (case, body) in [
        ("no bytes", Vec::new()),
        ("half a head", head(ORIGIN, 0, 600)[..9].to_vec()),
        ("a head alone", head(ORIGIN, 0, 600)),
        ("half a package", first[..first.len() - 1].to_vec()),
        ("an end before the start", head(ORIGIN, 600, 300)),
        ("64 hashes", [&head(ORIGIN, 0, 300)[..], &[0; 512], &[64]].concat()),
    ] {
        assert_eq!(send(&witness, &body).status, 400, "{case}");
    }
    let other_type = witness.request("POST", "/add-entries").body("text/plain", &first).send();
    assert_eq!(other_type.status, 415);
    let mut wrong_entry = first.clone();
    wrong_entry[head(ORIGIN, 0, 600).len() + 5] ^= 1;
    let mut wrong_proof = first.clone();
    *wrong_proof.last_mut().expect("a byte") ^= 1;
    for body in [wrong_entry, wrong_proof] {
        assert_eq!(send(&witness, &body).status, 422, "not proved");
    }
    assert_eq!(get(&witness, "checkpoint").status, 404, "nothing is complete");

    // A prefix, an interrupted second package, and the rest.
    assert_info(&send(&witness, &first), 202, 600, 256);
    let interrupted = [&first[..], &package(256, 512, 600)[..100]].concat();
    assert_info(&send(&witness, &interrupted), 202, 600, 256);
    assert_eq!(get(&witness, "tile/entries/000").status, 404, "no checkpoint has it yet");
    let more = [&upload(256, 600)[..], &[0]].concat();
    assert_eq!(send(&witness, &more).status, 400, "bytes after the last package");
    // The earlier checkpoint is still known.
    assert_eq!(send(&witness, &upload(100, 300)).status, 200);
    assert_eq!(send(&witness, &upload(599, 600)).status, 200);
    assert_info(&send(&witness, &upload(0, 300)), 409, 600, 600);
    assert_eq!(send(&witness, &upload(600, 600)).status, 200, "nothing to upload");
}

#[test]
fn takes_gzip() {
    let witness = start();
    assert_eq!(witness.add(&extension(0, &leaves(700))).status, 200);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&upload(0, 700)).expect("compressed");
    let request = witness.request("POST", "/add-entries").header("content-encoding", "gzip");
    let body = encoder.finish().expect("compressed");
    let answer = request.clone().body("application/octet-stream", &body).send();
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let answer = request.body("application/octet-stream", b"not gzip").send();
    assert_eq!(answer.status, 400);
    let other = witness.request("POST", "/add-entries").header("content-encoding", "br");
    assert_eq!(other.body("application/octet-stream", &body).send().status, 415);
}

#[test]
fn continues_an_upload_after_a_kill() {
    let witness = start();
    assert_eq!(witness.add(&extension(0, &leaves(600))).status, 200);
    let first = [&head(ORIGIN, 0, 600)[..], &package(0, 256, 600)].concat();
    assert_info(&send(&witness, &first), 202, 600, 256);
    let witness = TestWitness::start_in(witness.kill(), &["--mirror", "mirror"]);
    assert_info(&send(&witness, &head(ORIGIN, 300, 600)), 409, 600, 256);
    assert_eq!(send(&witness, &upload(256, 600)).status, 200);
    let witness = TestWitness::start_in(witness.kill(), &["--mirror", "mirror"]);
    let note = String::from_utf8(get(&witness, "checkpoint").body).expect("UTF-8");
    assert_eq!(Note::parse(&note).expect("a note").text(), text_of(&leaves(600)));
    assert_eq!(witness.add(&extension(600, &leaves(700))).status, 200);
    assert_eq!(send(&witness, &upload(600, 700)).status, 200);
}

#[test]
fn refuses_the_directory_of_the_witness() {
    let directory = TempDir::new().expect("a directory");
    let key = log().verifier().to_string();
    let mut command = command(directory.path());
    command.args(["--name", NAME, "--log", &key, "--mirror", "./witness"]);
    let result = CommandResult::from(command.output().expect("it runs"));
    result.failed(2, "--mirror is the same directory");
}

#[test]
fn without_the_option_there_is_no_mirror() {
    let witness = TestWitness::start();
    assert_eq!(send(&witness, &upload(0, 0)).status, 404);
    assert_eq!(get(&witness, "checkpoint").status, 404);
    assert_eq!(witness.keys().len(), 2);
}
