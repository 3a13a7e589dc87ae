//! The lines of a file, by column: CSV with a header (RFC 4180), or one JSON object a line.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value};

use super::{Format, Judged};
use crate::export::csv::unguarded;

/// As the export names them; what it has beside these is read over, since it is ours to say.
const OURS: [&str; 3] = ["receipt_id", "recorded_at", "evidence"];

/// What stands in one line; empty is as good as absent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub user_id: Option<String>,
    pub user_type: Option<String>,
    pub term: Option<String>,
    pub accepted: Option<String>,
    pub consented_at: Option<String>,
    pub sha256: Option<String>,
    pub locale: Option<String>,
}

impl Written {
    fn set(&mut self, column: &str, value: String) -> Judged<()> {
        let field = match column {
            "user_id" => &mut self.user_id,
            "user_type" => &mut self.user_type,
            "terms_and_conditions_id" => &mut self.term,
            "accepted" => &mut self.accepted,
            "consented_at" => &mut self.consented_at,
            "sha256" => &mut self.sha256,
            "locale" => &mut self.locale,
            _ if OURS.contains(&column) => return Ok(()),
            _ => return Err(("unknown_column", format!("there is no column '{column}'"))),
        };
        *field = Some(value).filter(|value| !value.is_empty());
        Ok(())
    }
}

pub fn read(bytes: &[u8], format: Format) -> Vec<(u64, Judged<Written>)> {
    // Some programs write a mark at the beginning of a file in UTF-8.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match format {
        Format::Csv => read_csv(bytes),
        Format::Jsonl => read_jsonl(bytes),
    }
}

fn malformed(error: impl std::fmt::Display) -> (&'static str, String) {
    ("malformed_line", error.to_string())
}

fn read_csv(bytes: &[u8]) -> Vec<(u64, Judged<Written>)> {
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(error) => return vec![(1, Err(malformed(error)))],
    };
    if let Err(fault) = columns(&header) {
        return vec![(1, Err(fault))];
    }
    let mut lines = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => return lines,
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                lines.push((line, fields(&header, &record)));
            }
            Err(error) => {
                let line = error.position().map_or(line, csv::Position::line);
                lines.push((line, Err(malformed("the line is not UTF-8"))));
            }
        }
    }
}

/// A column that is misspelt is told once and not on every line.
fn columns(header: &StringRecord) -> Judged<()> {
    let mut written = Written::default();
    header.iter().try_for_each(|column| written.set(column, String::new()))?;
    for needed in ["user_id", "terms_and_conditions_id", "accepted", "consented_at"] {
        match header.iter().filter(|column| *column == needed).count() {
            1 => {}
            0 => return Err(("missing_column", format!("the header does not name {needed}"))),
            _ => return Err(("duplicate_column", format!("the header names {needed} twice"))),
        }
    }
    Ok(())
}

fn fields(header: &StringRecord, record: &StringRecord) -> Judged<Written> {
    if record.len() != header.len() {
        let text = format!("{} fields where the header has {}", record.len(), header.len());
        return Err(malformed(text));
    }
    let mut written = Written::default();
    for (column, value) in header.iter().zip(record) {
        // As the export guards what a spreadsheet would calculate.
        written.set(column, unguarded(value).to_owned())?;
    }
    Ok(written)
}

fn read_jsonl(bytes: &[u8]) -> Vec<(u64, Judged<Written>)> {
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let filled = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    filled.map(|(line, number)| (number, members(line))).collect()
}

fn members(line: &[u8]) -> Judged<Written> {
    let object: Map<String, Value> = serde_json::from_slice(line).map_err(malformed)?;
    let mut written = Written::default();
    for (column, value) in object {
        let text = match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(_) | Value::Object(_) => {
                return Err(malformed(format!("{column} is a list or an object")));
            }
        };
        written.set(&column, text)?;
    }
    Ok(written)
}
