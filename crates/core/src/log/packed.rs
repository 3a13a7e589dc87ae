//! A compact form of an entry's text for the store. An entry with three decisions has 770 bytes,
//! mostly names of members, hexadecimal digits and punctuation; its packed form has 280.
//!
//! Packing works on texts and does not parse entries. A piece that occurs in every entry becomes
//! one character, 64 hexadecimal digits become 43 characters of base64url, a UUID 22 and an instant
//! 8. Everything else is copied. Therefore the text of an entry of any version is restored byte for
//! byte.
//!
//! Each text has exactly one packed form. `unpack` rejects all other forms, so that a change of the
//! stored form is detected.
//!
//! The marks are characters of Latin-1 outside of ASCII. JSON contains them unescaped. A text that
//! contains one itself is not packed.
//! itself is not packed.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::hash::hex_digits;
use crate::instant::Instant;

/// The first character of each packed text, which identifies the format.
const PACKED: char = '\u{a1}';
/// Precedes 32 bytes that were lower-case hexadecimal digits.
const HASH: char = '\u{a2}';
/// Precedes 16 bytes that were a UUID.
const UUID: char = '\u{a3}';
/// Precedes 6 bytes that were an instant in UTC with milliseconds: the milliseconds since 1970.
const INSTANT: char = '\u{a4}';
/// The character of the first of [`PIECES`]; the next pieces have the next characters.
const FIRST_PIECE: char = '\u{b0}';

/// Frequent pieces of text. Their positions are part of the format: pieces may be added at the end,
/// but never changed or removed.
const PIECES: &[&str] = &[
    r#"{"consents":[{"accepted":true,"consented_at":""#,
    r#"{"consents":[{"accepted":false,"consented_at":""#,
    r#"},{"accepted":true,"consented_at":""#,
    r#"},{"accepted":false,"consented_at":""#,
    r#"","evidence":"inferred","sha256":""#,
    r#"","evidence":"presented","sha256":""#,
    r#"","evidence":"imported","sha256":""#,
    r#"","evidence":"presented","last_page":"#,
    r#"","evidence":"inferred","last_page":"#,
    r#"","evidence":"presented","method":""#,
    r#"","evidence":"inferred","method":""#,
    r#"","evidence":"presented","opened":"#,
    r#"","evidence":"inferred","opened":"#,
    r#","method":""#,
    r#"tick","opened":true,"sha256":""#,
    r#"tick","opened":false,"sha256":""#,
    r#"tick","sha256":""#,
    r#"agree_all","opened":true,"sha256":""#,
    r#"agree_all","opened":false,"sha256":""#,
    r#"agree_all","sha256":""#,
    r#"","terms_and_conditions_id":"#,
    r#"}],"id":""#,
    r#"}],"continues":""#,
    r#"","id":""#,
    r#"","recorded_at":""#,
    r#"","locale":""#,
    r#"","market":""#,
    r#"","subject":""#,
    r#"","user_type":"APPLICANT","v":1}"#,
    r#"","user_type":"RIDER","v":1}"#,
    r#"{"app_sha256":""#,
    r#"","consents":[{"accepted":true,"consented_at":""#,
    r#"","consents":[{"accepted":false,"consented_at":""#,
];

/// Returns the packed form, or `None` if there is none or it is not shorter.
pub fn pack(text: &str) -> Option<String> {
    if !text.is_ascii() {
        return None;
    }
    let mut packed = String::with_capacity(text.len() / 2);
    packed.push(PACKED);
    let mut rest = text;
    while let Some(&first) = rest.as_bytes().first() {
        let length = pack_piece(rest, &mut packed).or_else(|| pack_digits(rest, &mut packed));
        let length = length.unwrap_or_else(|| {
            packed.push(char::from(first));
            1
        });
        rest = rest.get(length..)?;
    }
    (packed.len() < text.len()).then_some(packed)
}

/// Returns the text from which [`pack`] made this form, or `None` for any other text.
pub fn unpack(packed: &str) -> Option<String> {
    let mut rest = packed.strip_prefix(PACKED)?;
    let mut text = String::with_capacity(packed.len() * 4);
    while let Some(mark) = rest.chars().next() {
        rest = rest.get(mark.len_utf8()..)?;
        match mark {
            HASH => text.push_str(&hex_digits(&bytes::<32>(&mut rest)?)),
            UUID => push_uuid(&mut text, bytes(&mut rest)?),
            INSTANT => {
                let [a, b, c, d, e, f] = bytes(&mut rest)?;
                let millis = i64::from_be_bytes([0, 0, a, b, c, d, e, f]);
                text.push_str(&Instant::from_millis(millis).to_string());
            }
            _ if mark.is_ascii() => text.push(mark),
            _ => {
                let position = u32::from(mark).checked_sub(u32::from(FIRST_PIECE))?;
                text.push_str(PIECES.get(usize::try_from(position).ok()?)?);
            }
        }
    }
    (pack(&text).as_deref() == Some(packed)).then_some(text)
}

/// The pieces by their fourth byte, which distinguishes most of them; longest first.
static BY_FOURTH: LazyLock<[Vec<(char, &str)>; 128]> = LazyLock::new(|| {
    std::array::from_fn(|byte| {
        let pieces = (FIRST_PIECE..).zip(PIECES.iter().copied());
        let mut candidates: Vec<_> =
            pieces.filter(|(_, piece)| usize::from(piece.as_bytes()[3]) == byte).collect();
        candidates.sort_by_key(|(_, piece)| std::cmp::Reverse(piece.len()));
        candidates
    })
});

/// Packs the longest piece at the start of the text and returns its length.
fn pack_piece(rest: &str, packed: &mut String) -> Option<usize> {
    let fourth = usize::from(*rest.as_bytes().get(3)?);
    let candidates = BY_FOURTH.get(fourth)?;
    let (mark, piece) = candidates.iter().find(|(_, piece)| rest.starts_with(piece))?;
    packed.push(*mark);
    Some(piece.len())
}

/// Packs a hash, UUID or instant. Most texts do not begin with a hexadecimal digit and return
/// early.
fn pack_digits(rest: &str, packed: &mut String) -> Option<usize> {
    rest.get(..1).filter(|first| is_lower_hex(first))?;
    pack_hash(rest, packed)
        .or_else(|| pack_uuid(rest, packed))
        .or_else(|| pack_instant(rest, packed))
}

fn pack_hash(rest: &str, packed: &mut String) -> Option<usize> {
    let digits = rest.get(..64).filter(|digits| is_lower_hex(digits))?;
    let mut bytes = [0; 32];
    hex::decode_to_slice(digits, &mut bytes).ok()?;
    push(packed, HASH, &bytes);
    Some(64)
}

/// Positions of the groups of digits in a UUID.
const GROUPS: [(usize, usize); 5] = [(0, 8), (9, 13), (14, 18), (19, 23), (24, 36)];

fn pack_uuid(rest: &str, packed: &mut String) -> Option<usize> {
    let text = rest.get(..36)?;
    let mut bytes = [0; 16];
    let mut free = &mut bytes[..];
    for (from, to) in GROUPS {
        let group = text.get(from..to).filter(|group| is_lower_hex(group))?;
        if to < 36 && text.as_bytes().get(to) != Some(&b'-') {
            return None;
        }
        let (part, after) = free.split_at_mut_checked(group.len() / 2)?;
        hex::decode_to_slice(group, part).ok()?;
        free = after;
    }
    push(packed, UUID, &bytes);
    Some(36)
}

fn push_uuid(text: &mut String, bytes: [u8; 16]) {
    let digits = hex_digits(&bytes);
    let mut rest = digits.as_str();
    for (from, to) in GROUPS {
        if from > 0 {
            text.push('-');
        }
        let (group, after) = rest.split_at(to - from);
        text.push_str(group);
        rest = after;
    }
}

fn pack_instant(rest: &str, packed: &mut String) -> Option<usize> {
    let [0, 0, bytes @ ..] = Instant::parse_plain(rest.get(..24)?)?.millis().to_be_bytes() else {
        return None;
    };
    push(packed, INSTANT, &bytes);
    Some(24)
}

fn is_lower_hex(text: &str) -> bool {
    // `fold` does not stop at the first other byte, so that 16 bytes are compared at a time.
    text.bytes().fold(true, |all, byte| all & matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn push(packed: &mut String, mark: char, bytes: &[u8]) {
    packed.push(mark);
    URL_SAFE_NO_PAD.encode_string(bytes, packed);
}

/// Removes and decodes the base64url of `N` bytes at the start of the text.
fn bytes<const N: usize>(rest: &mut &str) -> Option<[u8; N]> {
    let (code, after) = rest.split_at_checked((N * 4).div_ceil(3))?;
    *rest = after;
    let mut bytes = [0; N];
    // `decode` estimates a slightly larger length than it writes.
    let decoded = URL_SAFE_NO_PAD.decode(code).ok()?;
    if decoded.len() != N {
        return None;
    }
    bytes.copy_from_slice(&decoded);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"{"consents":[{"accepted":true,"consented_at":"2026-01-02T09:30:00.000Z","evidence":"inferred","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","terms_and_conditions_id":1},{"accepted":true,"consented_at":"2026-01-02T09:30:00+05:30","evidence":"presented","last_page":3,"method":"agree_all","opened":true,"sha256":"60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752","terms_and_conditions_id":2},{"accepted":false,"consented_at":"2026-01-02T09:30:00.000Z","evidence":"inferred","sha256":"fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13","terms_and_conditions_id":3}],"id":"0193a6f2-7c00-7000-8000-00000000abcd","recorded_at":"2026-01-02T09:30:01.000Z","subject":"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae","user_type":"APPLICANT","v":1}"#;

    #[test]
    fn packs_an_entry_to_less_than_half_and_unpacks_it() {
        let packed = pack(ENTRY).expect("packs");
        assert!(packed.len() * 5 < ENTRY.len() * 2, "{} of {}", packed.len(), ENTRY.len());
        assert_eq!(unpack(&packed).as_deref(), Some(ENTRY));
    }

    #[test]
    fn every_text_unpacks_to_itself_or_is_not_packed() {
        let similar = [
            "",
            "a",
            &"a".repeat(63),
            &"a".repeat(200),
            &"A".repeat(64),
            "2026-01-02T09:30:00.000Z",
            "2026-01-02t09:30:00.000Z",
            "2026-01-02T24:30:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "0193a6f2-7c00-7000-8000-00000000abcd-",
            "0193a6f2-7c00-7000-8000-00000000abcD",
            "0193a6f2+7c00-7000-8000-00000000abcd",
            "\u{a1}\u{a2}",
            "é and \u{b0}",
        ];
        let cut = (0..ENTRY.len()).flat_map(|at| [&ENTRY[at..], &ENTRY[..at]]);
        for text in similar.into_iter().chain(cut) {
            if let Some(packed) = pack(text) {
                assert_eq!(unpack(&packed).as_deref(), Some(text), "{packed}");
            }
            assert_eq!(unpack(text), None, "only what was packed is unpacked: {text}");
        }
    }

    #[test]
    fn no_other_form_unpacks_to_the_same_text() {
        let packed = pack(ENTRY).expect("packs");
        let marks: Vec<char> = packed.chars().collect();
        for (at, changed) in (0..marks.len()).flat_map(|at| {
            let others = "A_z0\"\u{a1}\u{a2}\u{a3}\u{a4}\u{b0}\u{b5}\u{d0}\u{d1}\u{ff}".chars();
            others.map(move |other| (at, Some(other))).chain([(at, None)])
        }) {
            let mut other = marks.clone();
            match changed {
                Some(mark) => other[at] = mark,
                None => drop(other.remove(at)),
            }
            let other: String = other.into_iter().collect();
            if other != packed {
                assert_ne!(unpack(&other).as_deref(), Some(ENTRY), "{other}");
            }
        }
        // Forms that are valid but not packed completely: a hash in hex, and a piece letter by
        // letter.
        let (before, after) = ENTRY.split_at(46);
        assert_eq!(
            unpack(&format!("{PACKED}{before}{}", &pack(after).unwrap_or_default()[2..])),
            None
        );
    }

    #[test]
    fn the_format_does_not_change() {
        let text = r#"{"consents":[{"accepted":true,"consented_at":"1970-01-01T00:00:00.001Z"#;
        assert_eq!(pack(text).as_deref(), Some("\u{a1}\u{b0}\u{a4}AAAAAAAB"));
        assert_eq!(PIECES[28], r#"","user_type":"APPLICANT","v":1}"#);
        // The form in existing stores.
        let stored = "¡°¤AZt-Ct3A´¢n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCggÄ1²2026-01-02T09:30:00+05:30·3½Á¢YDA64iuZiGG847KPM-7BvnWKITyGyTwHbb6fVYwRx1IÄ2³¤AZt-Ct3A´¢_WGgOvT3fYcPwh4F5-gGeAlcktgIz7O1wnnuBMdKyhMÄ3Å£AZOm8nwAcACAAAAAAACrzQÈ¤AZt-CuGoË¢LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g-YpeiGJm564Ì";
        assert_eq!(pack(ENTRY).as_deref(), Some(stored));
    }

    #[test]
    fn each_piece_becomes_one_character() {
        for (piece, mark) in PIECES.iter().zip(FIRST_PIECE..) {
            // The text after the piece must not make it a longer piece.
            assert_eq!(pack(&format!("{piece}~")), Some(format!("{PACKED}{mark}~")), "{piece}");
        }
    }
}
