use ed25519_dalek::SigningKey;
use proptest::prelude::*;
use signed_note::{StandardVerifier, VerifierList};

use super::{NOTE_MAX, Note, NoteError, SIGNATURES_MAX};
use crate::log::cosignature::Cosigner;
use crate::log::key::{Signer, VerifierKey};

/// The example of the specification, with its key.
const EXAMPLE: &str = "This is an example message.\n\n\u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
const EXAMPLE_KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

fn signer(name: &str, seed: u8) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[seed; 32])).unwrap()
}

fn signed(text: &str, signers: &[Signer]) -> String {
    let note = Note::new(text.to_owned()).unwrap();
    signers.iter().fold(note, Note::signed_by).to_string()
}

fn verify<'k>(note: &str, trusted: &'k [VerifierKey]) -> Result<Vec<&'k VerifierKey>, NoteError> {
    Note::parse(note)?.verify(trusted)
}

#[test]
fn the_example_verifies() {
    let trusted = [VerifierKey::parse(EXAMPLE_KEY).unwrap()];
    assert_eq!(verify(EXAMPLE, &trusted).unwrap(), [&trusted[0]]);
    let note = Note::parse(EXAMPLE).unwrap();
    assert_eq!(note.text(), "This is an example message.\n");
    assert_eq!(note.to_string(), EXAMPLE);
}

#[test]
fn the_reference_implementation_verifies_our_signatures() {
    for text in
        ["one line\n", "two\n\nparts\n", "\n", "Gr\u{fc}\u{df}e \u{2014} \u{645}\n", "\n\n\n"]
    {
        let signer = signer("example.com/log", 7);
        let note = signed(text, std::slice::from_ref(&signer));
        let reference = signed_note::Note::from_bytes(note.as_bytes()).unwrap();
        let key = StandardVerifier::new(&signer.verifier().to_string()).unwrap();
        reference.verify(&VerifierList::new(vec![Box::new(key)])).unwrap();
        assert_eq!(reference.text(), text.as_bytes());
        verify(&note, &[signer.verifier().clone()]).unwrap();
    }
}

#[test]
fn ignores_unknown_signers_and_rejects_a_wrong_signature_of_a_known_one() {
    let (log, witness) = (signer("log", 1), signer("witness", 2));
    // Has the name of the log's key but another id, as a key of another type would.
    let namesake = signer("log", 3);
    let note = signed("text\n", &[namesake.clone(), witness.clone(), log.clone()]);
    let trusted = [log.verifier().clone(), witness.verifier().clone()];
    assert_eq!(verify(&note, &trusted[..1]).unwrap(), [&trusted[0]]);
    assert_eq!(verify(&note, &trusted).unwrap(), [&trusted[1], &trusted[0]]);
    assert_eq!(verify(&note, &[]), Err(NoteError::NoKnownSigner));
    assert_eq!(
        verify(&note, &[signer("other", 1).verifier().clone()]),
        Err(NoteError::NoKnownSigner)
    );

    let other_note = signed("other text\n", std::slice::from_ref(&witness));
    let copied = other_note.lines().last().unwrap();
    let note = format!("{}{copied}\n", signed("text\n", &[log]));
    assert_eq!(verify(&note, &trusted[..1]).unwrap(), [&trusted[0]]);
    assert_eq!(verify(&note, &trusted), Err(NoteError::BadSignature("witness".into())));
}

#[test]
fn lists_a_signer_once_and_verifies_each_of_its_lines() {
    let log = signer("log", 1);
    let trusted = [log.verifier().clone()];
    let twice = signed("text\n", &[log.clone(), log.clone()]);
    assert_eq!(verify(&twice, &trusted).unwrap(), [&trusted[0]]);
    let other = signed("other\n", std::slice::from_ref(&log));
    let with_wrong_line =
        format!("{}{}\n", signed("text\n", &[log]), other.lines().last().unwrap());
    assert_eq!(verify(&with_wrong_line, &trusted), Err(NoteError::BadSignature("log".into())));
}

#[test]
fn accepts_sixteen_post_quantum_signatures() {
    let log = signer("log", 1);
    let mut note = signed("text\n", std::slice::from_ref(&log));
    for witness in 0..15 {
        note += &format!("\u{2014} witness{witness} {}\n", "AAAA".repeat(1650));
    }
    assert_eq!(verify(&note, &[log.verifier().clone()]).unwrap().len(), 1);
}

#[test]
fn rejects_malformed_notes_with_the_reason() {
    let line = EXAMPLE.lines().last().unwrap();
    let table = [
        (String::new(), NoteError::Shape),
        ("text".into(), NoteError::Shape),
        ("text\n".into(), NoteError::Shape),
        (format!("text\n{line}\n"), NoteError::Shape),
        (EXAMPLE.trim_end().into(), NoteError::Shape),
        ("text\n\n".into(), NoteError::Shape),
        ("text\n\n\n".into(), NoteError::Shape),
        (format!("{EXAMPLE}\n"), NoteError::Shape),
        (EXAMPLE.replace("\n\n", "\r\n\r\n"), NoteError::ControlCharacter),
        (EXAMPLE.replace("This", "Th\0s"), NoteError::ControlCharacter),
        (EXAMPLE.replace("This", "\tThis"), NoteError::ControlCharacter),
        (format!("{EXAMPLE}\u{2014} name\n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}- name AAAAAAA=\n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}\u{2014} name AAAAAA==\n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}\u{2014} name  AAAAAAA=\n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}\u{2014} name AAAAAAA= \n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}\u{2014} na+me AAAAAAA=\n"), NoteError::SignatureLine(2)),
        // Unused bits at the end of the base64 are set: a signature has only one spelling.
        (format!("{EXAMPLE}\u{2014} name AAAAAAB=\n"), NoteError::SignatureLine(2)),
        (format!("{EXAMPLE}{}", format!("{line}\n").repeat(64)), NoteError::TooManySignatures),
        ("x".repeat(NOTE_MAX + 1), NoteError::TooLong),
    ];
    for (note, error) in table {
        assert_eq!(
            Note::parse(&note),
            Err(error),
            "{}",
            note.chars().take(200).collect::<String>()
        );
    }
    let most = format!("{EXAMPLE}{}", format!("{line}\n").repeat(SIGNATURES_MAX - 1));
    assert!(Note::parse(&most).is_ok());
    assert_eq!(Note::new("no newline".into()), Err(NoteError::Text));
    assert_eq!(Note::new("a\tb\n".into()), Err(NoteError::ControlCharacter));
}

#[test]
fn one_trusted_line_is_enough_but_a_wrong_one_is_an_error() {
    const ORIGIN: &str = "example.com/behind-the-sofa";
    const TEXT: &str =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    let ed25519 = signer(ORIGIN, 1);
    let ml_dsa = Cosigner::ml_dsa_44(ORIGIN, &[2; 32]).unwrap();
    let keys =
        [ed25519.verifier().clone(), VerifierKey::parse(&ml_dsa.verifier().to_string()).unwrap()];
    let unsigned = || Note::new(TEXT.to_owned()).unwrap();
    let by_ed25519 = unsigned().signed_by(&ed25519);
    let by_ml_dsa = unsigned().with_signature(ml_dsa.sign(TEXT, 0).unwrap());
    assert_eq!(by_ed25519.verify(&keys).unwrap(), [&keys[0]]);
    assert_eq!(by_ml_dsa.verify(&keys).unwrap(), [&keys[1]]);
    assert_eq!(by_ml_dsa.verify(&keys[..1]), Err(NoteError::NoKnownSigner));
    let both = by_ed25519.with_signature(ml_dsa.sign(TEXT, 0).unwrap());
    assert_eq!(both.verify(&keys).unwrap(), [&keys[0], &keys[1]]);
    let other = TEXT.replacen("20852163", "20852164", 1);
    let wrong = both.with_signature(ml_dsa.sign(&other, 0).unwrap());
    assert_eq!(wrong.verify(&keys), Err(NoteError::BadSignature(ORIGIN.into())));
    assert_eq!(wrong.verified_lines(&keys[..1]).unwrap().len(), 1);
}

proptest! {
    #[test]
    fn rejects_any_changed_byte(position: prop::sample::Index, byte: u8) {
        let trusted = [VerifierKey::parse(EXAMPLE_KEY).unwrap()];
        let position = position.index(EXAMPLE.len());
        let mut changed = EXAMPLE.as_bytes().to_vec();
        prop_assume!(changed[position] != byte);
        changed[position] = byte;
        // Changes that are not UTF-8 are skipped.
        if let Ok(changed) = String::from_utf8(changed) {
            prop_assert!(verify(&changed, &trusted).is_err());
        }
    }

    #[test]
    fn a_parsed_note_writes_the_same_text(text in "(\\PC|\n){0,60}\n", signatures in 1_usize..5) {
        let signers: Vec<Signer> = (1..=signatures).map(|seed| signer("log", seed as u8)).collect();
        let note = signed(&text, &signers);
        let parsed = Note::parse(&note).unwrap();
        prop_assert_eq!(parsed.text(), text);
        prop_assert_eq!(parsed.to_string(), note);
    }

    #[test]
    fn never_panics(text: String, lines in "(\u{2014} |[a-z+ ]|=|\n){0,80}") {
        let _ = Note::parse(&text);
        let _ = Note::parse(&format!("{text}\n\n{lines}\n"));
    }
}
