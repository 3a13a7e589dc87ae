//! The blocks of the reading view.

use serde::{Deserialize, Serialize};

/// A block of the reading view: a paragraph, a heading, a list item, a table or a figure.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Block {
    /// Number of the page on which the block begins, counted from 1.
    pub page: u32,
    /// The kind of block.
    pub kind: BlockKind,
    /// Text in logical order, without the page's line breaks. For a table, the text of its cells;
    /// for a figure, the text in it.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
    /// Marker of a list item, as it is drawn. The text of a numbered item begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marker: Option<String>,
    /// Number of lists around an item, or around a paragraph of an item; 0 outside of lists.
    #[serde(default)]
    pub depth: u8,
    /// The rows of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Cell>>,
    /// Position of a figure in the image of its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// Index of its images among [`crate::Page::cuts`]. A figure without them is shown by the image of
    /// its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
    /// Number of the frame around the block on the page. Adjacent blocks with the same number are
    /// in one frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framed: Option<u32>,
    /// Whether it is a figure because its text may say something else than the page. Its text is
    /// then empty.
    #[serde(default, skip_serializing_if = "is_false")]
    pub marked: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The kind of a block. It is determined from the tags of the file if they agree with the page,
/// otherwise from the size, weight and position of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum BlockKind {
    /// A heading.
    Heading {
        /// From 1 (largest) to 5.
        level: u8,
    },
    /// Running text.
    #[default]
    Paragraph,
    /// An item of a list, with its marker.
    Item,
    /// A table.
    Table,
    /// Content that cannot be text. It is cut out of the image of the page.
    Figure,
    /// A footnote, at the end of its page.
    Note,
    /// A running header or footer, at its first occurrence.
    Margin,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Text in logical order.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
    /// Whether it is the header of a column or a row.
    pub head: bool,
    /// Number of columns that it spans.
    pub columns: u32,
}

/// Returns the text of a table for readers without its layout.
pub(super) fn table_text(rows: &[Vec<Cell>]) -> String {
    let row = |row: &Vec<Cell>| {
        let texts: Vec<&str> =
            row.iter().map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()).collect();
        texts.join(" · ")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// A part of a page, in pixels of the 1x image.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Extent to the right.
    pub width: f32,
    /// Extent downwards.
    pub height: f32,
}

/// A warning that the reading view of a page may differ from the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Doubt {
    /// Number of the page, counted from 1.
    pub page: u32,
    /// The kind of warning.
    pub kind: DoubtKind,
}

/// The kind of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoubtKind {
    /// The page is a picture without readable text.
    Picture,
    /// The page contains letters that cannot be identified, or only by the tags.
    Letters,
    /// The file contains text that is not visible on the page.
    Hidden,
    /// The text of the reading view differs from the text on the page.
    Words,
    /// No order in the file agrees with the positions of the words.
    Order,
}

impl DoubtKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Picture, Self::Letters, Self::Hidden, Self::Words, Self::Order];

    /// Returns a stable code for programs, the same as in JSON.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Letters => "letters",
            Self::Hidden => "hidden",
            Self::Words => "words",
            Self::Order => "order",
        }
    }
}
