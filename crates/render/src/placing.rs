//! Places figures and parts of the page among the blocks of its text.

use hayro::kurbo::Rect;

use super::blocks::{Area, Block, BlockKind};
use super::composed::Figure;

/// A block with its position on the page.
pub(super) struct Placed {
    pub(super) block: Block,
    pub(super) area: Option<Rect>,
}

/// Returns the block of a part of the page that is shown instead of its text.
pub(super) fn marked(area: Rect, page: u32, rtl: bool) -> Placed {
    let block = Block {
        page,
        kind: BlockKind::Figure,
        rtl,
        area: Some(area_of(&area)),
        marked: true,
        ..Block::default()
    };
    Placed { block, area: Some(area) }
}

/// Returns whether a figure is a small picture without text on the line of a running header or
/// footer, such as a logo.
pub(super) fn is_mark(figure: &Figure, heads: &[Rect]) -> bool {
    let Rect { y0, y1, .. } = figure.area;
    figure.text.is_empty()
        && heads.iter().any(|head| {
            let line = head.inflate(3.0 * head.height(), 0.5 * head.height());
            y1 - y0 < 2.0 * head.height()
                && figure.area.width() < 2.0 * head.height()
                && line.contains(figure.area.center())
        })
}

/// Inserts each figure before the first block below its middle.
pub(super) fn place_figures(set: &mut Vec<Placed>, figures: &[&Figure], page: u32) {
    for figure in figures {
        let middle = figure.area.center().y;
        let below = |placed: &Placed| {
            placed.block.kind != BlockKind::Margin
                && placed.area.is_some_and(|area| {
                    let beside = area.x0 < figure.area.x1 && area.x1 > figure.area.x0;
                    beside && area.center().y > middle
                })
        };
        let feet = set
            .iter()
            .rposition(|placed| placed.block.kind != BlockKind::Margin)
            .map_or(0, |at| at + 1);
        let at = set.iter().position(below).unwrap_or(feet);
        let block = Block {
            page,
            kind: BlockKind::Figure,
            text: figure.text.clone(),
            rtl: figure.rtl,
            area: Some(area_of(&figure.area)),
            ..Block::default()
        };
        set.insert(at, Placed { block, area: Some(figure.area) });
    }
}

/// Returns an area of the page as the viewer gets it.
pub(super) fn area_of(area: &Rect) -> Area {
    let part = |pixels: f64| tenth(pixels as f32);
    let (x, y) = (part(area.x0), part(area.y0));
    Area { x, y, width: part(area.width()), height: part(area.height()) }
}

/// Rounds to a tenth of a pixel, which is finer than any selection.
pub(super) fn tenth(pixels: f32) -> f32 {
    (pixels * 10.0).round() / 10.0
}
