//! The lines of a file: CSV with a header (RFC 4180), or one JSON object per line.

use std::collections::HashSet;
use std::fmt;

use csv::StringRecord;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::{Checked, ImportFormat};
use crate::platform::csv::unguarded;
use crate::platform::delimited::{NotUtf8, Record, Records};
use crate::platform::text_file::decoded;

const REQUIRED: [&str; 4] = ["user_id", "terms_and_conditions_id", "accepted", "consented_at"];
/// Columns of the export that the import ignores, because the server sets them.
const IGNORED: [&str; 10] = [
    "receipt_id",
    "recorded_at",
    "evidence",
    "title",
    "version",
    "label",
    "language",
    "market",
    "amr",
    "decision",
];

/// The values of a line; an empty value counts as absent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub user_id: Option<String>,
    pub user_type: Option<String>,
    pub term: Option<String>,
    pub accepted: Option<String>,
    pub consented_at: Option<String>,
    pub sha256: Option<String>,
    pub locale: Option<String>,
}

impl Line {
    fn set(&mut self, column: &str, value: String) -> Checked<()> {
        let field = match column {
            "user_id" => &mut self.user_id,
            "user_type" => &mut self.user_type,
            "terms_and_conditions_id" => &mut self.term,
            "accepted" => &mut self.accepted,
            "consented_at" => &mut self.consented_at,
            "sha256" => &mut self.sha256,
            "locale" => &mut self.locale,
            _ if IGNORED.contains(&column) => return Ok(()),
            _ => return Err(("unknown_column", format!("the column '{column}' is unknown"))),
        };
        *field = Some(value).filter(|value| !value.is_empty());
        Ok(())
    }
}

pub fn read(bytes: &[u8], format: ImportFormat) -> Vec<(u64, Checked<Line>)> {
    let text = match decoded(bytes) {
        Ok(text) => text,
        Err(detail) => return vec![(1, Err(malformed(detail)))],
    };
    match format {
        ImportFormat::Csv => read_csv(&text),
        ImportFormat::Jsonl => read_jsonl(&text),
    }
}

fn malformed(error: impl fmt::Display) -> (&'static str, String) {
    ("malformed_line", error.to_string())
}

fn read_csv(text: &[u8]) -> Vec<(u64, Checked<Line>)> {
    let mut records = Records::new(text, &[&REQUIRED[..], &IGNORED].concat());
    let header = match records.next() {
        Some((_, Ok(header))) => header,
        Some((line, Err(_))) => return vec![(line, Err(malformed(NotUtf8::DETAIL)))],
        None => StringRecord::new(),
    };
    if let Err(error) = columns(&header) {
        return vec![(1, Err(error))];
    }
    let read = |(line, record): Record| {
        let record = record.map_err(|_| malformed(NotUtf8::DETAIL));
        (line, record.and_then(|record| fields(&header, &record)))
    };
    records.map(read).collect()
}

/// Checks the columns of the header, so that an unknown one is reported once instead of on each
/// line.
fn columns(header: &StringRecord) -> Checked<()> {
    let mut line = Line::default();
    header.iter().try_for_each(|column| line.set(column, String::new()))?;
    let mut names = HashSet::new();
    if let Some(duplicate) = header.iter().find(|column| !names.insert(*column)) {
        return Err(("duplicate_column", format!("the header contains {duplicate} twice")));
    }
    match REQUIRED.iter().find(|column| !names.contains(*column)) {
        Some(missing) => Err(("missing_column", format!("the header lacks {missing}"))),
        None => Ok(()),
    }
}

fn fields(header: &StringRecord, record: &StringRecord) -> Checked<Line> {
    if record.len() != header.len() {
        let (fields, columns) = (record.len(), header.len());
        let text = format!("the number of fields is {fields}, but the header has {columns}");
        return Err(malformed(text));
    }
    let mut line = Line::default();
    for (column, value) in header.iter().zip(record) {
        // The export escapes values that a spreadsheet would evaluate as formulas.
        line.set(column, unguarded(value).into_owned())?;
    }
    Ok(line)
}

fn read_jsonl(bytes: &[u8]) -> Vec<(u64, Checked<Line>)> {
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let filled = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    filled.map(|(line, number)| (number, members(line))).collect()
}

/// The members of an object in their order, including duplicates, which a map would silently drop.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

fn members(line: &[u8]) -> Checked<Line> {
    let Members(object) = serde_json::from_slice(line).map_err(malformed)?;
    let mut values = Line::default();
    let mut names = HashSet::new();
    for (column, value) in object {
        if !names.insert(column.clone()) {
            return Err(("duplicate_column", format!("the line contains {column} twice")));
        }
        let text = match value {
            // An ignored column may have any type.
            _ if IGNORED.contains(&column.as_str()) => continue,
            Value::Null => String::new(),
            Value::String(text) => text,
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            Value::Array(_) | Value::Object(_) => {
                return Err(malformed(format!("{column} must not be a list or an object")));
            }
        };
        values.set(&column, text)?;
    }
    Ok(values)
}
