//! Finds visible content of a page besides its letters: figures, frames around text, ruled tables,
//! specks.

use hayro::kurbo::Rect;

use super::contrast::{Contrast, SQUARE_PX};
use super::glyphs::Glyph;
use super::margins::MARGIN;
use super::side_bars;
use super::strokes::Strokes;

/// Maximum distance of squares that belong together.
const REACH: usize = 2;

/// Minimum size of a figure, in pixels of the 1x image. Smaller content is a rule or a speck.
const FIGURE_PX: f64 = 11.0;

/// Minimum number of letters in a frame. Fewer are labels of a figure.
const FRAMED_LETTERS: usize = 16;

/// Maximum share of ink in a frame, which has ink only along its edges.
const FRAME_INK: f64 = 0.3;

/// Minimum share of the ink along the edges. With less, it is a drawing with labels.
const FRAME_EDGE: f64 = 0.9;

/// Maximum number of letters over a picture. With more, it is text with a background picture.
const LABEL_LETTERS: usize = 240;

/// Content that covers more of the page is a background.
const BACKGROUND: f64 = 0.75;

/// Maximum number of rules that are examined for tables, and maximum number of cells in a table.
const RULES_MAX: usize = 1_200;
const CELLS_MAX: usize = 4_000;

/// Rules that are closer are treated as one.
const SAME_RULE_PX: f64 = 6.0;

/// Maximum number of figures. A page with more is shown as an image.
const FIGURES_MAX: usize = 40;

#[derive(Debug, Clone, Default)]
pub(super) struct Regions {
    pub(super) figures: Vec<Rect>,
    pub(super) frames: Vec<Rect>,
    pub(super) tables: Vec<Grid>,
    /// Bullets that are drawn and not written.
    pub(super) specks: Vec<Rect>,
    /// Whether something else is visible.
    pub(super) unshown: bool,
}

/// The rules of a table.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    pub(super) area: Rect,
    /// Positions of the vertical rules from left to right, including the outer ones.
    pub(super) columns: Vec<f64>,
    /// Positions of the horizontal rules from the top, including the outer ones.
    pub(super) rows: Vec<f64>,
    level: Vec<Rect>,
    upright: Vec<Rect>,
}

impl Grid {
    /// Returns the cell that each cell belongs to, row by row. Cells without a rule between them
    /// are one cell.
    pub(super) fn owners(&self) -> Vec<usize> {
        let (columns, rows) = (self.columns.len() - 1, self.rows.len() - 1);
        let mut owners: Vec<usize> = (0..columns * rows).collect();
        for row in 0..rows {
            let height = self.rows[row].midpoint(self.rows[row + 1]);
            for column in 0..columns {
                let (at, across) = (
                    row * columns + column,
                    self.columns[column].midpoint(self.columns[column + 1]),
                );
                let has_left_rule = self.upright.iter().any(|rule| {
                    (rule.center().x - self.columns[column]).abs() < SAME_RULE_PX
                        && (rule.y0..=rule.y1).contains(&height)
                });
                let above = self.level.iter().any(|rule| {
                    (rule.center().y - self.rows[row]).abs() < SAME_RULE_PX
                        && (rule.x0..=rule.x1).contains(&across)
                });
                if column > 0 && !has_left_rule {
                    owners[at] = owners[at - 1];
                } else if row > 0 && !above {
                    owners[at] = owners[at - columns];
                }
            }
        }
        owners
    }
}

/// Returns the area of a glyph's letters, from the top of the capital letters to the bottom of the
/// descenders.
pub(super) fn body(glyph: &Glyph) -> Rect {
    let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
    let (left, right) = (f64::from(glyph.left), f64::from(glyph.right));
    Rect::new(left, baseline - 0.8 * size, right, baseline + 0.2 * size)
}

/// Returns the area in which a visible letter has ink. For Latin letters and digits it is the
/// middle part, so that a rule below them or adjacent lines are not mistaken for the letter.
pub(super) fn core(glyph: &Glyph) -> Rect {
    let body = body(glyph);
    if glyph.turned || !glyph.text.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return body;
    }
    let (size, baseline) = (f64::from(glyph.size), f64::from(glyph.baseline));
    Rect::new(body.x0, baseline - 0.45 * size, body.x1, baseline - 0.08 * size)
}

pub(super) fn find(contrast: &Contrast, letters: &[Glyph], strokes: &Strokes) -> Regions {
    let side = f64::from(SQUARE_PX);
    let page = (contrast.columns as f64 * side) * (contrast.rows as f64 * side);
    let mut regions = Regions { tables: grids(strokes, letters), ..Regions::default() };
    let rules = margin_rules(strokes, contrast);
    for Ink { area, squares, edge } in inks(contrast, letters, &regions.tables, &rules) {
        let (width, height) = (area.width(), area.height());
        if width < FIGURE_PX && height < FIGURE_PX {
            regions.specks.push(area);
            continue;
        }
        if width < FIGURE_PX || height < FIGURE_PX {
            regions.frames.extend(side_bars::marked_area(
                &area,
                letters,
                contrast.columns as f64 * side,
            ));
            continue;
        }
        let inside = letters.iter().filter(|glyph| glyph.is_word() && glyph.is_in(&area)).count();
        let ink = squares as f64 / (area.area() / (side * side));
        if inside >= FRAMED_LETTERS && ink < FRAME_INK && edge > FRAME_EDGE {
            if area.area() < BACKGROUND * page {
                regions.frames.push(area);
            }
        } else if inside <= LABEL_LETTERS && (inside == 0 || area.area() < BACKGROUND * page) {
            regions.figures.push(area);
        } else {
            regions.unshown = true;
        }
    }
    let pictures = strokes.pictures.iter().filter(|picture| picture.area() < BACKGROUND * page);
    for figure in &mut regions.figures {
        for picture in pictures.clone() {
            let common = figure.intersect(*picture).area();
            if common > 0.3 * figure.area().min(picture.area()) {
                *figure = figure.union(*picture);
            }
        }
    }
    regions.figures = merge_overlapping(regions.figures);
    regions.unshown |= regions.figures.len() > FIGURES_MAX;
    regions.figures.truncate(FIGURES_MAX);
    regions
}

/// Merges figures that overlap.
fn merge_overlapping(figures: Vec<Rect>) -> Vec<Rect> {
    let mut merged: Vec<Rect> = Vec::new();
    for mut figure in figures {
        while let Some(at) = merged.iter().position(|other| other.intersect(figure).area() > 0.0) {
            figure = figure.union(merged.swap_remove(at));
        }
        merged.push(figure);
    }
    merged.sort_by(|a, b| a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0)));
    merged
}

/// Returns the lines below running headers and above running footers. They would otherwise connect
/// content next to them, such as a logo and the descenders of letters.
fn margin_rules(strokes: &Strokes, contrast: &Contrast) -> Vec<Rect> {
    let side = f64::from(SQUARE_PX);
    let (width, height) = (contrast.columns as f64 * side, contrast.rows as f64 * side);
    let margin = f64::from(MARGIN) * height;
    let is_rule = |rule: &&Rect| {
        let middle = rule.center().y;
        rule.width() > width / 3.0 && (middle < margin || middle > height - margin)
    };
    strokes.level.iter().filter(is_rule).copied().collect()
}

struct Ink {
    area: Rect,
    squares: usize,
    /// Share of its squares along the edges.
    edge: f64,
}

/// Finds connected pieces of ink that are not letters.
fn inks(contrast: &Contrast, letters: &[Glyph], tables: &[Grid], rules: &[Rect]) -> Vec<Ink> {
    let (columns, rows) = (contrast.columns, contrast.rows);
    let mut unassigned: Vec<bool> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .map(|(column, row)| contrast.is_visible(column, row))
        .collect();
    let covered = letters.iter().map(|glyph| {
        let reach = f64::from(glyph.size) * 0.25 + 1.0;
        body(glyph).inflate(2.0, reach)
    });
    let of_margins = rules.iter().map(|rule| rule.inflate(4.0, 4.0));
    let rules = tables.iter().flat_map(|Grid { area, columns, rows, .. }| {
        let upright = columns.iter().map(|x| Rect::new(*x, area.y0, *x, area.y1));
        let level = rows.iter().map(|y| Rect::new(area.x0, *y, area.x1, *y));
        upright.chain(level).map(|rule| rule.inflate(4.0, 4.0))
    });
    for covered in covered.chain(rules).chain(of_margins) {
        let (across, down) = contrast.squares(&covered);
        for row in down {
            for column in across.clone() {
                unassigned[row * columns + column] = false;
            }
        }
    }
    let mut inks = Vec::new();
    let mut pending = Vec::new();
    for start in 0..unassigned.len() {
        if !std::mem::take(&mut unassigned[start]) {
            continue;
        }
        pending.push(start);
        let (mut left, mut right, mut top, mut bottom) = (columns, 0, rows, 0);
        let mut squares = Vec::new();
        while let Some(at) = pending.pop() {
            let (column, row) = (at % columns, at / columns);
            squares.push((column, row));
            (left, right) = (left.min(column), right.max(column));
            (top, bottom) = (top.min(row), bottom.max(row));
            for y in row.saturating_sub(REACH)..(row + REACH + 1).min(rows) {
                for x in column.saturating_sub(REACH)..(column + REACH + 1).min(columns) {
                    if std::mem::take(&mut unassigned[y * columns + x]) {
                        pending.push(y * columns + x);
                    }
                }
            }
        }
        let pixels = |squares: usize| squares as f64 * f64::from(SQUARE_PX);
        let area = Rect::new(pixels(left), pixels(top), pixels(right + 1), pixels(bottom + 1));
        let at_edge = squares.iter().filter(|(column, row)| {
            let across = (column - left).min(right - column);
            across.min(row - top).min(bottom - row) <= REACH
        });
        let edge = at_edge.count() as f64 / squares.len() as f64;
        inks.push(Ink { area, squares: squares.len(), edge });
    }
    inks
}

/// Finds rules that touch each other and form cells.
fn grids(strokes: &Strokes, letters: &[Glyph]) -> Vec<Grid> {
    let all: Vec<&Rect> = strokes.level.iter().chain(&strokes.upright).take(RULES_MAX).collect();
    let mut groups: Vec<usize> = (0..all.len()).collect();
    for at in 0..all.len() {
        let near = all[at].inflate(3.0, 3.0);
        for other in 0..at {
            if groups[at] != groups[other] && touch(&near, all[other]) {
                let (from, to) = (groups[at], groups[other]);
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut grids = Vec::new();
    for group in 0..all.len() {
        let of_group = |rules: &[Rect], start: usize| -> Vec<Rect> {
            let numbered =
                rules.iter().enumerate().filter(|(at, _)| groups.get(start + at) == Some(&group));
            numbered.map(|(_, rule)| *rule).collect()
        };
        let level = of_group(&strokes.level, 0);
        let upright = of_group(&strokes.upright, strokes.level.len());
        let Some(area) = level.iter().chain(&upright).copied().reduce(|all, next| all.union(next))
        else {
            continue;
        };
        let columns = places(upright.iter().map(|rule| rule.x0.midpoint(rule.x1)));
        let rows = places(level.iter().map(|rule| rule.y0.midpoint(rule.y1)));
        let whole = |places: &[f64], extent: f64| {
            places.first().zip(places.last()).is_some_and(|(a, b)| b - a > 0.95 * extent - 8.0)
        };
        let fits = columns.len() > 2
            && rows.len() > 1
            && (columns.len() - 1) * (rows.len() - 1) <= CELLS_MAX
            && whole(&columns, area.width())
            && whole(&rows, area.height())
            && letters.iter().any(|glyph| glyph.is_word() && glyph.is_in(&area));
        if fits {
            grids.push(Grid { area, columns, rows, level, upright });
        }
    }
    grids
}

fn touch(a: &Rect, b: &Rect) -> bool {
    a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1
}

fn places(along: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut places: Vec<f64> = along.collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|next, last| *next - *last < SAME_RULE_PX);
    places
}
