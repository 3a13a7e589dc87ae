//! The reading view of a document as JSON. Older clients only know headings, paragraphs and items,
//! and show the text of any other block.

use musette_render::{Block, BlockKind, Cut, Doubt, Page};
use serde_json::{Value, json};

pub const fn dir(rtl: bool) -> &'static str {
    if rtl { "rtl" } else { "ltr" }
}

/// Returns a block. A figure with images has the paths that `base` begins.
pub fn block(block: &Block, pages: &[Page], base: &str) -> Value {
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
    if let Some((cut, [src, src2x])) = cut_of(block, pages) {
        value["cut"] = json!({
            "x": cut.x, "y": cut.y, "width": cut.width, "height": cut.height,
            "src": format!("{base}/{src}"), "src2x": format!("{base}/{src2x}")
        });
    }
    if !block.rows.is_empty() {
        let rows = block.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
        value["rows"] = rows.collect::<Vec<_>>().into();
    }
    value
}

/// Returns the images that a block is shown by instead of the image of its page, and their names.
fn cut_of<'p>(block: &Block, pages: &'p [Page]) -> Option<(&'p Cut, [String; 2])> {
    let page = pages.get(usize::try_from(block.page).ok()?.checked_sub(1)?)?;
    let index = block.cut?;
    Some((page.cuts.get(index)?, cut_names(block.page as usize, index)))
}

/// Returns the names of the images of a part of a page. They end with `.png` like those of pages.
pub fn cut_names(page: usize, index: usize) -> [String; 2] {
    let number = index + 1;
    [format!("{page}-{number}.png"), format!("{page}-{number}@2x.png")]
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
