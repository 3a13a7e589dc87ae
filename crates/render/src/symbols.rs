//! The letters of symbol fonts, whose codes many files name as letters of other alphabets or as
//! private characters.

/// A font of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbols {
    Wingdings,
    Wingdings2,
    Symbol,
    Dingbats,
    Webdings,
}

impl Symbols {
    /// Recognises a font by its name, without the prefix of a subset.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.split_once('+').map_or(name, |(_, name)| name);
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        match name.to_ascii_lowercase().as_str() {
            "wingdings" | "wingdingsregular" => Some(Self::Wingdings),
            "wingdings2" | "wingdings2regular" => Some(Self::Wingdings2),
            "webdings" | "webdingsregular" => Some(Self::Webdings),
            "symbol" | "symbolmt" => Some(Self::Symbol),
            "zapfdingbats" | "dingbats" => Some(Self::Dingbats),
            _ => None,
        }
    }

    /// Returns the text of a code, or `None` if there is no character for it.
    pub(super) fn text(self, code: u8) -> Option<&'static str> {
        let table: &[(u8, &str)] = match self {
            Self::Wingdings => &WINGDINGS,
            Self::Wingdings2 => &WINGDINGS_2,
            Self::Webdings => &WEBDINGS,
            Self::Symbol => &SYMBOL,
            Self::Dingbats => &DINGBATS,
        };
        table.iter().find(|(other, _)| *other == code).map(|(_, text)| *text)
    }
}

/// Returns the text of a glyph whose character means a symbol.
pub(super) fn read(letters: &str, symbols: Option<Symbols>) -> Option<&'static str> {
    let mut letters = letters.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    match symbols {
        Some(symbols) => {
            code(letter).and_then(|code| symbols.text(code)).or_else(|| bullet(letter))
        }
        None => bullet(letter),
    }
}

/// Returns the code of a glyph of a symbol font, from the character that the file names: a private
/// one, or the one that the code has in Windows' Latin alphabet.
fn code(letter: char) -> Option<u8> {
    match u32::from(letter) {
        private @ 0xF020..=0xF0FF => u8::try_from(private - 0xF000).ok(),
        latin @ (0x20..=0x7E | 0xA0..=0xFF) => u8::try_from(latin).ok(),
        _ => LATIN.iter().find(|(other, _)| *other == letter).map(|(_, code)| *code),
    }
}

pub(super) const fn is_private(letter: char) -> bool {
    matches!(letter, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFD}')
}

/// Private characters that programs write for bullets of symbol fonts that they do not name.
const fn bullet(letter: char) -> Option<&'static str> {
    match letter {
        '\u{F0B7}' => Some("•"),
        '\u{F0A7}' => Some("▪"),
        '\u{F0D8}' => Some("➢"),
        '\u{F0E0}' => Some("→"),
        '\u{F0FC}' => Some("✓"),
        '\u{F0FE}' => Some("☑"),
        '\u{F0FD}' => Some("☒"),
        '\u{F0FB}' => Some("✗"),
        '\u{F0A8}' => Some("☐"),
        _ => None,
    }
}

/// Characters of Windows' Latin alphabet from 0x80 to 0x9F.
const LATIN: [(char, u8); 27] = [
    ('€', 0x80),
    ('‚', 0x82),
    ('ƒ', 0x83),
    ('„', 0x84),
    ('…', 0x85),
    ('†', 0x86),
    ('‡', 0x87),
    ('ˆ', 0x88),
    ('‰', 0x89),
    ('Š', 0x8A),
    ('‹', 0x8B),
    ('Œ', 0x8C),
    ('Ž', 0x8E),
    ('‘', 0x91),
    ('’', 0x92),
    ('“', 0x93),
    ('”', 0x94),
    ('•', 0x95),
    ('–', 0x96),
    ('—', 0x97),
    ('˜', 0x98),
    ('™', 0x99),
    ('š', 0x9A),
    ('›', 0x9B),
    ('œ', 0x9C),
    ('ž', 0x9E),
    ('Ÿ', 0x9F),
];

const WINGDINGS: [(u8, &str); 39] = [
    (0x20, " "),
    (0x22, "✂"),
    (0x28, "☎"),
    (0x29, "✆"),
    (0x2A, "✉"),
    (0x36, "⌛"),
    (0x41, "✌"),
    (0x45, "☜"),
    (0x46, "☞"),
    (0x47, "☝"),
    (0x48, "☟"),
    (0x4A, "☺"),
    (0x4C, "☹"),
    (0x6C, "●"),
    (0x6D, "❍"),
    (0x6E, "■"),
    (0x6F, "☐"),
    (0x70, "☐"),
    (0x71, "❑"),
    (0x72, "❒"),
    (0x73, "⬧"),
    (0x74, "⧫"),
    (0x75, "◆"),
    (0x76, "❖"),
    (0x77, "⬥"),
    (0x9F, "•"),
    (0xA7, "▪"),
    (0xA8, "☐"),
    (0xAB, "★"),
    (0xD8, "➢"),
    (0xDF, "←"),
    (0xE0, "→"),
    (0xE1, "↑"),
    (0xE2, "↓"),
    (0xF0, "⇨"),
    (0xFB, "✗"),
    (0xFC, "✓"),
    (0xFD, "☒"),
    (0xFE, "☑"),
];

const WINGDINGS_2: [(u8, &str); 9] = [
    (0x20, " "),
    (0x4F, "✗"),
    (0x50, "✓"),
    (0x51, "☒"),
    (0x52, "☑"),
    (0x53, "☒"),
    (0x54, "☒"),
    (0xA3, "☐"),
    (0x97, "●"),
];

const WEBDINGS: [(u8, &str); 5] = [(0x20, " "), (0x61, "✓"), (0x63, "☐"), (0x67, "■"), (0x72, "✗")];

const DINGBATS: [(u8, &str); 21] = [
    (0x20, " "),
    (0x25, "☎"),
    (0x29, "✉"),
    (0x33, "✓"),
    (0x34, "✔"),
    (0x35, "✕"),
    (0x36, "✖"),
    (0x37, "✗"),
    (0x38, "✘"),
    (0x48, "★"),
    (0x6C, "●"),
    (0x6D, "❍"),
    (0x6E, "■"),
    (0x6F, "❏"),
    (0x70, "❐"),
    (0x71, "❑"),
    (0x72, "❒"),
    (0x73, "▲"),
    (0x75, "◆"),
    (0x76, "❖"),
    (0xD4, "➔"),
];

const SYMBOL: [(u8, &str); 12] = [
    (0x20, " "),
    (0x2D, "−"),
    (0xA0, "€"),
    (0xA3, "≤"),
    (0xAE, "→"),
    (0xB0, "°"),
    (0xB1, "±"),
    (0xB3, "≥"),
    (0xB4, "×"),
    (0xB7, "•"),
    (0xB9, "≠"),
    (0xA7, "♣"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_wingdings_have_their_characters() {
        let wingdings = Symbols::of("ABCDEF+Wingdings-Regular").unwrap();
        let read = |letter| code(letter).and_then(|code| wingdings.text(code));
        for (empty, ticked, tick) in [('¨', 'þ', 'ü'), ('\u{F0A8}', '\u{F0FE}', '\u{F0FC}')] {
            assert_eq!([read(empty), read(ticked), read(tick)], [Some("☐"), Some("☑"), Some("✓")]);
        }
        assert_eq!(read('a'), None);
        assert_eq!(Symbols::of("Helvetica"), None);
    }
}
