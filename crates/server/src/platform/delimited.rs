//! Delimited text as spreadsheet programs save it: with commas, semicolons, tabs or bars, and with or without a
//! `sep=` line.

use csv::{Reader, ReaderBuilder, StringRecord};

const DELIMITERS: [u8; 4] = *b",;\t|";

/// Reads the records of a decoded file, the header included.
pub struct Records<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a [u8],
    /// The bytes of `text` whose lines are counted, and the number of the line that follows them.
    counted: usize,
    line: u64,
}

impl<'a> Records<'a> {
    /// Takes the delimiter from a `sep=` line, or the one with which the first line has the most of these columns.
    pub fn new(text: &'a [u8], columns: &[&str]) -> Self {
        let first = text.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        let declared = match first.trim_ascii_end() {
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some(*delimiter),
            // Without its own character: a tab at the end of the line is trimmed.
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'='] => Some(b'\t'),
            _ => None,
        };
        let (text, line) = match declared {
            Some(_) => (&text[first.len()..], 2),
            None => (text, 1),
        };
        let count_columns = |delimiter: u8| {
            let cells = first.split(|&byte| byte == delimiter);
            let name = |cell: &[u8]| {
                let cell = cell.trim_ascii();
                let cell = cell
                    .strip_prefix(b"\"")
                    .and_then(|cell| cell.strip_suffix(b"\""))
                    .unwrap_or(cell);
                columns.iter().any(|column| column.as_bytes() == cell)
            };
            cells.filter(|cell| name(cell)).count()
        };
        // The first of equals: a comma.
        let detected =
            || DELIMITERS.into_iter().rev().max_by_key(|&delimiter| count_columns(delimiter));
        let delimiter = declared.or_else(detected).unwrap_or(b',');
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).delimiter(delimiter);
        Self { reader: builder.from_reader(text), text, counted: 0, line }
    }

    /// Returns the number of the line of a record that begins at `byte` or after the line breaks there. The reader counts
    /// a line at its `\n`, and a record may begin between `\r` and `\n`.
    fn line_at(&mut self, byte: usize) -> u64 {
        let rest = self.text.get(byte..).unwrap_or_default();
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let end = (byte + breaks).max(self.counted);
        let lines = self.text.get(self.counted..end).unwrap_or_default();
        self.line += lines.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.counted = end;
        self.line
    }
}

/// A record, or the line that is not UTF-8.
pub type Record = (u64, Result<StringRecord, NotUtf8>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8;

impl NotUtf8 {
    pub const DETAIL: &'static str = "The line is not UTF-8. Save the file as CSV UTF-8.";
}

impl Iterator for Records<'_> {
    /// The number of the line in the file, counted from 1, and the record. Records without any text are left out.
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let mut record = StringRecord::new();
            let begin = usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX);
            let record = match self.reader.read_record(&mut record) {
                Ok(false) => return None,
                Ok(true) if record.iter().all(|cell| cell.trim().is_empty()) => continue,
                Ok(true) => Ok(record),
                Err(_) => Err(NotUtf8),
            };
            return Some((self.line_at(begin), record));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::text_file::decoded;

    fn read(bytes: &[u8]) -> Vec<(u64, Vec<String>)> {
        let text = decoded(bytes).expect("text");
        Records::new(&text, &["id", "email", "name"])
            .map(|(line, record)| {
                (line, record.expect("UTF-8").iter().map(str::to_owned).collect())
            })
            .collect()
    }

    #[test]
    fn reads_what_spreadsheet_programs_save() {
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
        };
        let expected = [(1, vec!["id", "name"]), (2, vec!["r1", "Jané"])];
        let expected =
            expected.map(|(line, cells)| (line, cells.into_iter().map(str::to_owned).collect()));
        for bytes in [
            "id,name\nr1,Jané\n".as_bytes().to_vec(),
            "\u{feff}id;name\r\nr1;Jané\r\n".into(),
            "\"id\"\t\"name\"\r\n\"r1\"\t\"Jané\"".into(),
            "id|name\nr1|Jané\n|\n\n".into(),
            utf16("id\tname\r\nr1\tJané\r\n", u16::to_le_bytes),
            utf16("id;name\nr1;Jané\n", u16::to_be_bytes),
        ] {
            assert_eq!(read(&bytes), expected, "{:?}", String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn counts_the_lines_of_the_file() {
        for (declared, delimiter) in
            [("sep=;", ";"), ("SEP=;\r", ";"), ("sep=\t", "\t"), ("sep=,", ",")]
        {
            let rest = "id;name\n;\n\nr1;\"a\nb\"\nr2;c\n".replace(';', delimiter);
            let text = format!("{declared}\n{rest}");
            let lines: Vec<u64> = read(text.as_bytes()).into_iter().map(|(line, _)| line).collect();
            assert_eq!(lines, [2, 5, 7], "{text}");
        }
        let bad = b"id,name\nr1,a\nr2,\xff\nr3,b\n";
        let lines: Vec<_> =
            Records::new(bad, &["id"]).map(|(line, record)| (line, record.is_ok())).collect();
        assert_eq!(lines, [(1, true), (2, true), (3, false), (4, true)]);
    }
}
