//! What a witness receives, and what its clients receive from it: requests, cosignatures, keys. The
//! seeds are requests and lines that are right.

use std::sync::LazyLock;

use musette_core::log::checkpoint::Checkpoint;
use musette_core::log::cosignature::{Cosigner, CosignerKey, cosigned};
use musette_core::log::hash::Hash;
use musette_core::log::key::Signer;
use musette_core::log::key::VerifierKey;
use musette_core::log::mirror::{Package, Upload};
use musette_core::log::note::{Note, NoteSignature};
use musette_core::log::subtree::Subtree;
use musette_core::log::witness::AddCheckpoint;

use super::{kind, text};

const ORIGIN: &str = "log.example/fuzz";

static LOG: LazyLock<Option<Signer>> = LazyLock::new(|| Signer::from_seed(ORIGIN, &[1; 32]).ok());

static COSIGNERS: LazyLock<Vec<Cosigner>> = LazyLock::new(|| {
    let cosigners = [Cosigner::ed25519("w", &[2; 32]), Cosigner::ml_dsa_44("w", &[2; 32])];
    cosigners.into_iter().flatten().collect()
});

fn head(size: u64) -> String {
    let root = if size == 0 { Hash::empty_root() } else { Hash::leaf(b"one") };
    Checkpoint { origin: ORIGIN.into(), size, root }.to_string()
}

fn signed(size: u64) -> Option<Note> {
    Some(Note::new(head(size)).ok()?.signed_by(LOG.as_ref()?))
}

pub fn requests() -> Vec<Vec<u8>> {
    let line = Hash([7; 32]).to_base64();
    let notes = [signed(0), signed(1)].into_iter().flatten();
    notes
        .flat_map(|note| {
            [
                format!("old 0\n\n{note}"),
                format!("old 1\n\n{note}"),
                format!("old 12\n{line}\n{line}\n\n{note}"),
            ]
        })
        .map(String::into_bytes)
        .collect()
}

pub fn request(input: &[u8]) -> String {
    let parsed = AddCheckpoint::parse(input);
    let Ok(request) = &parsed else { return kind(&parsed) };
    let keys: Vec<VerifierKey> = LOG.iter().map(|log| log.verifier().clone()).collect();
    let last = Checkpoint { origin: ORIGIN.into(), size: 1, root: Hash::leaf(b"one") };
    let (first, next) = (request.check(&keys, None), request.check(&keys, Some(&last)));
    if next.is_ok() {
        let is_same = (request.checkpoint.size, request.checkpoint.root) == (1, last.root);
        assert!(is_same, "signed an extension that the log has never signed");
    }
    format!("taken {} {}", kind(&first), kind(&next))
}

pub fn notes() -> Vec<Vec<u8>> {
    let text = head(1);
    let lines = COSIGNERS.iter().filter_map(|cosigner| cosigner.sign(&text, 1_700_000_000).ok());
    let Some(note) = signed(1) else { return Vec::new() };
    let all = lines.fold(note, Note::with_signature);
    vec![all.to_string().into_bytes()]
}

/// Verifies the cosignatures of a note, and its last line alone.
pub fn note(input: &[u8]) -> String {
    let keys: Vec<CosignerKey> =
        COSIGNERS.iter().map(|cosigner| cosigner.verifier().clone()).collect();
    let text = text(input);
    let verified = Note::parse(&text).ok().map(|note| {
        let signers = cosigned(&note, &keys);
        if signers.as_ref().is_ok_and(|signers| !signers.is_empty()) {
            let is_ours = Checkpoint::parse_any_origin(note.text())
                .is_ok_and(|checkpoint| checkpoint.to_string() == head(1));
            assert!(is_ours, "accepted a cosignature of a text that was never signed");
        }
        kind(&signers)
    });
    let line = text.lines().last().and_then(NoteSignature::parse);
    if let Some(line) = &line {
        assert_eq!(NoteSignature::parse(&line.to_string()).as_ref(), Some(line));
    }
    format!("{verified:?} {}", line.is_some())
}

pub fn vkeys() -> Vec<Vec<u8>> {
    let log = LOG.iter().map(|log| log.verifier().to_string());
    let cosigners = COSIGNERS.iter().map(|cosigner| cosigner.verifier().to_string());
    log.chain(cosigners).map(String::into_bytes).collect()
}

pub fn vkey(input: &[u8]) -> String {
    let text = text(input);
    let (cosigner, log) = (CosignerKey::parse(&text), VerifierKey::parse(&text));
    if let Ok(key) = &cosigner {
        assert_eq!(key.to_string(), text, "a key has one spelling");
    }
    if let Ok(key) = &log {
        assert_eq!(key.to_string(), text, "a key has one spelling");
    }
    format!("{} {}", kind(&cosigner), kind(&log))
}

pub fn uploads() -> Vec<Vec<u8>> {
    let head = [&[0, 3][..], b"log", &5_u64.to_be_bytes(), &9_u64.to_be_bytes(), &[0, 1, 7]];
    let package = [&[0, 2][..], b"an", &[0, 0], &[1], &[7; 32]];
    vec![head.concat(), package.concat(), [head.concat(), package.concat()].concat()]
}

/// Reads the input as the head of an upload, and as a package.
pub fn upload(input: &[u8]) -> String {
    let upload = Upload::parse(input);
    if let Ok(Some((upload, length))) = &upload {
        assert!(*length <= input.len());
        let ranges: Vec<_> = upload.ranges().take(3).collect();
        assert!(ranges.iter().all(|range| range.subtree_start <= range.start));
        assert!(ranges.iter().all(|range| range.start < range.end));
    }
    let package = Package::parse(input, 2);
    if let Ok(Some((package, length))) = &package {
        assert!(*length <= input.len());
        let root = Hash::leaf(b"one");
        let subtree = Subtree::new(4, 6).map(|range| range.verify(root, 9, root, &package.proof));
        assert!(subtree.is_some_and(|verified| verified.is_err()), "accepted a random proof");
    }
    format!("{} {}", kind(&upload), kind(&package))
}
