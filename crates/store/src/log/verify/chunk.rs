//! A chunk of a thousand entries with their records. Chunks are read ahead: while one chunk is
//! compared, other tasks read, decode and hash the next ones.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::stream::{self, Stream, StreamExt as _};
use musette_core::log::entry::{Entry, EntryError};
use musette_core::log::hash::Hash;
use serde::de::DeserializeOwned;
use sqlx::FromRow;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use tokio_util::task::AbortOnDropHandle;

use super::entries::{ENTRIES, EntryRow};
use super::records::{CONSENTS, ClaimRow, ConsentRow, SUBMISSIONS, SubmissionRow, claims};
use crate::db::batch::as_json;
use crate::db::{Reader, Store, read};
use crate::log::Log;

pub(super) const ENTRIES_A_CHUNK: u64 = 1000;
/// Number of chunks that are read while one is compared. Each has its own task, so that all
/// processors are used while the comparison waits.
const CHUNKS_AHEAD: usize = 4;

/// A statement for a range of entries: `$1` is the log, `$2` the first index, `$3` the index after
/// the last.
pub(super) struct Rows {
    /// The columns, in the order of the fields of the row's struct.
    pub(super) columns: &'static str,
    pub(super) sql: &'static str,
}

/// A result of the database, stored until its chunk is compared.
type Read<T> = Result<Vec<T>, sqlx::Error>;

pub(super) struct Chunk {
    pub(super) from: u64,
    pub(super) entries: Read<EntryRow>,
    /// The decoded entries and their hashes, in the order of the rows.
    pub(super) decoded: Vec<(Result<Entry, EntryError>, Hash)>,
    pub(super) submissions: Read<SubmissionRow>,
    pub(super) consents: Read<ConsentRow>,
    pub(super) claims: Read<ClaimRow>,
}

/// Returns every chunk of a log of this size, in order.
pub(super) fn chunks(
    store: &Store,
    log: &Log,
    size: u64,
) -> impl Stream<Item = Result<Chunk, sqlx::Error>> + use<> {
    let (reader, log) = (Arc::new(store.reader()), log.id);
    let starts = (0..size).step_by(usize::try_from(ENTRIES_A_CHUNK).unwrap_or(usize::MAX));
    let chunk = move |from| {
        let range = (log, from, size.min(from + ENTRIES_A_CHUNK));
        // If the stream is dropped, the reading task is aborted.
        let reading = AbortOnDropHandle::new(tokio::spawn(read_chunk(Arc::clone(&reader), range)));
        async move { reading.await.map_err(|_| sqlx::Error::WorkerCrashed) }
    };
    stream::iter(starts).map(chunk).buffered(CHUNKS_AHEAD)
}

async fn read_chunk(reader: Arc<Reader>, range: (i64, u64, u64)) -> Chunk {
    let entries = rows::<EntryRow>(&reader, &ENTRIES, range).await;
    let decoding = tokio::task::spawn_blocking(move || {
        let decoded = entries
            .iter()
            .flatten()
            .map(|row| (Entry::decode(&row.entry), Hash::leaf(row.entry.as_bytes())));
        let decoded = decoded.collect();
        (entries, decoded)
    });
    let submissions = rows(&reader, &SUBMISSIONS, range).await;
    let consents = rows(&reader, &CONSENTS, range).await;
    let worker_ended = |_| (Err(sqlx::Error::WorkerCrashed), Vec::new());
    let (entries, decoded) = decoding.await.unwrap_or_else(worker_ended);
    let claims = claims(&reader, entries.iter().flatten()).await;
    Chunk { from: range.1, entries, decoded, submissions, consents, claims }
}

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

/// The records of a chunk, by the keys in their entries.
pub(super) struct Records {
    pub(super) submissions: HashMap<i64, SubmissionRow>,
    pub(super) consents: HashMap<i64, Vec<ConsentRow>>,
    pub(super) claims: HashMap<String, ClaimRow>,
}

impl Records {
    pub(super) fn new(
        submissions: Vec<SubmissionRow>,
        consents: Vec<ConsentRow>,
        claims: Vec<ClaimRow>,
    ) -> Self {
        let mut of_submission: HashMap<i64, Vec<ConsentRow>> = HashMap::new();
        for row in consents {
            of_submission.entry(row.submission).or_default().push(row);
        }
        Self {
            submissions: submissions.into_iter().map(|row| (row.seq, row)).collect(),
            consents: of_submission,
            claims: claims.into_iter().map(|row| (row.person.clone(), row)).collect(),
        }
    }
}
