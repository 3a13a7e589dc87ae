//! Which paragraphs of a document are headings, by the sizes of its print.

use std::collections::{BTreeMap, HashMap};

use super::paragraphs::Paragraph;
use super::tags::Role;

/// Letters of a heading are at least this much larger than those of the text.
const HEADING_SIZE: f32 = 1.1;

/// Where the tags of a document name its headings, only what is this much larger is another one.
const UNTAGGED_HEADING_SIZE: f32 = 1.5;

/// A sentence in print that is only a little larger is the lead of a chapter.
const LEAD_SIZE: f32 = 1.25;

/// Letters of a footnote are at most this large beside those of the text.
const NOTE_SIZE: f32 = 0.9;

/// Longer than this, large print is text in large print.
const HEADING_CHARS: usize = 160;

/// Which sizes of print the document uses, in half pixels.
pub(super) struct Sizes {
    body: f32,
    /// Larger ones that carry short paragraphs, largest first.
    headings: Vec<i32>,
    /// The tags of the document name headings.
    tagged: bool,
}

fn half_pixels(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

impl Sizes {
    pub(super) fn of<'p>(paragraphs: impl Iterator<Item = &'p Paragraph>) -> Self {
        let mut letters: HashMap<i32, usize> = HashMap::new();
        let mut short: BTreeMap<i32, usize> = BTreeMap::new();
        let mut tagged = false;
        for paragraph in paragraphs.filter(|paragraph| !paragraph.furniture()) {
            tagged |= paragraph.tagged.is_some_and(|leaf| matches!(leaf.role, Role::Heading(_)));
            let count: usize = paragraph
                .pieces
                .iter()
                .flat_map(|piece| &piece.clusters)
                .map(|c| c.text.len())
                .sum();
            let size = half_pixels(paragraph.size());
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
        // One style, measured on two pages, may differ by a rounding.
        headings.dedup_by(|smaller, larger| *larger - *smaller <= 1);
        Self { body, headings, tagged }
    }

    /// Whether it is set like a footnote.
    pub(super) fn is_note(&self, paragraph: &Paragraph) -> bool {
        paragraph.size() <= NOTE_SIZE * self.body
    }

    pub(super) fn heading_level(&self, paragraph: &Paragraph, text: &str) -> Option<u8> {
        if paragraph.cells
            || !paragraph.rows.is_empty()
            || paragraph.label.is_some()
            || text.chars().count() > HEADING_CHARS
            || !text.chars().any(char::is_alphabetic)
        {
            return None;
        }
        let size = paragraph.size();
        let least = match paragraph.tagged {
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
        let label = paragraph.bold() && paragraph.pieces.len() <= 2 && size >= 0.95 * self.body;
        let level = (self.headings.len() + 1).min(3) as u8;
        (label && !text.ends_with(['.', ',', ';'])).then_some(level)
    }
}

/// Whether it ends as a sentence does, and is more than "1. Scope."
fn is_sentence(text: &str) -> bool {
    let ended = text.trim_end().ends_with(['.', '!', '?', '\u{61F}', '\u{6D4}', '\u{964}']);
    ended && text.split_whitespace().count() > 4
}
