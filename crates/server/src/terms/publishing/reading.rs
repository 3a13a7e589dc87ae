//! The reading view of a document as JSON. Older clients only know headings, paragraphs and items,
//! and show the text of any other block.

use musette_render::{Block, BlockKind, Doubt};
use serde_json::{Value, json};

pub const fn dir(rtl: bool) -> &'static str {
    if rtl { "rtl" } else { "ltr" }
}

pub fn block(block: &Block) -> Value {
    let (kind, level) = match block.kind {
        BlockKind::Heading { level } => ("heading", Some(level)),
        BlockKind::Paragraph => ("paragraph", None),
        BlockKind::Item => ("item", None),
        BlockKind::Table => ("table", None),
        BlockKind::Figure => ("figure", None),
        BlockKind::Note => ("note", None),
        BlockKind::Margin => ("margin", None),
    };
    let mut value =
        json!({ "page": block.page, "kind": kind, "text": block.text, "dir": dir(block.rtl) });
    if let Some(level) = level {
        value["level"] = level.into();
    }
    if let Some(marker) = &block.marker {
        value["marker"] = marker.as_str().into();
    }
    if block.depth > 0 {
        value["depth"] = block.depth.into();
    }
    if let Some(framed) = block.framed {
        value["framed"] = framed.into();
    }
    if block.marked {
        value["marked"] = true.into();
    }
    if let Some(area) = &block.area {
        value["area"] = json!(area);
    }
    if !block.rows.is_empty() {
        let rows = block.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
        value["rows"] = rows.collect::<Vec<_>>().into();
    }
    value
}

fn cell(cell: &musette_render::Cell) -> Value {
    let mut value = json!({ "text": cell.text, "dir": dir(cell.rtl) });
    if cell.head {
        value["head"] = true.into();
    }
    if cell.columns > 1 {
        value["columns"] = cell.columns.into();
    }
    value
}

/// Returns the pages whose text may differ from what they show, with the reason.
pub fn doubts(doubts: &[Doubt]) -> Vec<Value> {
    doubts.iter().map(|doubt| json!({ "page": doubt.page, "kind": doubt.kind.code() })).collect()
}

/// Returns the parts of pages that are shown as pictures because their text may differ.
pub fn regions(blocks: &[Block]) -> Vec<Value> {
    let marked = blocks.iter().filter(|block| block.marked);
    let area_of = |block: &Block| block.area.map(|area| (block.page, area));
    marked
        .filter_map(area_of)
        .map(|(page, area)| {
            json!({
                "page": page, "x": area.x, "y": area.y, "width": area.width, "height": area.height
            })
        })
        .collect()
}
