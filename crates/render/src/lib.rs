//! A PDF document becomes page images, positioned text and a reading text, once, at publishing.
//!
//! What is not here: storing, serving, or deciding whether a document that cannot be rendered is
//! published. A server calls [`render_in_child`]; [`render`] is what the limited child runs, and
//! must never meet a stranger's document inside the server's own process.

mod active;
mod annotations;
mod appearance;
mod bidi;
mod child;
mod contents;
mod document;
mod error;
mod finding;
mod form;
mod glyphs;
mod helvetica;
mod layout;
mod lines;
mod marker;
mod overlay;
mod page;
mod paragraphs;
mod png;
mod text_string;
mod wire;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use active::active_names;
pub use child::{CHILD_COMMAND, child_main, render_in_child, render_in_child_of};
pub use document::render;
pub use error::RenderError;
pub use finding::{Concern, Finding, FindingKind};

/// What a document may cost. The child gets the same numbers and holds itself to them.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Limits {
    pub pages: usize,
    pub input_bytes: usize,
    /// Address space of the child.
    pub memory_bytes: u64,
    /// For the whole document, by the clock on the wall.
    pub time: Duration,
    /// Longest side of a page image at 1x, in pixels.
    pub page_side_px: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pages: 300,
            input_bytes: 20 * 1024 * 1024,
            memory_bytes: 1024 * 1024 * 1024,
            time: Duration::from_secs(60),
            page_side_px: 2200,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    pub pages: Vec<Page>,
    /// The whole text: paragraphs separated by a blank line, pages by a form feed. Empty for a scan.
    pub text: String,
    /// The same text for the reading view, without running heads and page numbers.
    pub blocks: Vec<Block>,
    /// What the images lack, and what in the file acts by itself; by page.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// Size of the 1x image in pixels.
    pub width: u32,
    pub height: u32,
    pub png_1x: Vec<u8>,
    pub png_2x: Vec<u8>,
    pub lines: Vec<Line>,
}

/// One line of text where it stands on the page, in pixels of the 1x image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    /// In logical order, as a person would type it.
    pub text: String,
    pub rtl: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Counted from 1: where the block begins.
    pub page: u32,
    pub kind: BlockKind,
    pub text: String,
    pub rtl: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// From 1 (largest) to 3.
    Heading {
        level: u8,
    },
    Paragraph,
    Item,
}
