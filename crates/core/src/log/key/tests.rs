use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::SigningKey;
use proptest::prelude::*;
use signed_note::Verifier as _;

use super::{KeyError, Signer, VerifierKey, is_key_name};
use crate::log::cosignature::Cosigner;

/// The key of the specification's example.
const EXAMPLE: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

fn signer(name: &str) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[7; 32])).unwrap()
}

#[test]
fn the_example_key_reads_and_writes() {
    let key = VerifierKey::parse(EXAMPLE).unwrap();
    assert_eq!(key.name(), "example.com/foo");
    assert_eq!(key.id(), [0x53, 0x0d, 0x90, 0x3a]);
    assert_eq!(key.to_string(), EXAMPLE);
}

#[test]
fn reads_keys_of_both_types_of_a_log_and_no_other() {
    let name = "example.com/log";
    let ml_dsa = Cosigner::ml_dsa_44(name, &[1; 32]).unwrap().verifier().to_string();
    for (vkey, is_ml_dsa) in [(signer(name).verifier().to_string(), false), (ml_dsa, true)] {
        let key = VerifierKey::parse(&vkey).unwrap();
        assert_eq!((key.name(), key.to_string(), key.is_ml_dsa()), (name, vkey, is_ml_dsa));
    }
    let witness = Cosigner::ed25519(name, &[1; 32]).unwrap().verifier().to_string();
    assert_eq!(VerifierKey::parse(&witness), Err(KeyError::UnknownType(4)));
}

#[test]
fn the_ml_dsa_key_has_the_name_and_always_the_same_bytes() {
    let keys = ["a", "a", "b"].map(|name| signer(name).ml_dsa_44().unwrap());
    let vkeys = keys.map(|key| key.verifier().to_string());
    assert_eq!(vkeys[0], vkeys[1]);
    assert!(VerifierKey::parse(&vkeys[2]).is_ok_and(|key| key.is_ml_dsa() && key.name() == "b"));
    let other = Signer::from_seed("a", &[8; 32]).unwrap().ml_dsa_44().unwrap();
    assert_ne!(vkeys[0], other.verifier().to_string());
    // Stores derive the key at each start, so it may never change.
    assert!(vkeys[0].starts_with("a+f65957b8+"), "{}", &vkeys[0][..12]);
}

#[test]
fn the_reference_implementation_reads_our_keys() {
    for name in ["example.com/log", "Überprüfung", "musette"] {
        let vkey = signer(name).verifier().to_string();
        let reference = signed_note::StandardVerifier::new(&vkey).unwrap();
        assert_eq!(reference.name(), name);
        assert_eq!(reference.key_id().to_be_bytes(), signer(name).verifier().id());
    }
}

#[test]
fn rejects_malformed_keys_with_the_reason() {
    let with_key = |bytes: &[u8]| format!("example.com/foo+530d903a+{}", STANDARD.encode(bytes));
    let table = [
        (String::new(), KeyError::Shape),
        ("example.com/foo".into(), KeyError::Shape),
        ("example.com/foo+530d903a".into(), KeyError::Shape),
        ("example.com/foo+530d903a+".into(), KeyError::Shape),
        ("example.com/foo+530d903a+!".into(), KeyError::Shape),
        (format!("{EXAMPLE}="), KeyError::Shape),
        (format!("{EXAMPLE}\n"), KeyError::Shape),
        ("x".repeat(8193), KeyError::Shape),
        (EXAMPLE.replacen("example.com", "", 1).replacen("/foo", "", 1), KeyError::Name),
        (EXAMPLE.replacen('/', " ", 1), KeyError::Name),
        (EXAMPLE.replacen("foo", "bar", 1), KeyError::Id),
        (EXAMPLE.replacen("530d903a", "530D903A", 1), KeyError::Id),
        (EXAMPLE.replacen("530d903a", "530d903", 1), KeyError::Id),
        (with_key(&[&[4_u8][..], &[9; 32]].concat()), KeyError::UnknownType(4)),
        (with_key(&[&[6_u8][..], &[9; 1311]].concat()), KeyError::Key),
        (with_key(&[&[6_u8][..], &[9; 1312]].concat()), KeyError::Id),
        (with_key(&[1; 32]), KeyError::Key),
        (with_key(&[1; 34]), KeyError::Key),
        // The neutral point: certain signatures verify with it for any text.
        (with_key(&[&[1, 1_u8][..], &[0; 31]].concat()), KeyError::Key),
    ];
    for (vkey, error) in table {
        assert_eq!(VerifierKey::parse(&vkey), Err(error), "{vkey}");
    }
}

#[test]
fn a_list_skips_unknown_types_but_rejects_malformed_lines() {
    let newer = format!("witness.example+01020304+{}", STANDARD.encode([4; 33]));
    let list = format!("\n{EXAMPLE}\r\n{newer}\n\n{}\n", signer("a").verifier());
    let names = |keys: Vec<VerifierKey>| keys.iter().map(|key| key.name().to_owned()).collect();
    let parsed: Vec<String> = names(VerifierKey::parse_list(&list).unwrap());
    assert_eq!(parsed, ["example.com/foo", "a"]);
    assert_eq!(VerifierKey::parse_list(&format!("{list}nonsense\n")), Err(KeyError::Shape));
    assert_eq!(VerifierKey::parse_list(""), Ok(Vec::new()));
}

#[test]
fn names_follow_the_rule_of_the_specification() {
    for name in ["a", "example.com/log", "\u{645}\u{648}\u{632}\u{62a}", &"n".repeat(255)] {
        assert!(is_key_name(name), "{name}");
    }
    for name in ["", "a b", "a+b", "a\u{a0}b", "a\u{2003}b", "a\nb", "a\u{7f}", &"n".repeat(256)] {
        assert!(!is_key_name(name), "{name:?}");
        assert_eq!(
            Signer::new(name, SigningKey::from_bytes(&[7; 32])).map(|_| ()),
            Err(KeyError::Name)
        );
    }
}

#[test]
fn a_signer_does_not_print_its_secret() {
    let printed = format!("{:?}", signer("log"));
    assert_eq!(printed, format!("Signer({})", signer("log").verifier()));
}

proptest! {
    #[test]
    fn rejects_any_changed_byte(position: prop::sample::Index, byte in 0x20_u8..0x7f) {
        let position = position.index(EXAMPLE.len());
        let mut changed = EXAMPLE.as_bytes().to_vec();
        prop_assume!(changed[position] != byte);
        changed[position] = byte;
        let changed = String::from_utf8(changed).unwrap();
        prop_assert!(VerifierKey::parse(&changed).is_err());
    }

    #[test]
    fn never_panics(text: String) {
        prop_assert!(VerifierKey::parse(&text).is_err());
        let _ = VerifierKey::parse(&format!("name+00000000+{text}"));
    }
}
