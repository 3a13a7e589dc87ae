//! The result of composing a page.

use hayro::kurbo::Rect;

use super::blocks::DoubtKind;
use super::paragraphs::Paragraph;

/// A page divided into paragraphs.
pub(super) struct Composed {
    /// Paragraphs in reading order, without figures.
    pub(super) paragraphs: Vec<Paragraph>,
    pub(super) figures: Vec<Figure>,
    pub(super) frames: Vec<Rect>,
    pub(super) doubts: Vec<DoubtKind>,
    /// The visible text of the page.
    pub(super) words: String,
}

/// A part of the page that is shown as a picture.
pub(super) struct Figure {
    pub(super) area: Rect,
    /// The text in it.
    pub(super) text: String,
    pub(super) rtl: bool,
    /// Hash of the picture.
    pub(super) look: u64,
}
