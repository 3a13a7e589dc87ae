//! Determines which paragraphs of a document are headings, by their font sizes.

use std::collections::{BTreeMap, HashMap};

use super::passage::Passage;
use super::tags::Role;

/// Minimum font size of a heading, relative to the text.
const HEADING_SIZE: f32 = 1.1;

/// This limit in a document whose tags name headings: other headings must be much larger.
const UNTAGGED_HEADING_SIZE: f32 = 1.5;

/// Minimum font size of a heading that is a sentence. Slightly larger sentences introduce a
/// chapter.
const LEAD_SIZE: f32 = 1.25;

/// Maximum font size of a footnote, relative to the text.
const NOTE_SIZE: f32 = 0.9;

/// Maximum length of a heading. Longer text in a large font is not a heading.
const HEADING_CHARS: usize = 160;

/// The font sizes of the document, in half pixels.
pub(super) struct Sizes {
    body: f32,
    /// Larger sizes that are used for short paragraphs, largest first.
    headings: Vec<i32>,
    /// Whether the tags of the document name headings.
    tagged: bool,
}

fn half_pixels(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

impl Sizes {
    pub(super) fn of<'p>(passages: impl Iterator<Item = &'p Passage>) -> Self {
        let mut letters: HashMap<i32, usize> = HashMap::new();
        let mut short: BTreeMap<i32, usize> = BTreeMap::new();
        let mut tagged = false;
        for passage in passages.filter(|passage| !passage.furniture) {
            tagged |= passage.tagged.is_some_and(|leaf| matches!(leaf.role, Role::Heading(_)));
            let count = passage.letter_bytes;
            let size = half_pixels(passage.size);
            *letters.entry(size).or_default() += count;
            if count <= 2 * HEADING_CHARS {
                *short.entry(size).or_default() += 1;
            }
        }
        let body = letters
            .iter()
            .max_by_key(|(size, count)| (**count, **size))
            .map_or(0, |(size, _)| *size);
        let body = body as f32 / 2.0;
        let is_heading = |size: &i32| *size as f32 / 2.0 >= HEADING_SIZE * body;
        let mut headings: Vec<i32> = short.into_keys().rev().filter(is_heading).collect();
        // One style may be measured differently on two pages because of rounding.
        headings.dedup_by(|smaller, larger| *larger - *smaller <= 1);
        Self { body, headings, tagged }
    }

    /// Returns whether the passage has the size of a footnote.
    pub(super) fn is_note(&self, passage: &Passage) -> bool {
        passage.size <= NOTE_SIZE * self.body
    }

    pub(super) fn heading_level(&self, passage: &Passage, text: &str) -> Option<u8> {
        if passage.cells
            || !passage.rows.is_empty()
            || passage.label.is_some()
            || text.chars().count() > HEADING_CHARS
            || !text.chars().any(char::is_alphabetic)
        {
            return None;
        }
        let size = passage.size;
        let least = match passage.tagged {
            Some(_) if self.tagged => UNTAGGED_HEADING_SIZE,
            _ if is_sentence(text) => LEAD_SIZE,
            _ => HEADING_SIZE,
        };
        if size >= least * self.body {
            let rank = self
                .headings
                .iter()
                .take_while(|heading| **heading > half_pixels(size) + 1)
                .count();
            return Some((rank + 1).min(3) as u8);
        }
        let label = passage.bold && passage.pieces <= 2 && size >= 0.95 * self.body;
        let level = (self.headings.len() + 1).min(3) as u8;
        (label && !text.ends_with(['.', ',', ';'])).then_some(level)
    }
}

/// Returns whether the text ends like a sentence and is longer than "1. Scope."
fn is_sentence(text: &str) -> bool {
    let has_end = text.trim_end().ends_with(['.', '!', '?', '\u{61F}', '\u{6D4}', '\u{964}']);
    has_end && text.split_whitespace().count() > 4
}
