//! The reading text of a whole document: which paragraphs are headings, items or page furniture.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::glyphs::Glyph;
use super::marker::{self, Marker};
use super::paragraphs::{self, Paragraph, append_line};
use super::{Block, BlockKind, Line, lines};

/// Letters of a heading are at least this much larger than those of the text.
const HEADING_SIZE: f32 = 1.1;

/// Longer than this, large print is text in large print.
const HEADING_CHARS: usize = 160;

/// Running heads and page numbers stand in this share of the page, at its top and bottom.
const MARGIN: f32 = 0.09;

/// The paragraphs of one page.
pub(super) struct PageText(Vec<Paragraph>);

impl PageText {
    pub(super) fn of(glyphs: Vec<Glyph>) -> Self {
        Self(paragraphs::paragraphs(lines::rows(glyphs)))
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for paragraph in &self.0 {
            for (piece, text) in paragraph.pieces.iter().zip(paragraph.lines()) {
                let text = text.trim().to_owned();
                if text.is_empty() || piece.turned {
                    continue;
                }
                // From above the capitals to below the descenders, in nearly every font.
                lines.push(Line {
                    x: tenth(piece.left),
                    y: tenth(piece.baseline - 0.9 * piece.size),
                    width: tenth(piece.right - piece.left),
                    height: tenth(1.25 * piece.size),
                    text,
                    rtl: paragraph.rtl,
                });
            }
        }
        lines
    }
}

/// A tenth of a pixel is finer than anyone can select.
fn tenth(pixels: f32) -> f32 {
    (pixels * 10.0).round() / 10.0
}

pub(super) struct Reading {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
}

/// `pages` with the height of each.
pub(super) fn read(pages: &[(PageText, f32)]) -> Reading {
    let sizes = Sizes::of(pages);
    let repeated = repeated_margins(pages);
    let mut texts = Vec::with_capacity(pages.len());
    let mut blocks: Vec<Block> = Vec::new();
    for (number, (page, height)) in (1u32..).zip(pages) {
        let mut page_texts = Vec::new();
        let mut first_of_page = true;
        for paragraph in &page.0 {
            let text = paragraph.text();
            if text.is_empty() {
                continue;
            }
            page_texts.push(text.clone());
            let furniture = paragraph.furniture()
                || margin_key(paragraph, *height)
                    .is_some_and(|key| key.1.is_empty() || repeated.contains(&key));
            if furniture {
                continue;
            }
            let block = block(paragraph, text, number, &sizes);
            match blocks.last_mut().filter(|last| first_of_page && runs_over(last, &block)) {
                Some(last) => append_line(&mut last.text, &block.text),
                None => blocks.push(block),
            }
            first_of_page = false;
        }
        texts.push(page_texts.join("\n\n"));
    }
    let empty = texts.iter().all(String::is_empty);
    Reading { text: if empty { String::new() } else { texts.join("\u{C}") }, blocks }
}

fn block(paragraph: &Paragraph, text: String, page: u32, sizes: &Sizes) -> Block {
    let rtl = paragraph.rtl;
    if let Some(level) = sizes.heading_level(paragraph, &text) {
        return Block { page, kind: BlockKind::Heading { level }, text, rtl };
    }
    match marker::at_start(&text).filter(|_| !paragraph.cells) {
        Some((Marker::Bullet, length)) => {
            Block { page, kind: BlockKind::Item, text: text[length..].trim_start().to_owned(), rtl }
        }
        Some((Marker::Number, _)) => Block { page, kind: BlockKind::Item, text, rtl },
        None => Block { page, kind: BlockKind::Paragraph, text, rtl },
    }
}

/// Whether a sentence goes on over the page break.
fn runs_over(last: &Block, next: &Block) -> bool {
    let text = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Item);
    let open = !last.text.ends_with(['.', ':', ';', '!', '?', '؟', '۔', '»', '”', ')']);
    let goes_on = next.rtl || next.text.starts_with(char::is_lowercase);
    let divided = last.text.contains(" · ") || next.text.contains(" · ");
    text(last.kind)
        && next.kind == BlockKind::Paragraph
        && last.rtl == next.rtl
        && open
        && goes_on
        && !divided
}

/// Which sizes of print the document uses, in half pixels.
struct Sizes {
    body: f32,
    /// Larger ones that carry short paragraphs, largest first.
    headings: Vec<i32>,
}

fn half_pixels(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

impl Sizes {
    fn of(pages: &[(PageText, f32)]) -> Self {
        let mut letters: HashMap<i32, usize> = HashMap::new();
        let mut short: BTreeMap<i32, usize> = BTreeMap::new();
        for paragraph in pages.iter().flat_map(|(page, _)| &page.0).filter(|p| !p.furniture()) {
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
        Self { body, headings }
    }

    fn heading_level(&self, paragraph: &Paragraph, text: &str) -> Option<u8> {
        if paragraph.cells
            || text.chars().count() > HEADING_CHARS
            || !text.chars().any(char::is_alphabetic)
        {
            return None;
        }
        let size = paragraph.size();
        if size >= HEADING_SIZE * self.body {
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

/// The height, and the words there, numbers aside. Without words it is the number of the page.
type MarginKey = (i32, String);

fn margin_key(paragraph: &Paragraph, height: f32) -> Option<MarginKey> {
    let piece = paragraph.first().filter(|_| paragraph.pieces.len() <= 4)?;
    let inside = piece.baseline > MARGIN * height && piece.baseline < (1.0 - MARGIN) * height;
    let words: String = paragraph.text().chars().filter(|c| c.is_alphabetic()).collect();
    (!inside).then(|| ((piece.baseline / 3.0).round() as i32, words))
}

/// Running heads: lines in the margin of every fourth page, at least of three, since chapters have
/// their own.
fn repeated_margins(pages: &[(PageText, f32)]) -> HashSet<MarginKey> {
    let mut counts: HashMap<MarginKey, usize> = HashMap::new();
    for (page, height) in pages {
        let on_page: HashSet<MarginKey> =
            page.0.iter().filter_map(|p| margin_key(p, *height)).collect();
        for key in on_page {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count >= 3.max(pages.len() / 4))
        .map(|(key, _)| key)
        .collect()
}
