//! Checks after composing that what the text puts side by side is side by side on the page: a value
//! is next to its case, a column is read downwards, and words that touch are in one sentence.

use hayro::kurbo::Rect;

use super::paragraphs::Paragraph;
use super::piece::Piece;

/// Maximum length of a value such as a price.
const VALUE_CHARS: usize = 14;

/// Maximum gap between two words of one sentence, in font sizes.
const TOUCHING_EM: f32 = 0.8;

/// Maximum difference of the baselines of one line, in font sizes.
const LEVEL_EM: f32 = 0.2;

/// Maximum number of paragraphs that are compared.
const PARAGRAPHS_MAX: usize = 600;

/// Marks the paragraphs whose neighbours on the page are elsewhere in the text.
pub(super) fn check(paragraphs: &mut Vec<Paragraph>) {
    if paragraphs.len() > PARAGRAPHS_MAX {
        return;
    }
    values_with_their_cases(paragraphs);
    columns_by_rows(paragraphs);
    torn_lines(paragraphs);
}

fn is_text(paragraph: &Paragraph) -> bool {
    !paragraph.furniture() && paragraph.rows.is_empty()
}

/// Joins values that are drawn after their cases with these, as parts of the page.
fn values_with_their_cases(paragraphs: &mut Vec<Paragraph>) {
    let mut at = 0;
    let mut has_joined = false;
    while at < paragraphs.len() {
        let value = &paragraphs[at];
        let case = value.area().filter(|_| is_text(value) && is_value(value)).and_then(|area| {
            // A value right after its case is read with it.
            let before = at.checked_sub(if has_joined { 1 } else { 2 })?;
            (0..=before).rev().find(|other| is_level_left(&paragraphs[*other], &area))
        });
        let Some(case) = case else {
            at += 1;
            continue;
        };
        has_joined = true;
        let value = paragraphs.remove(at);
        let own = value.area().unwrap_or_default();
        let case = &mut paragraphs[case];
        case.marked = case.marked.or(case.area()).map(|area| area.union(own));
        case.pieces.extend(value.pieces);
    }
}

fn is_value(paragraph: &Paragraph) -> bool {
    let text = paragraph.text();
    let figures = text.chars().filter(|letter| letter.is_numeric()).count();
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let value_sign = text.contains(['.', ',', '€', '$', '£', '%']);
    paragraph.pieces.len() == 1
        && text.chars().count() <= VALUE_CHARS
        && figures > 0
        && letters <= 3
        && (value_sign || letters == 0)
        && super::marker::at_start(&format!("{text} x")).is_none()
}

fn is_level_left(case: &Paragraph, value: &Rect) -> bool {
    let Some(area) = case.area().filter(|_| is_text(case)) else { return false };
    let letters = case.text().chars().filter(|letter| letter.is_alphabetic()).count();
    area.x1 < value.x0 && (area.y0..area.y1).contains(&value.center().y) && letters > 2
}

/// Marks tables whose columns are running text.
fn columns_by_rows(paragraphs: &mut Vec<Paragraph>) {
    let mut at = 0;
    while at < paragraphs.len() {
        if !paragraphs[at].cells || !is_running_text(&paragraphs[at]) {
            at += 1;
            continue;
        }
        // The end of a column that is longer than the other one.
        let is_rest = |table: &Paragraph, next: &Paragraph| {
            let (Some(last), Some(first)) = (table.pieces.last(), next.first()) else {
                return false;
            };
            let step = (first.baseline - last.baseline) / last.size;
            let is_aligned =
                table.pieces.iter().any(|piece| (piece.left - first.left).abs() < 0.3 * piece.size);
            is_text(next) && (0.0..2.0).contains(&step) && is_aligned
        };
        while at + 1 < paragraphs.len() && is_rest(&paragraphs[at], &paragraphs[at + 1]) {
            let rest = paragraphs.remove(at + 1);
            paragraphs[at].pieces.extend(rest.pieces);
        }
        paragraphs[at].marked = paragraphs[at].area();
        at += 1;
    }
}

/// Returns whether the cells of most rows continue in the next row, in two columns.
fn is_running_text(table: &Paragraph) -> bool {
    let continued = |column: usize| {
        let cells: Vec<&str> = table
            .rows
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.text.trim())
            .collect();
        let steps = cells.windows(2).filter(|pair| {
            let open = !pair[0].ends_with(['.', ':', ';', '!', '?', '؟', '۔']);
            let words = pair[0].split(' ').count();
            open && words >= 3 && pair[1].starts_with(|c: char| c.is_lowercase() || !c.is_ascii())
        });
        cells.len() >= 3 && steps.count() * 2 >= cells.len() - 1
    };
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..columns).filter(|column| continued(*column)).count() >= 2
}

/// Marks paragraphs with words that touch on the page and are apart in the text.
fn torn_lines(paragraphs: &mut [Paragraph]) {
    let mut torn = Vec::new();
    for (one, a) in paragraphs.iter().enumerate().filter(|(_, a)| is_text(a)) {
        for (other, b) in paragraphs.iter().enumerate().filter(|(_, b)| is_text(b)) {
            let follows = other == one + 1 && !a.rtl || one == other + 1 && a.rtl;
            if one == other || follows {
                continue;
            }
            let touching =
                a.pieces.iter().any(|left| b.pieces.iter().any(|right| touch(left, right)));
            if touching {
                torn.extend([one, other]);
            }
        }
    }
    for at in torn {
        let area = paragraphs[at].area();
        let paragraph = &mut paragraphs[at];
        paragraph.marked = paragraph.marked.or(area);
    }
}

fn touch(left: &Piece, right: &Piece) -> bool {
    let size = left.size.min(right.size);
    let gap = right.left - left.right;
    (-0.2 * size..TOUCHING_EM * size).contains(&gap)
        && (left.baseline - right.baseline).abs() < LEVEL_EM * size
        && !left.turned
        && !right.turned
}
