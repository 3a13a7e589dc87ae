//! What a line consists of.

use super::bidi::Cluster;

/// A piece of one line without large gaps: a line of a paragraph, or of a cell of a table.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// From left to right.
    pub(super) clusters: Vec<Cluster>,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) bold: bool,
    pub(super) furniture: bool,
    pub(super) turned: bool,
}

/// Pieces on one height, in reading order.
pub(super) type Row = Vec<Piece>;
