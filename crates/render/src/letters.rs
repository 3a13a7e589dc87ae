//! The letters of glyphs.

use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::UnicodeNormalization as _;

/// Returns whether a text has the same letters and digits as the drawn ones. Right-to-left letters
/// may be drawn from the left, and each part of a letter with its marks may have the text of the
/// whole.
pub(super) fn has_same_letters(actual: &str, drawn: &[&str]) -> bool {
    let letters = |text: &str| -> String {
        // Marks are ignored, because each has the text of some letter with the mark.
        let is_mark = |letter| bidi_class(letter) == BidiClass::NSM;
        text.nfkc().filter(|letter| letter.is_alphanumeric() && !is_mark(*letter)).collect()
    };
    let all = letters(&drawn.concat());
    let actual = letters(actual);
    let from_right = |letter| matches!(bidi_class(letter), BidiClass::R | BidiClass::AL);
    actual == all
        || drawn.iter().all(|part| letters(part) == actual)
        || actual.chars().all(from_right) && actual.chars().eq(all.chars().rev())
}

/// Returns letters as a person would type them. Control characters are removed, and presentation
/// forms (a ligature, the four forms of an Arabic letter) are replaced by their letters. Everything
/// else is kept, including characters that NFKC would change (², ½, ™), because the exact wording
/// matters in a contract.
pub(super) fn clean(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        match letter {
            '\u{A0}' | '\t' | '\n' | '\r' => text.push(' '),
            '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {}
            '\u{FFFD}' | '\u{FEFF}' => {}
            '\u{FB00}'..='\u{FB4F}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
                text.extend(std::iter::once(letter).nfkc());
            }
            _ if letter.is_control() => {}
            _ => text.push(letter),
        }
    }
    text
}
