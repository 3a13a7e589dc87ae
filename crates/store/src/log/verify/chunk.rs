//! A chunk of a thousand entries with their records. Chunks are read ahead: while one chunk is
//! compared, other tasks read, decode and hash the next ones.

use std::sync::Arc;

use futures_util::stream::{self, Stream, StreamExt as _};
use musette_core::log::entry::{Entry, EntryError};
use musette_core::log::hash::Hash;
use tokio_util::task::AbortOnDropHandle;

use super::entries::{ENTRIES, EntryRow};
use super::records::{CONSENTS, ClaimRow, ConsentRow, SUBMISSIONS, SubmissionRow, claims};
use super::rows::{Read, rows};
use crate::db::{Reader, Store};
use crate::log::Log;

pub(super) const ENTRIES_A_CHUNK: u64 = 1000;
/// Number of chunks that are read while one is compared. Each has its own task, so that all
/// processors are used while the comparison waits.
const CHUNKS_AHEAD: usize = 4;

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
