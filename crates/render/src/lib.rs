//! A PDF document becomes page images, positioned text and a reading text, once, at publishing.
//!
//! Not here: storing, serving, or deciding whether a document that cannot be rendered is published.
//! A server calls [`render_in_child`]; [`render`] is what the limited child runs, and
//! must never meet a stranger's document inside the server's own process.
#![warn(missing_docs)]

mod active;
mod annotations;
mod appearance;
mod bidi;
mod blocks;
mod child;
mod compose;
mod confinement;
mod contents;
mod contrast;
mod document;
mod error;
mod finding;
mod form;
mod glyphs;
mod headings;
mod helvetica;
mod labels;
mod layout;
mod lines;
mod margins;
mod marker;
mod order;
mod overlay;
mod overprint;
mod page;
mod paragraphs;
mod piece;
mod pixels;
mod probe;
#[cfg(test)]
mod reading_tests;
mod regions;
mod sheet;
mod side_bars;
mod strokes;
mod tables;
mod tags;
mod text_string;
mod webp;
mod wire;
mod words;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use active::active_names;
pub use blocks::{Area, Block, BlockKind, Cell, Doubt, DoubtKind};
pub use child::{CHILD_COMMAND, Progress, child_main, render_in_child, render_in_child_of};
pub use document::render;
pub use error::RenderError;
pub use finding::{Concern, Finding, FindingKind};
pub use probe::probe_main;

/// Limits on what a document may cost. The child gets the same numbers and holds itself to them.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Limits {
    /// Most pages of a document.
    pub pages: usize,
    /// Most bytes of the PDF.
    pub input_bytes: usize,
    /// Memory of the child, beside its program.
    pub memory_bytes: u64,
    /// Most bytes of all page images together, which the caller of the child keeps.
    pub image_bytes: usize,
    /// Pages drawn at once, where there are so many cores.
    pub threads: usize,
    /// For the whole document, by the clock on the wall.
    pub time: Duration,
    /// Longest side of a page image at 1x, in pixels.
    pub page_side_px: u32,
    /// Encode page images in less time, into larger files: for tests.
    pub fast_images: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pages: 300,
            input_bytes: 20 * 1024 * 1024,
            memory_bytes: 256 * 1024 * 1024,
            image_bytes: 80 * 1024 * 1024,
            threads: 2,
            time: Duration::from_secs(180),
            page_side_px: 2200,
            fast_images: false,
        }
    }
}

/// A document as readers get it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendered {
    /// In the order of the document.
    pub pages: Vec<Page>,
    /// The whole text: paragraphs separated by a blank line, pages by a form feed. Empty for a scan.
    pub text: String,
    /// The text for the reading view, without running heads and page numbers.
    pub blocks: Vec<Block>,
    /// Pages whose reading view may differ from the page.
    pub doubts: Vec<Doubt>,
    /// Content that the images lack, and content that acts by itself; by page.
    pub findings: Vec<Finding>,
}

/// One page: its image at two resolutions, and its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Width of the 1x image in pixels.
    pub width: u32,
    /// Height of the 1x image in pixels.
    pub height: u32,
    /// Lossless WebP for screens of one device pixel per CSS pixel.
    #[serde(skip)]
    pub image_1x: Vec<u8>,
    /// Lossless WebP of twice the width and height.
    #[serde(skip)]
    pub image_2x: Vec<u8>,
    /// Where the two images are in the caller's file, if it gave one; then the images above are empty.
    #[serde(skip)]
    pub spooled: Option<[ImagePlace; 2]>,
    /// In reading order.
    pub lines: Vec<Line>,
}

/// Where an image is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImagePlace {
    /// Bytes before it.
    pub at: u64,
    /// Its bytes.
    pub length: usize,
}

/// One line of text where it stands on the page, in pixels of the 1x image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Extent to the right.
    pub width: f32,
    /// Extent downwards.
    pub height: f32,
    /// In logical order, as a person would type it.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
}
