use super::{NotASubjectKey, SubjectKey, hmac_sha256};

/// The value is that of another implementation (Python's hmac).
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
fn keys_read_back_and_do_not_print() {
    let key = SubjectKey::new([0xfb; 32]);
    assert_eq!(SubjectKey::from_base64url(&key.to_base64url()), Ok(key.clone()));
    assert_eq!(format!("{key:?}"), "SubjectKey(…)");
}

#[test]
fn another_length_alphabet_or_spelling_is_no_key() {
    let text = SubjectKey::new([0xfb; 32]).to_base64url();
    let standard = text.replace('-', "+").replace('_', "/");
    assert_ne!(standard, text);
    // 32 bytes leave two bits of the last letter unused: they must be zero.
    let stray_bits = format!("{}t", &text[..42]);
    let others =
        ["", "AAAA", &text[1..], &format!("{text}="), &format!("{text}A"), &standard, &stray_bits];
    for other in others {
        assert_eq!(SubjectKey::from_base64url(other), Err(NotASubjectKey), "{other}");
    }
}
