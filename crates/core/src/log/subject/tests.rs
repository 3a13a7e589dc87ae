use base64::Engine as _;

use super::{ParseSubjectKeyError, SubjectKey, hmac_sha256};

/// The expected value was computed with Python's hmac.
#[test]
fn a_subject_is_the_hmac_of_the_id() {
    let key = SubjectKey::new([0x0b; 32]);
    assert_eq!(
        key.subject("rider-1"),
        "6e95ce4e01911efef471e0d3ab30a5d02abda05ed3c4842591f3c044dfd01bc5"
    );
    let parts = hmac_sha256(key.as_bytes(), &[b"rider", b"-1"]);
    assert_eq!(parts, hmac_sha256(key.as_bytes(), &[b"rider-1"]));
}

#[test]
fn keys_parse_from_their_text_and_are_not_printed() {
    let key = SubjectKey::new([0xfb; 32]);
    assert_eq!(SubjectKey::from_base64url(&key.to_base64url()), Ok(key.clone()));
    assert_eq!(format!("{key:?}"), "SubjectKey(…)");
}

#[test]
fn rejects_keys_of_another_length_alphabet_or_spelling() {
    let text = SubjectKey::new([0xfb; 32]).to_base64url();
    let standard = text.replace('-', "+").replace('_', "/");
    assert_ne!(standard, text);
    // 32 bytes leave two bits of the last character unused. They must be zero.
    let stray_bits = format!("{}t", &text[..42]);
    let others =
        ["", "AAAA", &text[1..], &format!("{text}="), &format!("{text}A"), &standard, &stray_bits];
    for other in others {
        assert_eq!(SubjectKey::from_base64url(other), Err(ParseSubjectKeyError), "{other}");
    }
}

/// The expected value was computed with Python's hashlib.
#[test]
fn hashes_an_app_with_the_key() {
    let key = SubjectKey::new([0x0b; 32]);
    assert_eq!(
        key.app_sha256("rider-android 7.1 \u{1f6b2}"),
        "002f0b69925c7cdeeddf56e1a4f5dbc78a1f131dd43cf3a2e15d98df976ecbf7"
    );
    assert_ne!(key.app_sha256("rider-1"), key.subject("rider-1"));
    assert_ne!(SubjectKey::new([0x0c; 32]).app_sha256("a"), key.app_sha256("a"));
}

#[test]
fn decrypts_a_text_only_with_its_key_and_its_entry() {
    let key = SubjectKey::new([0x0b; 32]);
    for text in ["", "a", "rider-android 7.1 \u{1f6b2}", &"\u{fc}".repeat(200)] {
        let encrypted = key.encrypt("entry", text);
        assert_eq!(key.decrypt("entry", &encrypted).as_deref(), Some(text));
        if !text.is_empty() {
            assert_ne!(key.decrypt("other", &encrypted).as_deref(), Some(text));
            let other = SubjectKey::new([0x0c; 32]);
            assert_ne!(other.decrypt("entry", &encrypted).as_deref(), Some(text));
        }
    }
    // No block of the stream is used twice.
    let zeros = "\0".repeat(200);
    let encrypted = super::URL_SAFE_NO_PAD.decode(key.encrypt("entry", &zeros)).expect("base64url");
    let blocks: std::collections::HashSet<&[u8]> = encrypted.chunks(32).collect();
    assert_eq!(blocks.len(), 7);
    assert_eq!(key.decrypt("entry", "no base64!"), None);
}
