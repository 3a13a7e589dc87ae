//! Converts a PDF document to page images, positioned text and a reading text, once, when it is
//! published.
//!
//! Storing and serving the result, and deciding whether a document that cannot be rendered is
//! published, are in other crates. A server calls [`render_in_child`]. [`render`] runs inside the
//! confined child process. It must never read an untrusted document in the server's own process.
#![warn(missing_docs)]

mod accents;
mod active;
mod annotations;
mod appearance;
mod bidi;
mod blocks;
mod child;
mod claims;
mod compose;
mod composed;
mod compositing;
mod confinement;
mod contents;
mod contrast;
mod coverage;
mod cuts;
mod document;
mod error;
#[cfg(test)]
mod feature_tests;
mod finding;
mod form;
mod glyphs;
mod headings;
mod helvetica;
mod hidden_lines;
mod labels;
mod layout;
mod letters;
mod lines;
mod margins;
mod marker;
mod marks;
mod neighbours;
mod order;
mod outlines;
mod overlay;
mod overprint;
mod page;
mod page_frame;
mod paragraphs;
mod passage;
mod piece;
mod pixels;
mod placement;
mod placing;
mod probe;
mod raised;
#[cfg(test)]
mod read_back_tests;
#[cfg(test)]
mod reading_cases_tests;
#[cfg(test)]
mod reading_tests;
mod regions;
mod residue;
mod sentences;
mod sheet;
mod side_bars;
mod sight;
mod strokes;
mod symbols;
mod tables;
mod tags;
mod text_places;
mod text_string;
mod tick_boxes;
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

/// The version of the check of a reading view against its pages. It grows with each kind of difference
/// that is newly found. Version 1 finds ink without text and text without ink; before it, there was
/// no number.
pub const CHECK: u32 = 1;

/// Limits on the resources that a document may use. The child process receives and enforces the
/// same limits.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum number of pages of a document.
    pub pages: usize,
    /// Maximum size of the PDF in bytes.
    pub input_bytes: usize,
    /// Memory limit of the child process, in addition to its program.
    pub memory_bytes: u64,
    /// Maximum size of all page images together, which the parent process stores.
    pub image_bytes: usize,
    /// Number of pages that are drawn at the same time, if there are enough cores.
    pub threads: usize,
    /// Time limit for the whole document, in wall-clock time.
    pub time: Duration,
    /// Longest side of a page image at 1x, in pixels.
    pub page_side_px: u32,
    /// Whether to encode page images faster into larger files: for tests.
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

/// A rendered document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rendered {
    /// The pages, in the order of the document.
    pub pages: Vec<Page>,
    /// The whole text: paragraphs separated by a blank line, pages by a form feed. Empty for a scan.
    pub text: String,
    /// Warnings about pages whose reading view may differ from the page.
    pub blocks: Vec<Block>,
    /// Pages whose reading view may differ from the page.
    pub doubts: Vec<Doubt>,
    /// Content that is missing in the images, and active content, by page.
    pub findings: Vec<Finding>,
}

/// A page: its image at two resolutions, and its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Width of the 1x image in pixels.
    pub width: u32,
    /// Height of the 1x image in pixels.
    pub height: u32,
    /// Lossless WebP for screens with one device pixel per CSS pixel.
    #[serde(skip)]
    pub image_1x: Vec<u8>,
    /// Lossless WebP with twice the width and height.
    #[serde(skip)]
    pub image_2x: Vec<u8>,
    /// Positions of the two images in the caller's file, if there is one. The images above are then
    /// empty.
    #[serde(skip)]
    pub spooled: Option<[ImagePlace; 2]>,
    /// The parts that are cut out of the images, for [`Block::cut`].
    #[serde(skip)]
    pub cuts: Vec<Cut>,
    /// The lines of text, in reading order.
    pub lines: Vec<Line>,
}

/// The images of a part of a page. They have the pixels of the page images.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Left edge on the 1x image of the page.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width of the 1x image of the part.
    pub width: u32,
    /// Height of the 1x image of the part.
    pub height: u32,
    /// Lossless WebP.
    pub image_1x: Vec<u8>,
    /// Lossless WebP with twice the width and height.
    pub image_2x: Vec<u8>,
    /// Positions of the two images in the caller's file, if there is one. The images above are then
    /// empty.
    pub spooled: Option<[ImagePlace; 2]>,
}

/// The position of an image in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImagePlace {
    /// Offset in bytes.
    pub at: u64,
    /// Length in bytes.
    pub length: usize,
}

/// A line of text and its position on the page, in pixels of the 1x image.
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
    /// Text in logical order, as a person would type it.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
}
