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
use super::residue::{self, Residue, SIGN_PX};
use super::sight::Sight;

/// Minimum share of a glyph that another one covers.
const COVERED: f32 = 0.06;

/// Maximum number of pieces of ink that are examined.
const PIECES_MAX: usize = 4_000;

/// Maximum size of a bullet, in font sizes of its line, and its distance from it.
const BULLET_EM: f64 = 0.55;
const BULLET_GAP_EM: f64 = 3.0;

/// Distance at which a sign belongs to a line, in font sizes.
const BESIDE_EM: f64 = 6.0;

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
    for piece in small {
        sign(&piece.area, &text, residue, regions, &mut marks);
    }
    marks
}

/// Returns whether a solid sign is in the upper or lower margin, where running heads have the mark of
/// a firm.
fn is_logo(area: &Rect, residue: &Residue) -> bool {
    let (height, margin) = (residue.height(), f64::from(MARGIN) * residue.height());
    let in_margin = area.y1 < margin || area.y0 > height - margin;
    in_margin && is_sign(area) && residue.is_solid(area)
}

fn is_sign(area: &Rect) -> bool {
    area.width() <= SIGN_PX && area.height() <= SIGN_PX
}

fn sign(area: &Rect, text: &Text<'_>, residue: &Residue, regions: &mut Regions, marks: &mut Marks) {
    if area.width() < 2.0 && area.height() < 2.0 || text.is_underline(area) {
        return;
    }
    let is_rule = area.height() <= 4.0 && area.width() >= 12.0
        || area.width() <= 4.0 && area.height() >= 12.0;
    match text.beside(area) {
        Some(_) if text.is_bullet(area) && residue.is_solid(area) => {}
        Some(_) if is_rule && !text.touches(area) => {}
        Some(_) if is_logo(area, residue) && !text.touches(area) => {}
        Some(line) => marks.areas.push(area.union(line)),
        None if is_rule => {}
        None if area.width() >= ALONE_PX && area.height() >= ALONE_PX => {
            let is_shown = regions.figures.iter().any(|figure| figure.overlaps(*area));
            let is_speck = regions.specks.iter().any(|speck| speck.overlaps(*area));
            if !is_shown && !is_speck {
                regions.figures.push(area.inflate(2.0, 2.0));
            }
        }
        None => {}
    }
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

/// The text of a page, for the distance of ink from it.
struct Text<'a> {
    letters: Vec<(&'a Glyph, Rect)>,
}

impl<'a> Text<'a> {
    fn of(letters: &'a [Glyph]) -> Self {
        let inked = letters.iter().filter_map(|glyph| Some((glyph, glyph.ink?)));
        Self { letters: inked.collect() }
    }

    /// Returns whether a thin straight line passes through a letter.
    fn crosses(&self, rule: &Rect) -> bool {
        let is_level = rule.width() > rule.height();
        let (x, y) = (rule.center().x, rule.center().y);
        self.letters.iter().any(|(glyph, ink)| {
            if is_level {
                let low = f64::from(glyph.baseline) - 0.05 * f64::from(glyph.size);
                let low = if glyph.turned { ink.y1 - 1.0 } else { low.min(ink.y1 - 1.0) };
                let common = rule.x1.min(ink.x1) - rule.x0.max(ink.x0);
                ink.y0 + 1.0 < y && y < low && common > 0.5 * ink.width()
            } else {
                let common = rule.y1.min(ink.y1) - rule.y0.max(ink.y0);
                ink.x0 + 1.0 < x && x < ink.x1 - 1.0 && common > 0.5 * ink.height()
            }
        })
    }

    /// Returns whether ink is among the letters of a line.
    fn touches(&self, area: &Rect) -> bool {
        self.letters.iter().any(|(glyph, _)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let line = Rect::new(
                f64::from(glyph.left) - 0.25 * size,
                baseline - 0.75 * size,
                f64::from(glyph.right) + 0.25 * size,
                baseline,
            );
            !glyph.turned && line.overlaps(*area)
        })
    }

    /// Returns whether thin ink is below the letters of a line.
    fn is_underline(&self, area: &Rect) -> bool {
        area.height() <= 4.0
            && area.width() >= 4.0
            && self.letters.iter().any(|(glyph, ink)| {
                let below = (area.y0 - f64::from(glyph.baseline)) / f64::from(glyph.size);
                let common = area.x1.min(ink.x1) - area.x0.max(ink.x0);
                (-0.02..0.35).contains(&below) && common > 0.0
            })
            && !self.touches(area)
    }

    /// Returns whether a figure is a part of a line: a sign next to it, or a picture of words in it.
    fn is_among(&self, figure: &Rect) -> bool {
        if is_sign(figure) {
            return self.beside(figure).is_some();
        }
        self.letters.iter().any(|(glyph, ink)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let gap = (figure.x0 - ink.x1).max(ink.x0 - figure.x1);
            let level = (baseline - 0.8 * size..baseline + 0.1 * size).contains(&figure.center().y);
            level && gap < 2.0 * size && figure.height() < 1.8 * size && !glyph.furniture
        })
    }

    /// Returns the letter of the line that ink belongs to.
    fn beside(&self, area: &Rect) -> Option<Rect> {
        let middle = area.center().y;
        let near = self.letters.iter().filter_map(|(glyph, ink)| {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let gap = (area.x0 - ink.x1).max(ink.x0 - area.x1).max(0.0);
            let is_level = (baseline - 1.1 * size..baseline + 0.35 * size).contains(&middle);
            (is_level && gap < BESIDE_EM * size && !glyph.furniture && !glyph.turned)
                .then_some((gap, *ink))
        });
        near.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, ink)| ink)
    }

    /// Returns whether ink has the size and the place of the bullet of a line.
    fn is_bullet(&self, area: &Rect) -> bool {
        let middle = area.center().y;
        let (mut before, mut after, mut size_of_line) = (false, false, 0.0_f64);
        for (glyph, ink) in &self.letters {
            let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
            let is_level = (baseline - 0.7 * size..baseline).contains(&middle);
            let reach = BULLET_GAP_EM * size;
            if !is_level {
                continue;
            }
            size_of_line = size_of_line.max(size);
            before |= ink.x0 >= area.x1 && ink.x0 - area.x1 < reach;
            after |= ink.x1 <= area.x0 && area.x0 - ink.x1 < reach;
        }
        before != after && area.width().max(area.height()) <= BULLET_EM * size_of_line + 1.0
    }
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
