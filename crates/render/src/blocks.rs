//! What the reading view is made of.

use serde::{Deserialize, Serialize};

/// One piece of the reading view: a paragraph, a heading, an item of a list, a table, a figure.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Block {
    /// Counted from 1: where the block begins.
    pub page: u32,
    /// How the reading view sets it.
    pub kind: BlockKind,
    /// In logical order, without line breaks of the page. Of a table its cells, of a figure the words in it.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
    /// The marker of an item, as it is drawn. A numbered item's text begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marker: Option<String>,
    /// How many lists an item, or a paragraph of an item, is inside of; 0 outside of lists.
    #[serde(default)]
    pub depth: u8,
    /// The rows of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Cell>>,
    /// Where a figure is on the image of its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Area>,
    /// Neighbouring blocks with the same number stand in one frame on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framed: Option<u32>,
}

/// The kind of a block, told from the tags of the file where they agree with the page, else from size,
/// weight and place of its text.
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
    /// What cannot be text: it is cut out of the image of the page.
    Figure,
    /// A footnote, at the end of its page.
    Note,
    /// A running head or foot, where it first appears.
    Margin,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// In logical order.
    pub text: String,
    /// Whether it is read from right to left.
    pub rtl: bool,
    /// Whether it names a column or a row.
    pub head: bool,
    /// How many columns it takes.
    pub columns: u32,
}

/// The text of a table for who does not see its cells.
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

/// A reason for which the reading view of a page may differ from the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Doubt {
    /// Counted from 1.
    pub page: u32,
    /// What is doubtful.
    pub kind: DoubtKind,
}

/// The kind of a doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoubtKind {
    /// The page is a picture: it has no words that can be read.
    Picture,
    /// Letters are drawn that nobody can name, or that only the tags name.
    Letters,
    /// The file holds words that the page does not show.
    Hidden,
    /// The words of the reading view are not those of the page.
    Words,
    /// No order of the file agrees with the places of the words.
    Order,
}

impl DoubtKind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Picture, Self::Letters, Self::Hidden, Self::Words, Self::Order];

    /// A stable code for programs, the same as in JSON.
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
