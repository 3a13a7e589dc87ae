//! Composes one page for the reading view: paragraphs, items and tables, and its figures. It uses
//! the tags if they agree with the page, otherwise the positions of the letters.

use std::collections::BTreeMap;

use hayro::kurbo::Rect;

use super::blocks::DoubtKind;
use super::claims::Ink;
use super::composed::{Composed, Figure};
use super::contrast::Contrast;
use super::glyphs::{Glyph, Glyphs};
use super::hidden_lines;
use super::labels;
use super::lines;
use super::margins::MARGIN;
use super::marks;
use super::neighbours;
use super::order::{self, Spot};
use super::overprint;
use super::paragraphs::{self, Paragraph};
use super::regions::{self, Regions, core};
use super::sight::Sight;
use super::tables;
use super::tags::{Leaf, Role, Tags};
use super::words;

/// First number for paragraphs that belong to no element. No file has this many elements.
const LOOSE: u32 = 1 << 31;

/// Maximum number of words that may be out of order without a warning.
const DISORDER_WORDS: usize = 0;

/// Maximum number of signs without a known character. With more, the page is doubtful.
const SIGNS_MAX: usize = 12;

/// The properties of a page that composing needs.
pub(super) struct Page<'a> {
    pub(super) index: usize,
    pub(super) height: f32,
    pub(super) tags: &'a Tags,
    pub(super) sight: &'a Sight,
}

pub(super) fn compose(glyphs: Glyphs, page: &Page<'_>) -> Composed {
    let mut warnings = Vec::new();
    let mut letters = glyphs.named;
    keep_as_text(&mut letters, page.height);
    let visibility: Vec<bool> = letters.iter().map(|glyph| is_on_page(glyph, page.sight)).collect();
    let mut is_seen = visibility.iter();
    let (visible, hidden): (Vec<Glyph>, Vec<Glyph>) =
        letters.into_iter().partition(|_| is_seen.next() == Some(&true));
    // A few unknown signs are shown with their lines.
    let are_few = glyphs.unnamed <= SIGNS_MAX && glyphs.signs.len() == glyphs.unnamed;
    if !are_few || glyphs.unconfirmed > 0 {
        warnings.push(DoubtKind::Letters);
    }
    let is_picture = !visible.iter().any(Glyph::is_word) && page.sight.contrast.has_any();
    if is_picture {
        // The hidden text over a scan is the result of a program's text recognition.
        let mut composed = arrange(hidden, Regions::default(), page);
        composed.doubts = vec![DoubtKind::Picture];
        return composed;
    }
    let mut covered: Vec<Rect> = marks::of_glyphs(&visible, &hidden, page.sight);
    let mut visible = visible;
    if hidden_lines::are_partly_seen(&hidden, &visible) {
        covered.extend(hidden.iter().filter_map(|glyph| glyph.ink));
        visible = hidden_lines::in_their_places(visible, hidden, &visibility);
    } else if hidden.iter().any(Glyph::is_word) {
        warnings.push(DoubtKind::Hidden);
    }
    let (visible, is_overprinted) = overprint::resolve(visible);
    let mut regions = regions::find(&page.sight.contrast, &visible, &glyphs.strokes);
    let mut residue = page.sight.residue.clone();
    for area in &glyphs.claimed {
        residue.clear(&area.inflate(2.0, 2.0));
        regions.figures.retain(|figure| !area.inflate(3.0, 3.0).contains_rect(*figure));
    }
    // Charts are recognised first: a single bar next to its value looks like a sign in a line.
    let is_solid = |bar: &Rect| residue.is_solid(bar);
    regions.figures = labels::with_charts(regions.figures, &visible, &is_solid);
    let mut marks = marks::of_ink(&visible, &mut regions, &mut residue);
    marks.areas.extend(covered);
    marks.areas.extend(glyphs.signs.iter().filter(|_| are_few));
    if regions.unshown || is_overprinted || marks.are_many {
        warnings.push(DoubtKind::Words);
    }
    let mut composed = arrange(visible, regions, page);
    if marks::apply(&mut composed, &marks.areas) {
        warnings.push(DoubtKind::Words);
    }
    composed.doubts.append(&mut warnings);
    composed.doubts.sort_unstable();
    composed.doubts.dedup();
    composed
}

fn is_on_page(glyph: &Glyph, sight: &Sight) -> bool {
    // A glyph without a width is a part of the previous letter.
    let shows = !glyph.has_width() || !glyph.is_word() || sight.contrast.shows(&core(glyph));
    !glyph.hidden && shows && sight.ink(glyph) != Ink::Nowhere
}

/// Treats a decoration outside the margins as text, so that a file cannot hide text by its tags.
fn keep_as_text(letters: &mut [Glyph], height: f32) {
    let low = MARGIN * height;
    for glyph in letters {
        let in_margin = glyph.baseline < low || glyph.baseline > height - low;
        glyph.furniture &= in_margin || glyph.turned;
    }
}

fn arrange(mut letters: Vec<Glyph>, regions: Regions, page: &Page<'_>) -> Composed {
    let text = text_of(&paragraphs::paragraphs(lines::rows(letters.clone())));
    let Regions { figures, frames, tables, specks, .. } = regions;
    let figures = labels::with_labels(figures, &letters);
    let figures =
        figures.into_iter().map(|area| figure(area, &mut letters, &page.sight.contrast)).collect();
    let (furniture, letters): (Vec<Glyph>, Vec<Glyph>) =
        letters.into_iter().partition(|glyph| glyph.furniture || glyph.turned);
    let rtl = paragraphs::is_rtl(&letters);
    let tagged = by_tags(&letters, page, rtl);
    let tagged_disorder =
        tagged.as_ref().map(|paragraphs| order::disorder(&spots(paragraphs), rtl));
    let mut warnings = Vec::new();
    let paragraphs = match (tagged, tagged_disorder) {
        (Some(tagged), Some(0)) => tagged,
        (tagged, disorder) => {
            let mut drawn = by_place(letters, &tables, &specks, rtl);
            let mut drawn_disorder = order::disorder(&spots(&drawn), rtl);
            if drawn_disorder > DISORDER_WORDS {
                let rearranged = with_margins_outside(drawn.clone(), page.height);
                let rearranged_disorder = order::disorder(&spots(&rearranged), rtl);
                if rearranged_disorder < drawn_disorder {
                    (drawn, drawn_disorder) = (rearranged, rearranged_disorder);
                }
            }
            if drawn_disorder.min(disorder.unwrap_or(usize::MAX)) > DISORDER_WORDS {
                warnings.push(DoubtKind::Order);
            }
            match tagged {
                Some(tagged) if disorder.is_some_and(|disorder| disorder < drawn_disorder) => {
                    tagged
                }
                _ => drawn,
            }
        }
    };
    let mut paragraphs = with_furniture(paragraphs, furniture, page.height);
    neighbours::check(&mut paragraphs);
    Composed { paragraphs, figures, frames, doubts: warnings, words: text }
}

fn text_of(paragraphs: &[Paragraph]) -> String {
    let texts: Vec<String> = paragraphs.iter().map(Paragraph::text).collect();
    texts.join("\n")
}

/// Creates a figure and removes the letters in it from the page.
fn figure(area: Rect, letters: &mut Vec<Glyph>, contrast: &Contrast) -> Figure {
    let inside: Vec<Glyph> = letters.extract_if(.., |glyph| glyph.is_in(&area)).collect();
    let rtl = paragraphs::is_rtl(&inside);
    let text = text_of(&paragraphs::paragraphs(lines::rows(inside)));
    Figure { area, text, rtl, look: contrast.look(&area) }
}

/// Adds headers before the text and footers after it.
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

/// Moves headers to the beginning and footers to the end. Many programs draw both before or after
/// the text.
fn with_margins_outside(mut paragraphs: Vec<Paragraph>, height: f32) -> Vec<Paragraph> {
    let (top, bottom) = (f64::from(MARGIN * height), f64::from((1.0 - MARGIN) * height));
    paragraphs.sort_by_key(|paragraph| match paragraph.area() {
        Some(area) if area.y1 < top => 0,
        Some(area) if area.y0 > bottom => 2,
        _ => 1,
    });
    paragraphs
}

/// An element of the tags: its first position, its type, and its letters with their order.
type Element<'a> = (u32, Leaf, Vec<(u32, &'a Glyph)>);

/// Composes the page by the structure tree. Words without an element, such as the labels of a
/// drawing, are placed after the element that is drawn before them. Returns `None` if the page
/// begins with such words.
fn by_tags(letters: &[Glyph], page: &Page<'_>, rtl: bool) -> Option<Vec<Paragraph>> {
    if !page.tags.are_clear(page.index) {
        return None;
    }
    let mut elements: BTreeMap<u32, Element<'_>> = BTreeMap::new();
    let mut last: Option<Leaf> = None;
    let mut loose = 0;
    for (at, glyph) in letters.iter().enumerate() {
        let leaf = glyph.tag.and_then(|tag| page.tags.leaf(page.index, tag));
        // The hyphen of a divided word, or the dots before a page number, but not the sign of a
        // number.
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
        let (first, _, members) =
            elements.entry(leaf.element).or_insert_with(|| (leaf.order, leaf, Vec::new()));
        *first = leaf.order.min(*first);
        members.push((leaf.order, glyph));
    }
    let mut elements: Vec<_> = elements.into_values().collect();
    elements.sort_by_key(|(first, ..)| *first);
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut cells = Vec::new();
    for (_, leaf, mut members) in elements {
        members.sort_by_key(|(order, _)| *order);
        let glyphs: Vec<Glyph> = members.into_iter().map(|(_, glyph)| glyph.clone()).collect();
        if let Role::Cell(place) = leaf.role {
            cells.push((place, glyphs));
            continue;
        }
        paragraphs.extend(tables::tagged(std::mem::take(&mut cells), rtl));
        let mut paragraph = paragraphs::whole(lines::rows(glyphs), rtl);
        paragraph.tagged = Some(leaf);
        paragraphs.extend(Some(paragraph).filter(|paragraph| !paragraph.pieces.is_empty()));
    }
    paragraphs.extend(tables::tagged(cells, rtl));
    Some(join_markers(paragraphs))
}

/// Adds the marker of an item to its text.
fn join_markers(paragraphs: Vec<Paragraph>) -> Vec<Paragraph> {
    let mut result: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    let role = |paragraph: &Paragraph| paragraph.tagged.map(|leaf| leaf.role);
    for mut next in paragraphs {
        let marker = result.pop_if(|last| {
            role(last) == Some(Role::Marker)
                && role(&next) == Some(Role::Item)
                && last.tagged.map(|leaf| leaf.item) == next.tagged.map(|leaf| leaf.item)
        });
        if let Some(marker) = marker {
            next.label = Some(marker.text());
        }
        result.push(next);
    }
    result
}

/// Composes the page by the positions of the letters, in the order in which they are drawn.
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
