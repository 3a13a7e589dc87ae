//! Widths and encoding of Helvetica, for text that a PDF stores as a value and does not draw.

use unicode_normalization::UnicodeNormalization as _;

/// Widths from the space to the tilde, in thousandths of the font size (Adobe's published metrics).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Windows-1252 from 0x80 to 0x9F; a blank is an unused position.
const UPPER: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// Returns the byte of a letter in WinAnsiEncoding, or `None` if the font does not have it.
pub(super) fn encoded(letter: char) -> Option<u8> {
    match letter {
        ' '..='~' => u8::try_from(letter).ok(),
        '\u{A0}'..='\u{FF}' => u8::try_from(letter).ok(),
        _ => {
            let index = UPPER.chars().position(|candidate| candidate == letter)?;
            u8::try_from(0x80 + index).ok()
        }
    }
}

fn letter_width(letter: char) -> u16 {
    // An accent does not make a letter wider.
    let base = letter.nfd().next().unwrap_or(letter);
    let index = u32::from(base).checked_sub(0x20).and_then(|index| usize::try_from(index).ok());
    match base {
        '…' | '—' | '‰' | '™' | 'Œ' | 'Æ' => 1000,
        'œ' => 944,
        'æ' => 889,
        'Ø' => 778,
        'Ð' => 722,
        'Þ' => 667,
        'ß' | 'ø' => 611,
        _ => index.and_then(|index| WIDTHS.get(index)).copied().unwrap_or(556),
    }
}

/// Returns the width of one line, in units of text space.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| f64::from(letter_width(letter))).sum::<f64>() * size / 1000.0
}

/// Returns a string for a content stream, or `None` if a letter cannot be encoded.
pub(super) fn literal(text: &str) -> Option<Vec<u8>> {
    let mut written = b"<".to_vec();
    for letter in text.chars() {
        written.extend(format!("{:02x}", encoded(letter)?).bytes());
    }
    written.push(b'>');
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_bytes_and_widths() {
        let bytes = ['A', 'é', '€', 'Ÿ', '–'].map(encoded);
        assert_eq!(bytes, [Some(0x41), Some(0xE9), Some(0x80), Some(0x9F), Some(0x96)]);
        assert_eq!(['ر', '中', '\n', 'ł'].map(encoded), [None; 4]);
        assert!((width("Aé", 10.0) - 12.23).abs() < 1e-9);
        assert!((width("æøß", 10.0) - 21.11).abs() < 1e-9);
        assert_eq!(literal("a)"), Some(b"<6129>".to_vec()));
        assert_eq!(UPPER.chars().count(), 32);
    }
}
