//! The parts of a line.

use hayro::kurbo::Rect;

use super::bidi::Cluster;

/// A part of a line without large gaps: a line of a paragraph, or of a table cell.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Clusters from left to right.
    pub(super) clusters: Vec<Cluster>,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) furniture: bool,
    pub(super) turned: bool,
    /// Whether a gap or a raised sign in it can be read in two ways.
    pub(super) unsure: bool,
}

impl Piece {
    /// Returns the area from above the capital letters to below the descenders, in nearly all
    /// fonts.
    pub(super) fn area(&self) -> Rect {
        let (left, right) = (f64::from(self.left), f64::from(self.right));
        let (top, bottom) = (self.baseline - 0.9 * self.size, self.baseline + 0.35 * self.size);
        Rect::new(left, top.into(), right, bottom.into())
    }

    /// Returns the start of the piece; it increases in the direction of reading.
    pub(super) const fn start(&self, rtl: bool) -> f32 {
        if rtl { -self.right } else { self.left }
    }
}

/// The pieces at one height, in reading order.
pub(super) type Row = Vec<Piece>;
