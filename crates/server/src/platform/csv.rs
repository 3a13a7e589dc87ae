//! Writes CSV by RFC 4180, without cells that a spreadsheet evaluates as formulas.
//! `apps/console/src/export/csv.ts` applies the same rule; `testdata/csv-cells.json` tests both.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};

/// Characters that start a formula. Spreadsheets in East Asian languages also accept the fullwidth
/// forms.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// Separators at which a program with another setting splits a cell, and spaces around them.
const SEPARATORS: [char; 7] = [' ', ',', ';', '|', '\t', '\n', '\r'];
const MARK: char = '\'';
/// The initial capacity for a line; most lines are shorter.
const LINE_BYTES: usize = 512;

/// Returns whether the text starts with a formula, possibly after marks.
fn is_like_formula(text: &str) -> bool {
    text.trim_start_matches(MARK)
        .starts_with(|c: char| SIGNS.contains(&c) || matches!(c, '\t' | '\r'))
}

/// Returns the position of a formula, possibly after marks, that follows separators at the start of
/// the text.
fn formula_after_separators(text: &str) -> Option<usize> {
    let unmarked = text.trim_start_matches(MARK);
    let formula = unmarked.trim_start_matches(SEPARATORS);
    let led_by = unmarked[..unmarked.len() - formula.len()].trim_matches(' ');
    let is_formula = formula.trim_start_matches(MARK).starts_with(SIGNS);
    (is_formula && !led_by.is_empty()).then(|| text.len() - formula.len())
}

/// Escapes a text that starts with a formula with a leading mark, which tells spreadsheets that it
/// is text. A formula after separators gets a second mark, because a program that splits the cell
/// there would start a new cell. A text that already has marks gets additional ones, so that
/// [`unguarded`] restores it.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_like_formula(text) {
        format!("{MARK}{text}").into()
    } else if let Some(at) = formula_after_separators(text) {
        format!("{MARK}{}{MARK}{}", &text[..at], &text[at..]).into()
    } else {
        text.into()
    }
}

/// Restores the text before it was escaped by [`guarded`].
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
    fn writes_cells_like_the_console() {
        for vector in vectors() {
            let text = |name: &str| vector[name].as_str().expect("a text");
            let mut line = Vec::new();
            write_line(&mut line, [text("cell"), "next"]);
            let line = String::from_utf8(line).expect("UTF-8");
            assert_eq!(line, format!("{},next\n", text("written")));
        }
    }

    #[test]
    fn restores_escaped_cells() {
        for vector in vectors() {
            let cell = vector["cell"].as_str().expect("a text");
            assert_eq!(unguarded(&guarded(cell)), cell);
        }
        for untouched in ["", "'", "r1", "'r1'", "a=b", "';=1", ";a"] {
            assert_eq!(unguarded(untouched), untouched);
        }
    }

    #[test]
    fn writes_all_cells_of_an_empty_line() {
        let mut line = Vec::new();
        write_line(&mut line, ["", ""]);
        assert_eq!(line, b",\n");
    }
}
