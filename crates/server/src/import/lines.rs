//! The lines of a file, by column: CSV with a header (RFC 4180), or one JSON object a line.

use std::collections::HashSet;
use std::fmt;

use csv::StringRecord;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::{ImportFormat, Judged};
use crate::delimited::{NotUtf8, Record, Records};
use crate::export::csv::unguarded;
use crate::text_file::decoded;

const NEEDED: [&str; 4] = ["user_id", "terms_and_conditions_id", "accepted", "consented_at"];
/// Column names of the export. Its other columns are ignored: the server decides them.
const OURS: [&str; 9] = [
    "receipt_id",
    "recorded_at",
    "evidence",
    "title",
    "version",
    "label",
    "language",
    "market",
    "amr",
];

/// The cells of one line; an empty one is as good as absent.
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

pub fn read(bytes: &[u8], format: ImportFormat) -> Vec<(u64, Judged<Written>)> {
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

fn read_csv(text: &[u8]) -> Vec<(u64, Judged<Written>)> {
    let mut records = Records::new(text, &[&NEEDED[..], &OURS].concat());
    let header = match records.next() {
        Some((_, Ok(header))) => header,
        Some((line, Err(_))) => return vec![(line, Err(malformed(NotUtf8::DETAIL)))],
        None => StringRecord::new(),
    };
    if let Err(fault) = columns(&header) {
        return vec![(1, Err(fault))];
    }
    let read = |(line, record): Record| {
        let record = record.map_err(|_| malformed(NotUtf8::DETAIL));
        (line, record.and_then(|record| fields(&header, &record)))
    };
    records.map(read).collect()
}

/// A column that is misspelt is told once and not on every line.
fn columns(header: &StringRecord) -> Judged<()> {
    let mut written = Written::default();
    header.iter().try_for_each(|column| written.set(column, String::new()))?;
    let mut named = HashSet::new();
    if let Some(twice) = header.iter().find(|column| !named.insert(*column)) {
        return Err(("duplicate_column", format!("the header names {twice} twice")));
    }
    match NEEDED.iter().find(|column| !named.contains(*column)) {
        Some(missing) => Err(("missing_column", format!("the header does not name {missing}"))),
        None => Ok(()),
    }
}

fn fields(header: &StringRecord, record: &StringRecord) -> Judged<Written> {
    if record.len() != header.len() {
        let text = format!("{} fields where the header has {}", record.len(), header.len());
        return Err(malformed(text));
    }
    let mut written = Written::default();
    for (column, value) in header.iter().zip(record) {
        // The export puts a guard before values that a spreadsheet would calculate.
        written.set(column, unguarded(value).into_owned())?;
    }
    Ok(written)
}

fn read_jsonl(bytes: &[u8]) -> Vec<(u64, Judged<Written>)> {
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let filled = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    filled.map(|(line, number)| (number, members(line))).collect()
}

/// The members of an object as they stand there: a map would keep the last of two without a word.
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

fn members(line: &[u8]) -> Judged<Written> {
    let Members(object) = serde_json::from_slice(line).map_err(malformed)?;
    let mut written = Written::default();
    let mut named = HashSet::new();
    for (column, value) in object {
        if !named.insert(column.clone()) {
            return Err(("duplicate_column", format!("the line names {column} twice")));
        }
        let text = match value {
            // What is ignored may have any form.
            _ if OURS.contains(&column.as_str()) => continue,
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
