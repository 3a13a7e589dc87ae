//! What a page shows: sentences and rows of tables, each with at most one mark.

use super::random::Random;

/// What happens to a word on the page. Its sentence then says something else than its words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    None,
    /// A rule through it.
    Struck,
    /// Dashes through it.
    Dashed,
    /// A slanted line through it.
    Slanted,
    /// A wave through it.
    Wave,
    /// Two lines that cross on it.
    Crossed,
    /// Typed hyphens over it.
    Typed,
    /// An annotation that strikes it out, with an appearance.
    StrikeOut,
    /// White paint over it.
    Covered,
    /// White paint over it, and another word typed in its place.
    Retyped,
    /// A black bar over it.
    Bar,
    /// A square annotation with an interior colour over it.
    Square,
    /// Drawn as a picture.
    Picture,
    /// Drawn as outlines.
    Outlined,
    /// A drawn point in it.
    Point,
    /// An empty box before its sentence.
    Box,
    /// A ticked box before its sentence.
    Ticked,
    /// A raised number after it, which Unicode has.
    Raised(char),
    /// A raised *st* after it.
    Ordinal,
    /// A lowered number after it.
    Lowered,
    /// A box of a form before its sentence.
    Field(bool),
}

const UNSAID: [Mark; 16] = [
    Mark::Struck,
    Mark::Dashed,
    Mark::Slanted,
    Mark::Wave,
    Mark::Crossed,
    Mark::Typed,
    Mark::StrikeOut,
    Mark::Covered,
    Mark::Retyped,
    Mark::Bar,
    Mark::Square,
    Mark::Picture,
    Mark::Outlined,
    Mark::Point,
    Mark::Box,
    Mark::Ticked,
];

impl Mark {
    /// Returns the mark of a sentence, on a page where so many per cent of the sentences have one.
    fn random(random: &mut Random, percent: u64) -> Self {
        if random.is(percent) {
            return random.one(&UNSAID);
        }
        match random.below(100) {
            0..15 => Self::Raised(random.one(&['1', '2', '3'])),
            15..18 => Self::Ordinal,
            18..21 => Self::Lowered,
            21..27 => Self::Field(random.is(50)),
            _ => Self::None,
        }
    }

    /// Returns whether it is drawn before its sentence.
    pub(super) fn is_before(self) -> bool {
        matches!(self, Self::Box | Self::Ticked | Self::Field(_))
    }
}

/// How a sentence is set. It says the same in each way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Look {
    Plain,
    /// On a tint.
    Tinted,
    /// In a frame.
    Framed,
    /// Its first line is underlined.
    Underlined,
    /// A drawn bullet before it.
    Bullet,
    /// An annotation of a highlighter over its first line.
    Highlighted,
    /// On a layer that is on.
    Layer,
    /// On a layer that is off: no page shows it.
    LayerOff,
    /// In a transparency group.
    Group,
    /// A slanted font and words of other sizes.
    Spans,
}

const LOOKS: [Look; 9] = [
    Look::Tinted,
    Look::Framed,
    Look::Underlined,
    Look::Bullet,
    Look::Highlighted,
    Look::Layer,
    Look::LayerOff,
    Look::Group,
    Look::Spans,
];

/// Endings with the letters of twelve languages that Helvetica has: Danish, Dutch, English, Finnish,
/// French, German, Icelandic, Italian, Norwegian, Portuguese, Spanish, Swedish.
const ENDS: [&[&str]; 12] = [
    &["gæde", "løb", "måt"],
    &["ijst", "één", "oever"],
    &["dan", "mir", "lotes", "rig", "vanu", "pek", "stol", "quint", "hama", "zod"],
    &["yksä", "töin", "aaltå"],
    &["été", "çon", "où", "œuf", "naïf"],
    &["über", "straße", "höh", "wänd"],
    &["ðir", "þing", "fýsk", "hús"],
    &["città", "però", "più"],
    &["skjær", "brød", "gård"],
    &["ção", "mãe", "avô"],
    &["año", "niñez", "según"],
    &["ång", "väx", "grön"],
];

/// A sentence, which is a paragraph, or a row of a table, whose words are its cells.
pub(super) struct Sentence {
    pub(super) words: Vec<String>,
    /// The mark of one word.
    pub(super) mark: (usize, Mark),
    pub(super) look: Look,
    pub(super) is_row: bool,
}

impl Sentence {
    pub(super) fn random(random: &mut Random, number: usize, percent: u64) -> Self {
        let count = 4 + random.below(22) as usize;
        let language = random.one(&ENDS);
        let mut words: Vec<String> =
            (0..count).map(|at| word(random, language, number, at)).collect();
        for (at, word) in words.iter_mut().enumerate().skip(1) {
            *word = word.to_lowercase();
            if at == 1 && random.is(30) {
                word.push('-');
                word.push_str(random.one(language));
            }
        }
        let end = words.len() - 1;
        words[end].push('.');
        let mark = (random.below(count as u64) as usize, Mark::random(random, percent));
        let is_plain = mark.1 == Mark::None;
        let look = if is_plain && random.is(30) { random.one(&LOOKS) } else { Look::Plain };
        Self { words, mark, look, is_row: false }
    }

    /// Returns a row of a table. Its marks are those that do not move the words after them.
    pub(super) fn row(random: &mut Random, number: usize, columns: usize, percent: u64) -> Self {
        let language = random.one(&ENDS);
        let words = (0..columns).map(|at| word(random, language, number, at)).collect();
        let mark = if random.is(percent) { random.one(&UNSAID[..12]) } else { Mark::None };
        let marked = random.below(columns as u64) as usize;
        Self { words, mark: (marked, mark), look: Look::Plain, is_row: true }
    }

    pub(super) fn marked_word(&self) -> &str {
        &self.words[self.mark.0]
    }

    /// Returns the text as it is meant, or `None` if it cannot be said.
    pub(super) fn right(&self) -> Option<String> {
        let (marked, mark) = self.mark;
        let mut words = self.words.clone();
        match mark {
            Mark::None if self.look == Look::LayerOff => return None,
            Mark::None => {}
            Mark::Raised(digit) => {
                words[marked].push(['¹', '²', '³'][digit as usize - '1' as usize]);
            }
            Mark::Ordinal => words[marked].push_str("ˢᵗ"),
            Mark::Lowered => words[marked].push('₂'),
            Mark::Field(is_ticked) => words.insert(0, if is_ticked { "☑" } else { "☐" }.to_owned()),
            _ => return None,
        }
        Some(words.join(if self.is_row { " · " } else { " " }))
    }

    /// Returns whether a reader must find it in the text, unless its neighbour has a mark.
    pub(super) fn is_plain(&self) -> bool {
        self.right().is_some()
    }
}

/// Returns a word that is on the page once: it has the letters of its number.
fn word(random: &mut Random, ends: &[&str], number: usize, at: usize) -> String {
    const STARTS: [&str; 8] = ["Ka", "Mo", "Te", "Ru", "Si", "Bel", "Nor", "Fa"];
    let letter = |digit: u8| char::from(b'a' + digit - b'0');
    let unique: String = format!("{number:02}{at:02}").bytes().map(letter).collect();
    format!("{}{}{unique}", random.one(&STARTS), random.one(ends))
}
