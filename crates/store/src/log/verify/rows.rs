//! Reads the rows of a range of entries.

use serde::de::DeserializeOwned;
use sqlx::FromRow;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use crate::db::batch::as_json;
use crate::db::{Reader, read};

/// A statement for a range of entries: `$1` is the log, `$2` the first index, `$3` the index after
/// the last.
pub(super) struct Rows {
    /// The columns, in the order of the fields of the row's struct.
    pub(super) columns: &'static str,
    pub(super) sql: &'static str,
}

/// A result of the database, stored until its chunk is compared.
pub(super) type Read<T> = Result<Vec<T>, sqlx::Error>;

/// Reads the rows of a range. If their common text cannot be parsed, some row is malformed. Then
/// the rows are read one by one, so that the error identifies it.
pub(super) async fn rows<T>(
    reader: &Reader,
    statement: &Rows,
    (log, from, to): (i64, u64, u64),
) -> Read<T>
where
    T: DeserializeOwned + Send + Unpin + 'static,
    T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>,
{
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (from, to) = (signed(from), signed(to));
    let as_text = as_json(reader.engine(), statement.columns, statement.sql);
    let text: Result<String, _> = read!(reader, |pool| sqlx::query_scalar(as_text)
        .bind(log)
        .bind(from)
        .bind(to)
        .fetch_one(pool)
        .await);
    if let Ok(text) = text {
        let parsing = tokio::task::spawn_blocking(move || serde_json::from_str(&text));
        if let Ok(Ok(rows)) = parsing.await {
            return Ok(rows);
        }
    }
    read!(reader, |pool| sqlx::query_as(statement.sql)
        .bind(log)
        .bind(from)
        .bind(to)
        .fetch_all(pool)
        .await)
}
