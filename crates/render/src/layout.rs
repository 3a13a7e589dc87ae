//! Assembles the reading text of a whole document from its pages: headings, items, tables, figures
//! and footnotes, and warnings where it may differ from the page.

use std::collections::HashSet;

use hayro::kurbo::Rect;

use super::blocks::{Area, Block, BlockKind, Doubt, DoubtKind};
use super::compose;
use super::composed::Figure;
use super::glyphs::{Glyph, Glyphs};
use super::headings::Sizes;
use super::margins::{MARGIN, Margin, Margins};
use super::marker::{self, Marker};
use super::paragraphs::{self, Paragraph, append_line};
use super::passage::{PagePassages, Passage};
use super::piece::Piece;
use super::placing::{self, Placed, is_mark, place_figures, tenth};
use super::sight::Sight;
use super::tags::{Role, Tags};
use super::{Line, lines, words};

/// Footnotes are below this fraction of the page.
const NOTES_BELOW: f64 = 0.5;

/// Number of levels of headings. Deeper ones look like text.
const LEVELS: u8 = 5;

/// Maximum depth of lists. Deeper lists are displayed like the last level.
const DEPTH_MAX: u8 = 6;

/// The text of one page.
pub(super) struct PageText {
    /// All text in the order in which it is drawn.
    text: String,
    /// The lines of this text, for selection over the page image.
    lines: Vec<Line>,
    reading: PagePassages,
    /// The parts that are cut out of the page.
    cuts: Vec<Area>,
    height: f32,
}

impl PageText {
    pub(super) fn of(
        glyphs: Glyphs,
        index: usize,
        size: [f32; 2],
        tags: &Tags,
        sight: Sight,
    ) -> Self {
        let (text, lines) = drawn_text(glyphs.named.clone());
        let [_, height] = size;
        let page = compose::Page { index, height, tags, sight: &sight };
        let reading = PagePassages::from(compose::compose(glyphs, &page));
        let cuts = reading.cuts(size);
        Self { text, lines, reading, cuts, height }
    }

    /// Returns the parts that are cut out of the page. [`Block::cut`] is an index of them.
    pub(super) fn cuts(&self) -> &[Area] {
        &self.cuts
    }

    /// Takes the lines, which assembling does not need.
    pub(super) fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }
}

fn drawn_text(letters: Vec<Glyph>) -> (String, Vec<Line>) {
    let drawn = paragraphs::paragraphs(lines::rows(letters));
    let texts: Vec<String> =
        drawn.iter().map(Paragraph::text).filter(|text| !text.is_empty()).collect();
    (texts.join("\n\n"), lines_of(&drawn))
}

/// Returns the lines of letters, in the order in which they are drawn.
pub(super) fn drawn_lines(letters: Vec<Glyph>) -> Vec<Line> {
    lines_of(&paragraphs::paragraphs(lines::rows(letters)))
}

fn lines_of(paragraphs: &[Paragraph]) -> Vec<Line> {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        for (piece, text) in paragraph.pieces.iter().zip(paragraph.lines()) {
            let text = text.trim().to_owned();
            if text.is_empty() || piece.turned {
                continue;
            }
            // From above the capital letters to below the descenders, in nearly all fonts.
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

pub(super) struct Reading {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
    pub(super) doubts: Vec<Doubt>,
}

pub(super) fn read(pages: &[PageText]) -> Reading {
    let texts: Vec<&str> = pages.iter().map(|page| page.text.as_str()).collect();
    let empty = texts.iter().all(|text| text.is_empty());
    let text = if empty { String::new() } else { texts.join("\u{C}") };
    let mut margins = Margins::default();
    for page in pages {
        margins.count(&page.reading.passages, page.height);
    }
    let sizes = Sizes::of(pages.iter().flat_map(|page| &page.reading.passages));
    let mut reader = Reader {
        sizes,
        margins,
        blocks: Vec::new(),
        doubts: Vec::new(),
        frames: 0,
        item: 0,
        indents: Vec::new(),
        marks: HashSet::new(),
    };
    for (number, page) in (1..).zip(pages) {
        reader.page(number, page);
    }
    Reading { text, blocks: reader.blocks, doubts: reader.doubts }
}

struct Reader {
    sizes: Sizes,
    margins: Margins,
    blocks: Vec<Block>,
    doubts: Vec<Doubt>,
    frames: u32,
    /// The last item of the tags that was started.
    item: u32,
    /// Indents of the lists around an untagged item.
    indents: Vec<f32>,
    /// Figures without text in a margin, by their edges and their hash.
    marks: HashSet<([i32; 4], u64)>,
}

impl Reader {
    fn page(&mut self, number: u32, page: &PageText) {
        let PagePassages { passages, figures, frames, doubts, words } = &page.reading;
        let height = page.height;
        let mut reading_text = String::new();
        let mut set: Vec<Placed> = Vec::new();
        let mut heads: Vec<Rect> = Vec::new();
        let notes = self.notes_from(passages, height);
        let outermost = self.margins.outermost(passages, number, height);
        for (at, passage) in passages.iter().enumerate() {
            let text = &passage.text;
            if text.trim().is_empty() {
                continue;
            }
            let margin = self.margins.judge(passage, number, height, outermost[at]);
            if margin != Margin::Text {
                heads.extend(passage.first.as_ref().map(Piece::area));
            }
            if let Some(area) = passage.marked {
                reading_text.push_str(text);
                reading_text.push('\n');
                set.push(placing::marked(area, number, passage.rtl));
                continue;
            }
            let mut block = match margin {
                Margin::Repeated => {
                    reading_text.push_str(text);
                    reading_text.push('\n');
                    continue;
                }
                Margin::First => {
                    Block { kind: BlockKind::Margin, text: text.clone(), ..Block::default() }
                }
                Margin::Text => self.block(passage, without_leaders(text.clone()), at >= notes),
            };
            (block.page, block.rtl) = (number, passage.rtl);
            set.push(Placed { block, area: passage.area });
        }
        self.frame(&mut set, frames);
        let is_shown = |figure: &&Figure| !is_mark(figure, &heads) && self.is_new(figure, height);
        let new: Vec<&Figure> = figures.iter().filter(is_shown).collect();
        for figure in figures {
            reading_text.push_str(&figure.text);
            reading_text.push('\n');
        }
        place_figures(&mut set, &new, number);
        for Placed { block, .. } in
            set.iter().filter(|placed| placed.block.kind != BlockKind::Figure)
        {
            reading_text.push_str(&block.text);
            reading_text.push('\n');
        }
        self.doubts.extend(doubts.iter().map(|&kind| Doubt { page: number, kind }));
        if !words::are_equal(words, &reading_text) {
            self.doubts.push(Doubt { page: number, kind: DoubtKind::Words });
        }
        // A passage that continues from the previous page is shown or hidden with that page, so
        // pages with warnings are not joined.
        let is_doubtful = |page| self.doubts.iter().any(|doubt| doubt.page == page);
        let mut first = !is_doubtful(number) && !is_doubtful(number - 1);
        for Placed { mut block, .. } in set {
            block.cut = block.area.and_then(|area| page.cuts.iter().position(|cut| *cut == area));
            let last = self.blocks.last_mut().filter(|last| first && runs_over(last, &block));
            first &= block.kind == BlockKind::Margin;
            match last {
                Some(last) => append_line(&mut last.text, &block.text),
                None => self.blocks.push(block),
            }
        }
    }

    /// Returns the index of the first footnote of an untagged page.
    fn notes_from(&self, passages: &[Passage], height: f32) -> usize {
        let is_note = |passage: &&Passage| {
            let low = passage.area.is_some_and(|area| area.y0 > NOTES_BELOW * f64::from(height));
            passage.furniture
                || low
                    && passage.tagged.is_none()
                    && self.sizes.is_note(passage)
                    && passage.rows.is_empty()
        };
        let notes = passages.iter().rev().take_while(is_note).count();
        let from = passages.len() - notes;
        let marked = passages.get(from).is_some_and(|passage| {
            passage.text.starts_with(|sign: char| sign.is_numeric() || "*†‡§¹²³".contains(sign))
        });
        if marked { from } else { passages.len() }
    }

    fn block(&mut self, passage: &Passage, text: String, note: bool) -> Block {
        let plain = |kind, text| Block { kind, text, ..Block::default() };
        if !passage.rows.is_empty() {
            let rows = passage.rows.clone();
            return Block { rows, ..plain(BlockKind::Table, text) };
        }
        if note && !passage.furniture {
            return plain(BlockKind::Note, text);
        }
        if let Some(leaf) = passage.tagged {
            let depth = leaf.depth;
            return match leaf.role {
                Role::Heading(level) => {
                    plain(BlockKind::Heading { level: level.min(LEVELS) }, text)
                }
                Role::Note => plain(BlockKind::Note, text),
                Role::Item if leaf.item != self.item => {
                    self.item = leaf.item;
                    Block { depth: depth.max(1), ..item(passage.label.clone(), text) }
                }
                Role::Item => Block { depth, ..plain(BlockKind::Paragraph, text) },
                // Many programs tag a heading as text and only enlarge it.
                _ => match self.sizes.heading_level(passage, &text).filter(|_| depth == 0) {
                    Some(level) => plain(BlockKind::Heading { level }, text),
                    None => Block { depth, ..plain(BlockKind::Paragraph, text) },
                },
            };
        }
        if let Some(level) = self.sizes.heading_level(passage, &text) {
            return plain(BlockKind::Heading { level }, text);
        }
        let marked = marker::at_start(&text).is_some() && !passage.cells;
        if marked || passage.label.is_some() {
            let depth = self.depth(passage);
            return Block { depth, ..item(passage.label.clone(), text) };
        }
        self.indents.clear();
        plain(BlockKind::Paragraph, text)
    }

    /// Returns whether a figure is not a logo that occurred in the same margin before.
    fn is_new(&mut self, figure: &Figure, height: f32) -> bool {
        let Rect { y0, y1, .. } = figure.area;
        let margin = f64::from(MARGIN * height);
        let inside = y1 > margin && y0 < f64::from(height) - margin;
        let place =
            [figure.area.x0, y0, figure.area.x1, y1].map(|length| (length / 8.0).round() as i32);
        inside || !figure.text.is_empty() || self.marks.insert((place, figure.look))
    }

    /// Returns the depth of an item in an untagged list. An item that begins further inside than
    /// the previous one is in a nested list.
    fn depth(&mut self, passage: &Passage) -> u8 {
        let Some(first) = &passage.first else { return 1 };
        let start = first.start(passage.rtl);
        let near = 0.6 * first.size;
        self.indents.retain(|indent| *indent <= start + near);
        if self.indents.last().is_none_or(|indent| *indent < start - near) {
            self.indents.push(start);
        }
        self.indents.len().clamp(1, usize::from(DEPTH_MAX)) as u8
    }

    /// Marks the blocks inside frames.
    fn frame(&mut self, set: &mut [Placed], frames: &[Rect]) {
        for frame in frames {
            self.frames += 1;
            let around = frame.inflate(4.0, 4.0);
            for Placed { block, area } in set.iter_mut() {
                let inside = area.is_some_and(|area| around.union(area) == around);
                if inside && block.kind != BlockKind::Margin {
                    block.framed = Some(self.frames);
                }
            }
        }
    }
}

/// Returns an item whose marker is separate or part of its text. The text of a numbered item begins
/// with its number, because contracts are cited by it.
fn item(label: Option<String>, text: String) -> Block {
    let kind = BlockKind::Item;
    let Some(label) = label else {
        let (marker, text) = match marker::at_start(&text) {
            Some((Marker::Bullet, length)) => {
                (Some(text[..length].to_owned()), text[length..].trim_start().to_owned())
            }
            Some((Marker::Number, length)) => (Some(text[..length].to_owned()), text),
            None => (None, text),
        };
        return Block { kind, text, marker, ..Block::default() };
    };
    let label = label.trim().to_owned();
    let bullet = !label.contains(char::is_alphanumeric);
    let text = if bullet { text } else { format!("{label} {text}") };
    Block { kind, text, marker: Some(label).filter(|label| !label.is_empty()), ..Block::default() }
}

/// Shortens the dots before a page number, which have only a visual purpose.
fn without_leaders(text: String) -> String {
    if !text.contains("....") && !text.contains(". . . .") {
        return text;
    }
    let mut short = String::with_capacity(text.len());
    for word in text.split(' ') {
        let leads = !word.is_empty() && word.chars().all(|letter| letter == '.');
        let word = if leads { "…" } else { word };
        if !(leads && short.ends_with('…')) {
            short.push_str(if short.is_empty() { "" } else { " " });
            short.push_str(word);
        }
    }
    short
}

/// Returns whether a sentence continues on the next page.
fn runs_over(last: &Block, next: &Block) -> bool {
    let text = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Item);
    let open = !last.text.ends_with(['.', ':', ';', '!', '?', '؟', '۔', '»', '”', ')']);
    let continues = next.rtl || next.text.starts_with(char::is_lowercase);
    let divided = last.text.contains(" · ") || next.text.contains(" · ");
    text(last.kind)
        && next.kind == BlockKind::Paragraph
        && last.rtl == next.rtl
        && last.framed.is_none()
        && next.framed.is_none()
        && open
        && continues
        && !divided
}
