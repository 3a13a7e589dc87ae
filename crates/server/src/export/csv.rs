//! The one way in which we write CSV: RFC 4180, and no cell that a spreadsheet takes for a formula.
//! `apps/console/src/export/csv.ts` has the same rule; `testdata/csv-cells.json` holds both to it.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};

/// Signs with which a formula begins. Spreadsheets in East Asian languages read the fullwidth forms alike.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// Where a program that expects another separator than the comma divides a cell, and spaces beside it.
const SEPARATORS: [char; 7] = [' ', ',', ';', '|', '\t', '\n', '\r'];
const MARK: char = '\'';
/// Most lines are shorter.
const LINE_BYTES: usize = 512;

/// Whether the text begins with a formula, or with marks before one.
fn is_like_formula(text: &str) -> bool {
    text.trim_start_matches(MARK)
        .starts_with(|c: char| SIGNS.contains(&c) || matches!(c, '\t' | '\r'))
}

/// The place of a formula (with marks before it) that follows separators at the beginning of the text.
fn formula_after_separators(text: &str) -> Option<usize> {
    let unmarked = text.trim_start_matches(MARK);
    let formula = unmarked.trim_start_matches(SEPARATORS);
    let led_by = unmarked[..unmarked.len() - formula.len()].trim_matches(' ');
    let is_formula = formula.trim_start_matches(MARK).starts_with(SIGNS);
    (is_formula && !led_by.is_empty()).then(|| text.len() - formula.len())
}

/// The text with a mark before it that spreadsheets take for "this is text", and another one before a formula that
/// follows separators: there a program that divides the cell begins a cell of its own. A text that has the marks already
/// gets others, so that [`unguarded`] returns the text as it was.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_like_formula(text) {
        format!("{MARK}{text}").into()
    } else if let Some(at) = formula_after_separators(text) {
        format!("{MARK}{}{MARK}{}", &text[..at], &text[at..]).into()
    } else {
        text.into()
    }
}

/// The text before it was guarded.
pub fn unguarded(text: &str) -> Cow<'_, str> {
    let Some(rest) = text.strip_prefix(MARK) else { return text.into() };
    if is_like_formula(rest) {
        return rest.into();
    }
    let inner = formula_after_separators(rest).map(|at| rest.split_at(at));
    match inner.and_then(|(led_by, formula)| Some((led_by, formula.strip_prefix(MARK)?))) {
        Some((led_by, formula)) => format!("{led_by}{formula}").into(),
        None => text.into(),
    }
}

/// Appends a line.
pub fn write_line<T: AsRef<str>>(out: &mut Vec<u8>, cells: impl IntoIterator<Item = T>) {
    let mut writer = WriterBuilder::new();
    writer.terminator(Terminator::Any(b'\n')).buffer_capacity(LINE_BYTES);
    let mut writer = writer.from_writer(&mut *out);
    for cell in cells {
        // Writing to memory cannot fail.
        let _ = writer.write_field(guarded(cell.as_ref()).as_bytes());
    }
    let _ = writer.write_record(None::<&[u8]>);
    let _ = writer.flush();
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{guarded, unguarded, write_line};

    fn vectors() -> Vec<Value> {
        let file = include_str!("../../../../testdata/csv-cells.json");
        serde_json::from_str(file).expect("vectors")
    }

    #[test]
    fn a_cell_is_written_as_the_console_writes_it() {
        for vector in vectors() {
            let text = |name: &str| vector[name].as_str().expect("a text");
            let mut line = Vec::new();
            write_line(&mut line, [text("cell"), "next"]);
            let line = String::from_utf8(line).expect("UTF-8");
            assert_eq!(line, format!("{},next\n", text("written")));
        }
    }

    #[test]
    fn what_was_guarded_is_read_back() {
        for vector in vectors() {
            let cell = vector["cell"].as_str().expect("a text");
            assert_eq!(unguarded(&guarded(cell)), cell);
        }
        for untouched in ["", "'", "r1", "'r1'", "a=b", "';=1", ";a"] {
            assert_eq!(unguarded(untouched), untouched);
        }
    }

    #[test]
    fn an_empty_line_has_its_cells() {
        let mut line = Vec::new();
        write_line(&mut line, ["", ""]);
        assert_eq!(line, b",\n");
    }
}
