//! The normal form of text that people type or paste: invisible characters, digits of other scripts and
//! compatibility forms make no difference.

use unicode_normalization::UnicodeNormalization as _;

/// The character zero of each script with decimal digits; the other nine follow it. Full-width digits are
/// normalised by NFKC.
const ZEROS: [char; 36] = [
    '0', '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
    '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}',
    '\u{1040}', '\u{1090}', '\u{17e0}', '\u{1810}', '\u{1946}', '\u{19d0}', '\u{1a80}', '\u{1a90}',
    '\u{1b50}', '\u{1bb0}', '\u{1c40}', '\u{1c50}', '\u{a620}', '\u{a8d0}', '\u{a900}', '\u{a9d0}',
    '\u{a9f0}', '\u{aa50}', '\u{abf0}',
];

/// Whether a character is invisible by itself (Unicode's `Default_Ignorable_Code_Point`, and the marks of
/// interlinear annotations).
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a reader would see nothing: only spaces and invisible characters, or no character.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Whether an identifier has its only form: NFKC, and no invisible character. Two identifiers of this form that look
/// the same are the same, except for letters of different scripts.
pub fn is_normal(text: &str) -> bool {
    text.is_ascii() || (!text.contains(is_invisible) && text.nfkc().eq(text.chars()))
}

/// Returns a name in NFKC without invisible characters. Joiners (U+200C, U+200D) stay: Persian and Indic names and
/// emoji need them.
pub fn normal_name(text: &str) -> String {
    let is_joiner = |c| matches!(c, '\u{200c}' | '\u{200d}');
    let visible = |c: &char| is_joiner(*c) || !is_invisible(*c);
    text.nfkc().filter(visible).collect::<String>().trim().to_owned()
}

/// Returns text in NFKC without invisible characters, with ASCII digits, hyphens and spaces.
pub fn normal_input(text: &str) -> String {
    let characters = text.nfkc().filter(|c| !is_invisible(*c)).map(|c| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c if c.is_whitespace() => ' ',
        c => ascii_digit(c).unwrap_or(c),
    });
    characters.collect::<String>().trim().to_owned()
}

/// Returns the ASCII digit of the same value, for a decimal digit of any script.
fn ascii_digit(c: char) -> Option<char> {
    ZEROS.iter().find_map(|&zero| {
        let value = u32::from(c).checked_sub(u32::from(zero)).filter(|value| *value < 10)?;
        char::from_digit(value, 10)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_visible_characters_is_blank() {
        for text in ["", " ", "\u{a0}\t\n", "\u{200b}\u{feff} "] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["x", " 7 ", "\u{200b}é", "."] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn reads_digits_of_every_script() {
        for zero in ZEROS {
            let digits: String =
                (0..10).filter_map(|value| char::from_u32(u32::from(zero) + value)).collect();
            assert_eq!(normal_input(&digits), "0123456789", "{digits}");
        }
        assert_eq!(normal_input("０１２３４５６７８９"), "0123456789");
    }

    #[test]
    fn removes_what_cannot_be_seen() {
        for invisible in ['\u{ad}', '\u{200b}', '\u{200e}', '\u{202a}', '\u{2060}', '\u{feff}'] {
            let text = format!("{invisible}r{invisible}1");
            assert_eq!(normal_input(&text), "r1", "{text:?}");
            assert_eq!(normal_name(&text), "r1", "{text:?}");
            assert!(!is_normal(&text), "{text:?}");
        }
        assert_eq!(normal_input("555\u{2011}01\u{a0}01 "), "555-01 01");
        assert_eq!(normal_name("می\u{200c}روم"), "می\u{200c}روم");
    }

    #[test]
    fn an_identifier_has_one_form() {
        for normal in ["r-1", "ü", "курьер", "山田", "a b"] {
            assert!(is_normal(normal), "{normal}");
        }
        for other in ["u\u{308}", "ｒ１", "ﬁ", "r\u{200b}", "r\u{fe0f}"] {
            assert!(!is_normal(other), "{other:?}");
        }
    }
}
