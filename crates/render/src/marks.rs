//! Finds the parts of a page that its text does not say: strikes, crosses, covers, drawn signs and
//! words, boxes. Their lines, with what belongs to them, are shown as parts of the page image.

use hayro::kurbo::Rect;
use unicode_bidi::{BidiClass, bidi_class};

use super::claims::Ink;
use super::composed::{Composed, Figure};
use super::glyphs::Glyph;
use super::margins::MARGIN;
use super::paragraphs::Paragraph;
use super::piece::Piece;
use super::regions::Regions;
use super::residue::{self, Residue, is_sign};
use super::sentences;
use super::sight::Sight;
use super::text_places::Text;

/// Minimum share of a glyph that another one covers.
const COVERED: f32 = 0.06;

/// Maximum number of pieces of ink that are examined.
const PIECES_MAX: usize = 4_000;

/// Minimum size of a sign that is shown where no text is near.
const ALONE_PX: f64 = 5.0;

/// Share of the words of a page above which the whole page is shown instead of parts.
const MOSTLY: f64 = 0.6;

#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) areas: Vec<Rect>,
    /// Whether there is too much to examine.
    pub(super) are_many: bool,
}

/// Returns the glyphs that are partly covered, or that cover each other.
pub(super) fn of_glyphs(visible: &[Glyph], hidden: &[Glyph], sight: &Sight) -> Vec<Rect> {
    let partly = visible.iter().filter(|glyph| sight.ink(glyph) == Ink::Partly);
    let points = hidden
        .iter()
        .filter(|glyph| !glyph.hidden && !glyph.is_word() && !glyph.text.trim().is_empty());
    let mut areas: Vec<Rect> = partly.chain(points).filter_map(|glyph| glyph.ink).collect();
    let by_outline = |outline: usize| {
        let at =
            visible.binary_search_by_key(&(outline as u32), |glyph| glyph.outline.unwrap_or(0));
        at.ok().map(|at| &visible[at])
    };
    let is_sorted = visible.is_sorted_by_key(|glyph| glyph.outline.unwrap_or(0));
    let linear =
        |outline: usize| visible.iter().find(|glyph| glyph.outline == Some(outline as u32));
    for &(one, other, share) in &sight.overlaps {
        if share < COVERED {
            continue;
        }
        let find = |outline| if is_sorted { by_outline(outline) } else { linear(outline) };
        let (Some(a), Some(b)) = (find(one), find(other)) else { continue };
        if !may_overlap(a, b) {
            areas.extend(a.ink.zip(b.ink).map(|(a, b)| a.intersect(b)));
        }
    }
    areas
}

/// Returns whether two glyphs cover each other in ordinary text: a second print, letters that are
/// joined, a letter and its mark.
fn may_overlap(a: &Glyph, b: &Glyph) -> bool {
    let close = 0.13 * a.size.min(b.size);
    let twice = a.text == b.text
        && (a.left - b.left).abs() < close
        && (a.baseline - b.baseline).abs() < close;
    twice || !a.has_width() || !b.has_width() || is_joined(a) || is_joined(b)
}

/// Returns whether a glyph belongs to a script whose letters touch each other.
fn is_joined(glyph: &Glyph) -> bool {
    glyph.text.chars().any(|letter| {
        let of_right = matches!(bidi_class(letter), BidiClass::R | BidiClass::AL | BidiClass::NSM);
        of_right || ('\u{900}'..'\u{1100}').contains(&letter) || letter == '_'
    })
}

/// Returns the ink that is neither a letter nor a proven rule, frame or bullet. Small figures next to
/// text become a part of their lines.
pub(super) fn of_ink(letters: &[Glyph], regions: &mut Regions, residue: &mut Residue) -> Marks {
    let text = Text::of(letters);
    let mut marks = Marks::default();
    let (signs, figures): (Vec<Rect>, Vec<Rect>) = std::mem::take(&mut regions.figures)
        .into_iter()
        .partition(|figure| text.is_among(figure) && !is_logo(figure, residue));
    regions.figures = figures;
    for sign in &signs {
        residue.clear(&sign.inflate(2.0, 2.0));
        marks.areas.extend(text.beside(sign).map(|line| sign.union(line)));
    }
    for figure in &regions.figures {
        residue.clear(&figure.inflate(3.0, 3.0));
    }
    let pieces = residue.pieces();
    if pieces.len() > PIECES_MAX {
        marks.are_many = true;
        return marks;
    }
    let (mut small, large): (Vec<residue::Piece>, Vec<residue::Piece>) =
        pieces.into_iter().partition(|piece| is_sign(&piece.area));
    for piece in &small {
        residue.clear(&piece.area);
    }
    for piece in &large {
        residue.remove_rules(piece, &|rule| text.crosses(rule));
    }
    remove_dotted_rules(&mut small, &text);
    for piece in residue.pieces() {
        // The remains where rules meet, or where a frame has round corners.
        if text.touches(&piece.area) {
            marks.areas.push(piece.area);
        }
    }
    let mut alone = Vec::new();
    for piece in small {
        if !sign(&piece.area, &text, residue, regions, &mut marks) {
            alone.push(piece.area);
        }
    }
    regions.figures.extend(drawn_words(alone));
    marks
}

/// Returns whether a solid sign is in the upper or lower margin, where running heads have the mark of
/// a firm.
fn is_logo(area: &Rect, residue: &Residue) -> bool {
    let (height, margin) = (residue.height(), f64::from(MARGIN) * residue.height());
    let in_margin = area.y1 < margin || area.y0 > height - margin;
    in_margin && is_sign(area) && residue.is_solid(area)
}

/// Returns whether a sign is shown, or is proven to be a rule, a bullet or the mark of a firm.
fn sign(
    area: &Rect,
    text: &Text<'_>,
    residue: &Residue,
    regions: &mut Regions,
    marks: &mut Marks,
) -> bool {
    if area.width() < 2.0 && area.height() < 2.0 || text.is_underline(area) {
        return true;
    }
    let is_rule = area.height() <= 4.0 && area.width() >= 12.0
        || area.width() <= 4.0 && area.height() >= 12.0;
    match text.beside(area) {
        Some(_) if text.is_bullet(area) && residue.is_solid(area) => {}
        Some(_) if is_rule && !text.touches(area) => {}
        Some(_) if is_logo(area, residue) && !text.touches(area) => {}
        Some(_) if text.is_side_bar(area) && residue.is_solid(&area.inflate(-1.0, -1.0)) => {}
        Some(line) => marks.areas.push(area.union(line)),
        None if is_rule => return false,
        None if area.width() >= ALONE_PX && area.height() >= ALONE_PX => {
            let is_shown = regions.figures.iter().any(|figure| figure.overlaps(*area));
            let is_speck = regions.specks.iter().any(|speck| speck.overlaps(*area));
            if !is_shown && !is_speck {
                regions.figures.push(area.inflate(2.0, 2.0));
            }
        }
        None => return false,
    }
    true
}

/// Returns the areas of words that are drawn by strokes, in lines without text.
fn drawn_words(strokes: Vec<Rect>) -> Vec<Rect> {
    const STROKES: usize = 3;
    const GAP_PX: f64 = 10.0;
    let mut words: Vec<(Rect, usize)> = Vec::new();
    for stroke in strokes.into_iter().filter(|stroke| stroke.height() >= 4.0) {
        let (mut word, mut count) = (stroke, 1);
        while let Some(at) = words.iter().position(|(other, _)| {
            let is_level = (other.y1 - word.y1).abs() < 3.0;
            is_level && other.inflate(GAP_PX, 0.0).overlaps(word)
        }) {
            let (other, others) = words.swap_remove(at);
            (word, count) = (word.union(other), count + others);
        }
        words.push((word, count));
    }
    let words = words.into_iter().filter(|(_, count)| *count >= STROKES);
    words.map(|(word, _)| word.inflate(2.0, 2.0)).collect()
}

/// Removes rows and columns of at least six equal dots or dashes that cross no letter, such as the
/// line of a form that is filled in by hand or a dashed frame.
fn remove_dotted_rules(small: &mut Vec<residue::Piece>, text: &Text<'_>) {
    let areas: Vec<Rect> = small.iter().map(|piece| piece.area).collect();
    let turned: Vec<Rect> =
        areas.iter().map(|area| Rect::new(area.y0, area.x0, area.y1, area.x1)).collect();
    let mut proven = vec![false; small.len()];
    for level in [&areas, &turned] {
        for rule in dotted(level) {
            let whole = rule.iter().map(|at| areas[*at]).reduce(|all, next| all.union(next));
            if !text.crosses(&whole.unwrap_or_default()) {
                rule.iter().for_each(|at| proven[*at] = true);
            }
        }
    }
    // The dashes at the round corners of a frame.
    for _ in 0..3 {
        let near: Vec<Rect> = (0..areas.len())
            .filter(|at| proven[*at])
            .map(|at| areas[at].inflate(10.0, 10.0))
            .collect();
        for at in 0..areas.len() {
            proven[at] |=
                !text.touches(&areas[at]) && near.iter().any(|near| near.overlaps(areas[at]));
        }
    }
    let mut proven = proven.into_iter();
    small.retain(|_| !proven.next().unwrap_or(false));
}

/// Returns the rows of at least six thin dots or dashes with equal heights.
fn dotted(areas: &[Rect]) -> Vec<Vec<usize>> {
    const LEAST: usize = 6;
    let mut order: Vec<usize> = (0..areas.len()).filter(|at| areas[*at].height() <= 5.0).collect();
    let row = |area: &Rect| (area.center().y / 2.0).round() as i64;
    order.sort_by(|a, b| {
        let (a, b) = (&areas[*a], &areas[*b]);
        row(a).cmp(&row(b)).then(a.x0.total_cmp(&b.x0))
    });
    let follows = |a: &usize, b: &usize| {
        let (a, b) = (&areas[*a], &areas[*b]);
        row(a) == row(b) && (a.height() - b.height()).abs() <= 1.0 && b.x0 - a.x1 < 14.0
    };
    let rules = order.chunk_by(follows).filter(|rule| rule.len() >= LEAST);
    rules.map(<[usize]>::to_vec).collect()
}

/// Marks the paragraphs that have one of the areas in a line. Returns whether they are most of the
/// page.
pub(super) fn apply(composed: &mut Composed, areas: &[Rect]) -> bool {
    let mut lone = Vec::new();
    for area in areas {
        let hits: Vec<usize> = composed
            .paragraphs
            .iter()
            .enumerate()
            .filter(|(_, paragraph)| paragraph.pieces.iter().any(|piece| is_in(area, piece)))
            .map(|(at, _)| at)
            .collect();
        let is_shown = composed.figures.iter().any(|figure| figure.area.overlaps(*area));
        if hits.is_empty() && !is_shown {
            lone.push(*area);
        }
        for at in hits {
            let paragraph = &mut composed.paragraphs[at];
            paragraph.marked = paragraph.marked.or(paragraph.area()).map(|own| own.union(*area));
        }
    }
    for paragraph in &mut composed.paragraphs {
        if paragraph.pieces.iter().any(|piece| piece.unsure) && paragraph.marked.is_none() {
            paragraph.marked = paragraph.area();
        }
    }
    for area in lone {
        let area = area.inflate(4.0, 4.0);
        composed.figures.push(Figure { area, text: String::new(), rtl: false, look: 0 });
    }
    sentences::extend_marks(composed);
    join(&mut composed.paragraphs);
    let letters = |paragraph: &Paragraph| paragraph.text().chars().count() as f64;
    let all: f64 = composed.paragraphs.iter().map(letters).sum();
    let marked = composed.paragraphs.iter().filter(|paragraph| paragraph.marked.is_some());
    marked.clone().count() > 3 && marked.map(letters).sum::<f64>() > MOSTLY * all
}

fn is_in(area: &Rect, piece: &Piece) -> bool {
    let (size, baseline) = (f64::from(piece.size), f64::from(piece.baseline));
    let line = Rect::new(
        f64::from(piece.left) - 0.8 * size,
        baseline - 0.85 * size,
        f64::from(piece.right) + 0.8 * size,
        baseline + 0.2 * size,
    );
    line.overlaps(*area)
}

/// Joins marked paragraphs that follow each other and share lines, so that a sentence is one part.
fn join(paragraphs: &mut Vec<Paragraph>) {
    let mut joined: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    for next in paragraphs.drain(..) {
        let last = joined.last_mut().and_then(|last| Some((last.marked?, last)));
        match (last, next.marked) {
            (Some((above, last)), Some(own))
                if above.y1.min(own.y1) - above.y0.max(own.y0) > 4.0 =>
            {
                last.marked = Some(above.union(own));
                last.pieces.extend(next.pieces);
            }
            _ => joined.push(next),
        }
    }
    *paragraphs = joined;
}
