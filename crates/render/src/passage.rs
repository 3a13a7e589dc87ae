//! A paragraph of a composed page, with its text and its place. Its letters are released: those of
//! a document of 300 pages, each a string, would fill the memory of the process.

use hayro::kurbo::Rect;

use super::blocks::{Area, Cell, DoubtKind};
use super::composed::{Composed, Figure};
use super::cuts::{self, CUTS_MAX};
use super::paragraphs::Paragraph;
use super::piece::Piece;
use super::placing::area_of;
use super::tags::Leaf;

pub(super) struct Passage {
    pub(super) text: String,
    /// Number of bytes of its letters, without the spaces between lines and cells.
    pub(super) letter_bytes: usize,
    pub(super) rtl: bool,
    /// Whether it is a row of cells.
    pub(super) cells: bool,
    /// The element of the tags that it belongs to.
    pub(super) tagged: Option<Leaf>,
    /// Marker of an item that is not part of its text.
    pub(super) label: Option<String>,
    /// The rows of a table.
    pub(super) rows: Vec<Vec<Cell>>,
    /// The part of the page that is shown instead of its text.
    pub(super) marked: Option<Rect>,
    /// The area from its first to its last line.
    pub(super) area: Option<Rect>,
    /// Its first line, without letters.
    pub(super) first: Option<Piece>,
    /// Number of its lines and cells.
    pub(super) pieces: usize,
    /// The largest font size.
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) furniture: bool,
}

impl From<Paragraph> for Passage {
    fn from(paragraph: Paragraph) -> Self {
        let clusters = paragraph.pieces.iter().flat_map(|piece| &piece.clusters);
        let first = paragraph.first().map(|first| Piece { clusters: Vec::new(), ..*first });
        Self {
            text: paragraph.text(),
            letter_bytes: clusters.map(|cluster| cluster.text.len()).sum(),
            rtl: paragraph.rtl,
            cells: paragraph.cells,
            tagged: paragraph.tagged,
            marked: paragraph.marked,
            area: paragraph.area(),
            first,
            pieces: paragraph.pieces.len(),
            size: paragraph.size(),
            bold: paragraph.bold(),
            furniture: paragraph.furniture(),
            label: paragraph.label,
            rows: paragraph.rows,
        }
    }
}

/// A composed page.
pub(super) struct PagePassages {
    /// Passages in reading order, without figures.
    pub(super) passages: Vec<Passage>,
    pub(super) figures: Vec<Figure>,
    pub(super) frames: Vec<Rect>,
    pub(super) doubts: Vec<DoubtKind>,
    /// The visible text of the page.
    pub(super) words: String,
}

impl From<Composed> for PagePassages {
    fn from(composed: Composed) -> Self {
        let Composed { paragraphs, figures, frames, doubts, words } = composed;
        let passages = paragraphs.into_iter().map(Passage::from).collect();
        Self { passages, figures, frames, doubts, words }
    }
}

impl PagePassages {
    /// Returns the parts to be cut out of a page of this size. A page with a doubt is shown as a
    /// whole.
    pub(super) fn cuts(&self, size: [f32; 2]) -> Vec<Area> {
        if !self.doubts.is_empty() {
            return Vec::new();
        }
        let figures = self.figures.iter().map(|figure| figure.area);
        let marked = self.passages.iter().filter_map(|passage| passage.marked);
        let parts = figures.chain(marked).map(|part| area_of(&part));
        let mut cuts: Vec<Area> = Vec::new();
        for part in parts.filter(|part| cuts::is_small(part, size)).take(CUTS_MAX) {
            if !cuts.contains(&part) {
                cuts.push(part);
            }
        }
        cuts
    }
}
