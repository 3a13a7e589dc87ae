//! Finds tables: by tags, by rules around cells, or by aligned cells.

use super::blocks::Cell;
use super::glyphs::Glyph;
use super::lines;
use super::paragraphs::{self, Paragraph};
use super::piece::Piece;
use super::regions::Grid;
use super::tags::Place;

/// Maximum difference of the edges of aligned cells, in font sizes.
const SAME_COLUMN_EM: f32 = 0.6;

/// Combines the cells of tagged tables, in reading order, to one paragraph per table.
pub(super) fn tagged(cells: Vec<(Place, Vec<Glyph>)>, rtl: bool) -> Vec<Paragraph> {
    let mut tables: Vec<Paragraph> = Vec::new();
    let mut last: Option<Place> = None;
    for (place, glyphs) in cells {
        let (cell, mut pieces) = cell(glyphs, place.head, place.columns, rtl);
        let continues = last.is_some_and(|last| last.table == place.table);
        let new_row = last.is_none_or(|last| last.row != place.row);
        match tables.last_mut().filter(|_| continues) {
            Some(table) => {
                table.pieces.append(&mut pieces);
                match table.rows.last_mut().filter(|_| !new_row) {
                    Some(row) => row.push(cell),
                    None => table.rows.push(vec![cell]),
                }
            }
            None => tables.push(Paragraph::table(pieces, vec![vec![cell]], rtl)),
        }
        last = Some(place);
    }
    tables.retain(|table| !table.pieces.is_empty());
    tables
}

fn cell(glyphs: Vec<Glyph>, head: bool, columns: u32, rtl: bool) -> (Cell, Vec<Piece>) {
    let paragraph = paragraphs::whole(lines::rows(glyphs), rtl);
    let cell = Cell { text: paragraph.text(), rtl: paragraph.rtl, head, columns };
    (cell, paragraph.pieces)
}

/// Creates a table from the letters between rules, and removes these letters from the page.
pub(super) fn ruled(grid: &Grid, letters: &mut Vec<Glyph>, rtl: bool) -> Option<Paragraph> {
    let inside: Vec<Glyph> = letters.extract_if(.., |glyph| glyph.is_in(&grid.area)).collect();
    if inside.is_empty() {
        return None;
    }
    let columns = grid.columns.len() - 1;
    let rows = grid.rows.len() - 1;
    let owners = grid.owners();
    let mut cells: Vec<Vec<Glyph>> = vec![Vec::new(); columns * rows];
    for glyph in inside {
        let middle = f64::from(glyph.left + glyph.right) / 2.0;
        let height = f64::from(glyph.baseline - glyph.size * 0.3);
        let band = |edges: &[f64], at: f64, most: usize| {
            edges.iter().filter(|edge| **edge <= at).count().clamp(1, most) - 1
        };
        let (column, row) = (band(&grid.columns, middle, columns), band(&grid.rows, height, rows));
        cells[owners[row * columns + column]].push(glyph);
    }
    let mut all = Vec::new();
    let mut table = Vec::with_capacity(rows);
    let mut cells = cells.into_iter();
    for row in 0..rows {
        let mut row_cells: Vec<Cell> = Vec::with_capacity(columns);
        for (column, glyphs) in cells.by_ref().take(columns).enumerate() {
            let at = row * columns + column;
            if column > 0 && owners[at] == owners[at - 1] {
                if let Some(wide) = row_cells.last_mut() {
                    wide.columns += 1;
                }
                continue;
            }
            let bold =
                !glyphs.is_empty() && glyphs.iter().all(|glyph| glyph.bold || glyph.text == " ");
            let (cell, mut pieces) = cell(glyphs, bold && row == 0, 1, rtl);
            all.append(&mut pieces);
            row_cells.push(cell);
        }
        if rtl {
            row_cells.reverse();
        }
        if row_cells.iter().any(|cell| !cell.text.is_empty()) {
            table.push(row_cells);
        }
    }
    Some(Paragraph::table(all, table, rtl))
}

/// Combines rows of aligned cells to tables.
pub(super) fn aligned(paragraphs: Vec<Paragraph>) -> Vec<Paragraph> {
    let mut result: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    let mut columns: Vec<f32> = Vec::new();
    for next in paragraphs {
        if !next.cells || next.furniture() {
            columns.clear();
            result.push(next);
            continue;
        }
        let starts: Vec<f32> = next.pieces.iter().map(|piece| piece.start(next.rtl)).collect();
        let size = next.size();
        let fits = !columns.is_empty()
            && starts.iter().all(|start| {
                columns.iter().any(|column| (column - start).abs() < SAME_COLUMN_EM * size)
            });
        let row = row_of(&next, &columns, size);
        match result.last_mut().filter(|last| fits && !last.rows.is_empty()) {
            Some(table) => {
                table.pieces.extend(next.pieces);
                table.rows.push(row);
            }
            None => {
                columns = starts;
                let row = row_of(&next, &columns, size);
                result.push(Paragraph { rows: vec![row], ..next });
            }
        }
    }
    // A single row is a line with a gap.
    for table in &mut result {
        if table.cells && table.rows.len() == 1 {
            table.rows.clear();
        }
    }
    result
}

/// Returns a cell for each column, including empty ones.
fn row_of(row: &Paragraph, columns: &[f32], size: f32) -> Vec<Cell> {
    let empty = || Cell { text: String::new(), rtl: row.rtl, head: false, columns: 1 };
    let mut cells: Vec<Cell> = columns.iter().map(|_| empty()).collect();
    for (piece, text) in row.pieces.iter().zip(row.lines()) {
        let start = piece.start(row.rtl);
        let at = columns.iter().position(|column| (column - start).abs() < SAME_COLUMN_EM * size);
        if let Some(cell) = at.and_then(|at| cells.get_mut(at)) {
            paragraphs::append_line(&mut cell.text, text.trim());
            cell.head = piece.bold;
        }
    }
    cells
}
