//! One page as the reading view sets it: its letters in paragraphs, items and tables by the tags where
//! they agree with the page, else by the places of the letters; and its figures.

use std::collections::BTreeMap;

use hayro::kurbo::Rect;

use super::blocks::DoubtKind;
use super::contrast::Contrast;
use super::glyphs::{Glyph, Glyphs};
use super::labels;
use super::lines;
use super::margins::MARGIN;
use super::order::{self, Spot};
use super::overprint;
use super::paragraphs::{self, Paragraph};
use super::regions::{self, Regions, core};
use super::tables;
use super::tags::{Leaf, Role, Tags};
use super::words;

/// Numbers of paragraphs that belong to no element begin here: no file has so many elements.
const LOOSE: u32 = 1 << 31;

/// Fewer words that stand out of order are a figure of speech of the layout.
const DISORDER_WORDS: usize = 0;

/// A page in paragraphs.
pub(super) struct Composed {
    /// In reading order, without figures.
    pub(super) paragraphs: Vec<Paragraph>,
    pub(super) figures: Vec<Figure>,
    pub(super) frames: Vec<Rect>,
    pub(super) doubts: Vec<DoubtKind>,
    /// The words that are seen on the page.
    pub(super) words: String,
}

/// A part of the page that is shown as it is drawn.
pub(super) struct Figure {
    pub(super) area: Rect,
    /// The words in it.
    pub(super) text: String,
    pub(super) rtl: bool,
    /// Differs where the picture does.
    pub(super) look: u64,
}

/// What is known of a page.
pub(super) struct Page<'a> {
    pub(super) index: usize,
    pub(super) height: f32,
    pub(super) tags: &'a Tags,
    pub(super) contrast: &'a Contrast,
}

pub(super) fn compose(glyphs: Glyphs, page: &Page<'_>) -> Composed {
    let mut doubts = Vec::new();
    let letters = glyphs.named;
    let (seen, hidden): (Vec<Glyph>, Vec<Glyph>) =
        letters.into_iter().partition(|glyph| is_on_page(glyph, page.contrast));
    if glyphs.unnamed + glyphs.unconfirmed > 0 {
        doubts.push(DoubtKind::Letters);
    }
    let is_picture = !seen.iter().any(Glyph::is_word) && page.contrast.has_any();
    if is_picture {
        // What is written over a scan is what a program took it for.
        let mut composed = arrange(hidden, Regions::default(), page);
        composed.doubts = vec![DoubtKind::Picture];
        return composed;
    }
    if hidden.iter().any(Glyph::is_word) {
        doubts.push(DoubtKind::Hidden);
    }
    let (seen, is_overprinted) = overprint::resolve(seen);
    let regions = regions::find(page.contrast, &seen, &glyphs.strokes);
    if regions.unshown || is_overprinted || regions::strike_any(&glyphs.strokes, &seen) {
        doubts.push(DoubtKind::Words);
    }
    let mut composed = arrange(seen, regions, page);
    composed.doubts.append(&mut doubts);
    composed.doubts.sort_unstable();
    composed
}

fn is_on_page(glyph: &Glyph, contrast: &Contrast) -> bool {
    // Without a width it is a part of the letter before.
    !glyph.hidden && (!glyph.has_width() || !glyph.is_word() || contrast.shows(&core(glyph)))
}

fn arrange(mut letters: Vec<Glyph>, regions: Regions, page: &Page<'_>) -> Composed {
    for glyph in &mut letters {
        let low = MARGIN * page.height;
        let in_margin = glyph.baseline < low || glyph.baseline > page.height - low;
        // What a file calls an ornament elsewhere is text: nothing is left out because it says so.
        glyph.furniture &= in_margin || glyph.turned;
    }
    let words = text_of(&paragraphs::paragraphs(lines::rows(letters.clone())));
    let Regions { figures, frames, tables, specks, .. } = regions;
    let figures = labels::with_labels(figures, &letters);
    let figures =
        figures.into_iter().map(|area| figure(area, &mut letters, page.contrast)).collect();
    let (furniture, letters): (Vec<Glyph>, Vec<Glyph>) =
        letters.into_iter().partition(|glyph| glyph.furniture || glyph.turned);
    let rtl = paragraphs::is_rtl(&letters);
    let tagged = by_tags(&letters, page, rtl);
    let tagged_disorder = tagged.as_ref().map(|them| order::disorder(&spots(them), rtl));
    let mut doubts = Vec::new();
    let paragraphs = match (tagged, tagged_disorder) {
        (Some(tagged), Some(0)) => tagged,
        (tagged, disorder) => {
            let mut drawn = by_place(letters, &tables, &specks, rtl);
            let mut drawn_disorder = order::disorder(&spots(&drawn), rtl);
            if drawn_disorder > DISORDER_WORDS {
                let settled = with_margins_outside(drawn.clone(), page.height);
                let settled_disorder = order::disorder(&spots(&settled), rtl);
                if settled_disorder < drawn_disorder {
                    (drawn, drawn_disorder) = (settled, settled_disorder);
                }
            }
            if drawn_disorder.min(disorder.unwrap_or(usize::MAX)) > DISORDER_WORDS {
                doubts.push(DoubtKind::Order);
            }
            match tagged {
                Some(tagged) if disorder.is_some_and(|disorder| disorder < drawn_disorder) => {
                    tagged
                }
                _ => drawn,
            }
        }
    };
    let paragraphs = with_furniture(paragraphs, furniture, page.height);
    Composed { paragraphs, figures, frames, doubts, words }
}

fn text_of(paragraphs: &[Paragraph]) -> String {
    let texts: Vec<String> = paragraphs.iter().map(Paragraph::text).collect();
    texts.join("\n")
}

/// Takes the letters that stand in a figure.
fn figure(area: Rect, letters: &mut Vec<Glyph>, contrast: &Contrast) -> Figure {
    let inside: Vec<Glyph> = letters.extract_if(.., |glyph| glyph.is_in(&area)).collect();
    let rtl = paragraphs::is_rtl(&inside);
    let text = text_of(&paragraphs::paragraphs(lines::rows(inside)));
    Figure { area, text, rtl, look: contrast.look(&area) }
}

/// Heads before the text, feet after it; and each where it stands.
fn with_furniture(
    mut paragraphs: Vec<Paragraph>,
    furniture: Vec<Glyph>,
    height: f32,
) -> Vec<Paragraph> {
    let (heads, feet): (Vec<Glyph>, Vec<Glyph>) =
        furniture.into_iter().partition(|glyph| glyph.baseline < height / 2.0);
    let mut all = paragraphs::paragraphs(lines::rows(heads));
    all.append(&mut paragraphs);
    all.append(&mut paragraphs::paragraphs(lines::rows(feet)));
    all
}

/// Heads first and feet last, which many programs draw before the text or after it.
fn with_margins_outside(mut paragraphs: Vec<Paragraph>, height: f32) -> Vec<Paragraph> {
    let (top, bottom) = (f64::from(MARGIN * height), f64::from((1.0 - MARGIN) * height));
    paragraphs.sort_by_key(|it| match it.area() {
        Some(area) if area.y1 < top => 0,
        Some(area) if area.y0 > bottom => 2,
        _ => 1,
    });
    paragraphs
}

/// Where an element of the tags begins, what it is, and its letters with their order.
type Element<'a> = (u32, Leaf, Vec<(u32, &'a Glyph)>);

/// By the structure tree. Words without an element, such as the labels of a drawing, stand after the element
/// that is drawn before them; none if the page begins with such.
fn by_tags(letters: &[Glyph], page: &Page<'_>, rtl: bool) -> Option<Vec<Paragraph>> {
    if !page.tags.are_clear(page.index) {
        return None;
    }
    let mut elements: BTreeMap<u32, Element<'_>> = BTreeMap::new();
    let mut last: Option<Leaf> = None;
    let mut loose = 0;
    for (at, glyph) in letters.iter().enumerate() {
        let leaf = glyph.tag.and_then(|tag| page.tags.leaf(page.index, tag));
        // The hyphen of a divided word, the dots that lead to a page number; not the sign of a number.
        let leads = letters
            .get(at + 1)
            .is_some_and(|next| next.tag.is_none() && next.run == glyph.run && next.is_word());
        let leaf = leaf.or(last.filter(|_| !glyph.is_word() && !leads));
        let leaf = match (leaf, last) {
            (Some(leaf), _) => leaf,
            (None, Some(last)) if last.element >= LOOSE => last,
            (None, last) => {
                loose += 1;
                Leaf { element: LOOSE + loose, role: Role::Paragraph, depth: 0, item: 0, ..last? }
            }
        };
        last = Some(leaf);
        let (first, _, its) =
            elements.entry(leaf.element).or_insert_with(|| (leaf.order, leaf, Vec::new()));
        *first = leaf.order.min(*first);
        its.push((leaf.order, glyph));
    }
    let mut elements: Vec<_> = elements.into_values().collect();
    elements.sort_by_key(|(first, ..)| *first);
    let mut set: Vec<Paragraph> = Vec::new();
    let mut cells = Vec::new();
    for (_, leaf, mut its) in elements {
        its.sort_by_key(|(order, _)| *order);
        let glyphs: Vec<Glyph> = its.into_iter().map(|(_, glyph)| glyph.clone()).collect();
        if let Role::Cell(place) = leaf.role {
            cells.push((place, glyphs));
            continue;
        }
        set.extend(tables::tagged(std::mem::take(&mut cells), rtl));
        let mut paragraph = paragraphs::whole(lines::rows(glyphs), rtl);
        paragraph.tagged = Some(leaf);
        set.extend(Some(paragraph).filter(|paragraph| !paragraph.pieces.is_empty()));
    }
    set.extend(tables::tagged(cells, rtl));
    Some(joined_markers(set))
}

/// Puts the marker of an item before its text.
fn joined_markers(paragraphs: Vec<Paragraph>) -> Vec<Paragraph> {
    let mut joined: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    let role = |paragraph: &Paragraph| paragraph.tagged.map(|leaf| leaf.role);
    for mut next in paragraphs {
        let before = joined.pop_if(|last| {
            role(last) == Some(Role::Marker)
                && role(&next) == Some(Role::Item)
                && last.tagged.map(|leaf| leaf.item) == next.tagged.map(|leaf| leaf.item)
        });
        if let Some(marker) = before {
            next.label = Some(marker.text());
        }
        joined.push(next);
    }
    joined
}

/// By the places of the letters, in the order in which they are drawn.
fn by_place(
    mut letters: Vec<Glyph>,
    grids: &[regions::Grid],
    specks: &[Rect],
    rtl: bool,
) -> Vec<Paragraph> {
    let ruled: Vec<Paragraph> =
        grids.iter().filter_map(|grid| tables::ruled(grid, &mut letters, rtl)).collect();
    let mut set = paragraphs::paragraphs(lines::rows(letters));
    for paragraph in &mut set {
        if let Some(first) = paragraph.first().filter(|_| paragraph.label.is_none()) {
            let reach = f64::from(first.size);
            let (edge, height) =
                (f64::from(if rtl { first.right } else { first.left }), reach / 2.0);
            let middle = f64::from(first.baseline) - 0.35 * reach;
            let bullet = specks.iter().any(|speck| {
                let gap = if rtl { speck.x0 - edge } else { edge - speck.x1 };
                (0.0..3.0 * reach).contains(&gap) && (speck.center().y - middle).abs() < height
            });
            if bullet {
                paragraph.label = Some("•".to_owned());
            }
        }
    }
    for table in ruled {
        let at = set.iter().position(|paragraph| paragraph.first_run() > table.first_run());
        set.insert(at.unwrap_or(set.len()), table);
    }
    tables::aligned(set)
}

fn spots(paragraphs: &[Paragraph]) -> Vec<Spot> {
    let mut spots = Vec::new();
    for paragraph in paragraphs {
        if paragraph.tagged.is_some_and(|leaf| leaf.role == Role::Note) {
            continue;
        }
        if paragraph.cells || !paragraph.rows.is_empty() {
            let words = words::count(&paragraph.text());
            spots.extend(paragraph.area().map(|area| Spot { area, words }));
            continue;
        }
        for (piece, text) in paragraph.pieces.iter().zip(paragraph.lines()) {
            spots.push(Spot { area: piece.area(), words: words::count(&text) });
        }
    }
    spots
}
