//! Many rows in one statement. Row by row the drivers do 5,000 a second, one statement a batch 25 to
//! 79 thousand; JSON is the one list that both engines can unpack.

use sqlx::AssertSqlSafe;

use crate::db::Engine;

/// How a value stands in the JSON and what the column makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Text,
    Int,
    Bool,
    Real,
    /// Hex in the JSON.
    Bytes,
}

/// A table with its columns, in the order in which a row's values stand in the JSON array.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [(&'static str, ColumnType)],
}

impl Table {
    /// `$1` is a JSON array of rows, each an array of values.
    pub(crate) fn insert(&self, engine: Engine) -> AssertSqlSafe<String> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let values: Vec<String> =
            self.columns.iter().enumerate().map(|(i, (_, kind))| value(engine, i, *kind)).collect();
        let source = match engine {
            Engine::Sqlite => "json_each($1) AS rows",
            Engine::Postgres => "json_array_elements($1::json) AS rows(value)",
        };
        AssertSqlSafe(format!(
            "INSERT INTO {} ({}) SELECT {} FROM {source}",
            self.name,
            names.join(", "),
            values.join(", ")
        ))
    }
}

impl Table {
    /// Inserts the rows of `$1` whose `key` is not there yet, and returns their keys. (Without
    /// `WHERE` SQLite takes `ON` for a join.)
    pub(crate) fn insert_new(&self, engine: Engine, key: &str) -> AssertSqlSafe<String> {
        let AssertSqlSafe(insert) = self.insert(engine);
        AssertSqlSafe(format!("{insert} WHERE true ON CONFLICT ({key}) DO NOTHING RETURNING {key}"))
    }
}

fn value(engine: Engine, i: usize, kind: ColumnType) -> String {
    match (engine, kind) {
        (Engine::Sqlite, ColumnType::Bytes) => format!("unhex(value ->> {i})"),
        (Engine::Sqlite, _) => format!("value ->> {i}"),
        (Engine::Postgres, ColumnType::Text) => format!("value ->> {i}"),
        (Engine::Postgres, ColumnType::Int) => format!("(value ->> {i})::bigint"),
        (Engine::Postgres, ColumnType::Real) => format!("(value ->> {i})::double precision"),
        (Engine::Postgres, ColumnType::Bool) => format!("(value ->> {i})::boolean"),
        (Engine::Postgres, ColumnType::Bytes) => format!("decode(value ->> {i}, 'hex')"),
    }
}

/// Puts what unpacks the JSON array of rows in `$1`, named `wanted`, in the place of `{wanted}`; the
/// values of a row are `wanted.value ->> 0` and so on, which are texts on PostgreSQL.
pub(crate) fn over_rows(engine: Engine, sql: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(sql.replace(
        "{wanted}",
        match engine {
            Engine::Sqlite => "json_each($1) AS wanted",
            Engine::Postgres => "json_array_elements($1::json) AS wanted(value)",
        },
    ))
}

/// The JSON of rows. They are made of strings, numbers and booleans only, which always have a JSON
/// form.
pub(crate) fn json<T: serde::Serialize>(rows: &[T]) -> String {
    serde_json::to_string(rows).unwrap_or_default()
}

/// Appends the bytes as a JSON text of hex, which `ColumnType::Bytes` unpacks.
pub(crate) fn push_hex(text: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.push('"');
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text.push('"');
}
