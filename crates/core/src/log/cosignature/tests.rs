use ml_dsa::{
    B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes,
    MlDsa44, Signature, VerifyingKey,
};
use proptest::prelude::*;
use serde_json::Value;

use super::{
    Algorithm, CosignatureError, Cosigned, Cosigner, CosignerKey, TIMESTAMP_MAX, cosigned,
};
use crate::log::checkpoint::Checkpoint;
use crate::log::hash::Hash;
use crate::log::key::{KeyError, Signer};
use crate::log::note::{Note, NoteError, NoteSignature};

/// The checkpoint of the specification, and its example of a cosigned message.
const TEXT: &str =
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
const TIME: u64 = 1_679_315_147;

fn both(name: &str, seed: u8) -> [Cosigner; 2] {
    [Cosigner::ed25519(name, &[seed; 32]).unwrap(), Cosigner::ml_dsa_44(name, &[seed; 32]).unwrap()]
}

fn note(text: &str, signers: &[Cosigner]) -> Note {
    let unsigned = Note::new(text.to_owned()).unwrap();
    signers
        .iter()
        .fold(unsigned, |note, signer| note.with_signature(signer.sign(text, TIME).unwrap()))
}

#[test]
fn signs_and_verifies_with_both_algorithms() {
    for signer in both("witness.example/w1", 7) {
        let key = signer.verifier();
        let line = signer.sign(TEXT, TIME).unwrap();
        assert_eq!(key.verify(TEXT, &line), Ok(TIME));
        assert_eq!(NoteSignature::parse(&line.to_string()), Some(line.clone()));
        let expected = if key.algorithm() == Algorithm::Ed25519 { 8 + 64 } else { 8 + 2420 };
        assert_eq!(line.bytes().len(), expected);
        assert_eq!(CosignerKey::parse(&key.to_string()).as_ref(), Ok(key));

        let other = TEXT.replacen("20852163", "20852164", 1);
        let wrong = Err(CosignatureError::Wrong("witness.example/w1".into()));
        assert_eq!(key.verify(&other, &line), wrong);
        let mut bytes = line.bytes().to_vec();
        bytes[7] ^= 1;
        let later = NoteSignature::new(key.name(), key.id(), bytes);
        assert_eq!(key.verify(TEXT, &later), wrong, "the time is signed");
    }
}

#[test]
fn ed25519_signs_the_message_of_the_specification() {
    let signer = Cosigner::ed25519("witness.example/w1", &[7; 32]).unwrap();
    let line = signer.sign(TEXT, TIME).unwrap();
    let signed = format!("cosignature/v1\ntime {TIME}\n{TEXT}");
    let key = super::SigningKey::from_bytes(&[7; 32]).verifying_key();
    let signature = super::Signature::from_slice(&line.bytes()[8..]).unwrap();
    key.verify_strict(signed.as_bytes(), &signature).unwrap();
}

#[test]
fn extension_lines_are_signed_by_ed25519_only() {
    let extended = format!("{TEXT}extension\n");
    let [ed25519, ml_dsa] = both("witness.example/w1", 7);
    let line = ed25519.sign(&extended, TIME).unwrap();
    assert!(ed25519.verifier().verify(TEXT, &line).is_err());
    let line = ml_dsa.sign(&extended, TIME).unwrap();
    assert_eq!(ml_dsa.verifier().verify(TEXT, &line), Ok(TIME));
}

#[test]
fn ml_dsa_signs_the_structure_of_the_specification() {
    let message = super::ml_dsa_44_message("w", TEXT, 1).unwrap();
    let root = Checkpoint::parse(TEXT).unwrap().root;
    let expected = [
        b"subtree/v1\n\0".as_slice(),
        &[1],
        b"w",
        &1_u64.to_be_bytes(),
        &[27],
        b"example.com/behind-the-sofa",
        &[0; 8],
        &20_852_163_u64.to_be_bytes(),
        &root.0,
    ];
    assert_eq!(message, expected.concat());
}

#[test]
fn refuses_what_does_not_fit_into_the_message() {
    let [ed25519, ml_dsa] = both("w", 7);
    for signer in [&ed25519, &ml_dsa] {
        let not_a_checkpoint = signer.sign("one line\n", TIME);
        assert!(matches!(not_a_checkpoint, Err(CosignatureError::Checkpoint(_))));
        assert_eq!(signer.sign(TEXT, TIMESTAMP_MAX + 1), Err(CosignatureError::Timestamp));
        assert!(signer.sign(TEXT, TIMESTAMP_MAX).is_ok());
    }
    let long = format!("{}\n0\n{}\n", "o".repeat(256), Hash::empty_root().to_base64());
    assert!(ed25519.sign(&long, TIME).is_ok());
    assert_eq!(ml_dsa.sign(&long, TIME), Err(CosignatureError::OriginTooLong));
}

#[test]
fn rejects_malformed_lines() {
    for signer in both("w", 7) {
        let key = signer.verifier();
        let line = signer.sign(TEXT, TIME).unwrap();
        let with = |bytes: &[u8]| NoteSignature::new(key.name(), key.id(), bytes.to_vec());
        let malformed = Err(CosignatureError::Malformed("w".into()));
        for bytes in [&line.bytes()[..7], &line.bytes()[..50], &[line.bytes(), &[0]].concat()] {
            assert_eq!(key.verify(TEXT, &with(bytes)), malformed);
        }
        let late = [&[0x80], &line.bytes()[1..]].concat();
        assert_eq!(key.verify(TEXT, &with(&late)), Err(CosignatureError::Timestamp));
        let other = NoteSignature::new("v", key.id(), line.bytes().to_vec());
        assert_eq!(key.verify(TEXT, &other), Err(CosignatureError::OtherKey));
        let other = NoteSignature::new("w", [0; 4], line.bytes().to_vec());
        assert_eq!(key.verify(TEXT, &other), Err(CosignatureError::OtherKey));
    }
    let ml_dsa = Cosigner::ml_dsa_44("w", &[7; 32]).unwrap();
    let all_ones = [&TIME.to_be_bytes()[..], &[0xff; 2420]].concat();
    let line = NoteSignature::new("w", ml_dsa.verifier().id(), all_ones);
    let wrong = Err(CosignatureError::Wrong("w".into()));
    assert_eq!(ml_dsa.verifier().verify(TEXT, &line), wrong);
}

#[test]
fn a_key_of_another_type_or_id_is_refused() {
    let [ed25519, ml_dsa] = both("w", 7);
    let log = Signer::from_seed("w", &[7; 32]).unwrap().verifier().to_string();
    assert_eq!(CosignerKey::parse(&log), Err(KeyError::UnknownType(1)));
    for signer in [ed25519, ml_dsa] {
        let vkey = signer.verifier().to_string();
        assert_eq!(CosignerKey::parse(&vkey.replacen("w+", "v+", 1)), Err(KeyError::Id));
        let too_short = &vkey[..vkey.len() - 4];
        assert_eq!(CosignerKey::parse(too_short), Err(KeyError::Key));
    }
}

#[test]
fn returns_known_cosigners_and_rejects_a_wrong_line_of_one() {
    let (first, second) = (both("first", 1), both("second", 2));
    let keys: Vec<CosignerKey> = first.iter().map(|signer| signer.verifier().clone()).collect();
    let all = note(TEXT, &[second.clone(), first.clone()].concat());
    let expected: Vec<Cosigned<'_>> =
        keys.iter().map(|key| Cosigned { key, timestamp: TIME }).collect();
    assert_eq!(cosigned(&all, &keys), Ok(expected.clone()));
    assert_eq!(cosigned(&note(TEXT, &second), &keys), Ok(Vec::new()));
    let twice = note(TEXT, &[first.clone(), first.clone()].concat());
    assert_eq!(cosigned(&twice, &keys), Ok(expected));
    let other = TEXT.replacen("20852163", "20852164", 1);
    let foreign = first[1].sign(&other, TIME).unwrap();
    let wrong = note(TEXT, &first).with_signature(foreign);
    assert_eq!(cosigned(&wrong, &keys), Err(NoteError::BadSignature("first".into())));
}

#[test]
fn a_cosigner_does_not_print_its_secret() {
    for signer in both("w", 7) {
        assert_eq!(format!("{signer:?}"), format!("Cosigner({})", signer.verifier()));
    }
}

/// Vectors of NIST for the internal interface. That this program signs with the empty context is
/// checked with another implementation in the witness's tests.
mod fips_204 {
    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../../../../testdata/ml-dsa-44.json")).unwrap()
    }

    fn bytes(value: &Value) -> Vec<u8> {
        hex::decode(value.as_str().unwrap()).unwrap()
    }

    #[test]
    fn derives_the_keys_of_the_vectors() {
        for case in vectors()["key_gen"].as_array().unwrap() {
            let seed: [u8; 32] = bytes(&case["seed"]).try_into().unwrap();
            let key = Cosigner::ml_dsa_44("w", &seed).unwrap().verifier().clone();
            assert_eq!(key.key.bytes(), bytes(&case["pk"]), "{}", case["tcId"]);
        }
    }

    #[test]
    fn creates_the_signature_of_the_vector() {
        for case in vectors()["sig_gen"].as_array().unwrap() {
            let secret =
                ExpandedSigningKeyBytes::<MlDsa44>::try_from(&*bytes(&case["sk"])).unwrap();
            #[expect(deprecated, reason = "the vectors have no seeds")]
            let secret = ExpandedSigningKey::<MlDsa44>::from_expanded(&secret);
            let signature = secret.sign_internal(&[&bytes(&case["message"])], &B32::default());
            assert_eq!(signature.encode().to_vec(), bytes(&case["signature"]));
        }
    }

    #[test]
    fn accepts_and_rejects_the_signatures_of_the_vectors() {
        let vectors = vectors();
        let key = EncodedVerifyingKey::<MlDsa44>::try_from(&*bytes(&vectors["sig_ver"]["pk"]));
        let key = VerifyingKey::<MlDsa44>::decode(&key.unwrap());
        let cases = vectors["sig_ver"]["tests"].as_array().unwrap();
        assert_eq!(cases.iter().filter(|case| case["testPassed"] == true).count(), 1);
        for case in cases {
            let signature = bytes(&case["signature"]);
            let signature = EncodedSignature::<MlDsa44>::try_from(&*signature).unwrap();
            let verifies = Signature::<MlDsa44>::decode(&signature)
                .is_some_and(|signature| key.verify_internal(&bytes(&case["message"]), &signature));
            assert_eq!(Value::from(verifies), case["testPassed"], "{}", case["reason"]);
        }
    }
}

proptest! {
    #[test]
    fn never_panics(bytes: Vec<u8>, text: String, vkey: String) {
        for signer in both("w", 7) {
            let key = signer.verifier();
            let line = NoteSignature::new("w", key.id(), bytes.clone());
            prop_assert!(key.verify(TEXT, &line).is_err());
            prop_assert!(key.verify(&text, &line).is_err());
        }
        let _ = CosignerKey::parse(&format!("w+00000000+{vkey}"));
    }
}
