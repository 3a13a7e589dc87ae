//! Streams a document to a reader. One part is in memory until it is sent. With more concurrent
//! readers the parts become smaller, so that their total memory is limited.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::oneshot;

use super::{Shared, Source};

/// The memory of all readers together, without their connections.
const BYTES_MAX: usize = 32 * 1024 * 1024;
const PART_BYTES_MIN: usize = 4 * 1024;
const PART_BYTES_MAX: usize = 64 * 1024;
/// With more readers, even the smallest parts would exceed the memory.
pub const READERS_MAX: usize = BYTES_MAX / PART_BYTES_MIN;
/// The time in which a reader must take a part; even the slowest phone receives more than a
/// kilobyte per second.
const TAKEN_WITHIN: Duration = Duration::from_secs(60);

pub(super) struct Reader {
    source: Source,
    shared: Arc<Shared>,
    at: u64,
    end: u64,
    /// Completes when the previous part was sent.
    taken: Option<oneshot::Receiver<()>>,
}

/// The bytes of a part, with a sender that is dropped when they were sent.
struct SentPart {
    bytes: Bytes,
    _taken: oneshot::Sender<()>,
}

impl AsRef<[u8]> for SentPart {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Reader {
    /// Starts to stream. None if there are too many readers.
    pub(super) fn start(
        source: Source,
        shared: Arc<Shared>,
        first: u64,
        length: u64,
    ) -> Option<Body> {
        let before = shared.readers.fetch_add(1, Ordering::Relaxed);
        let reader = Self { source, shared, at: first, end: first + length, taken: None };
        // Dropping the reader decrements the count.
        (before < READERS_MAX).then(|| {
            Body::from_stream(stream::unfold(reader, |mut reader| async move {
                let part = reader.next().await.transpose()?;
                Some((part, reader))
            }))
        })
    }

    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if let Some(previous) = self.taken.take() {
            // The expected result is an error, because the sender is dropped together with the
            // part.
            let result = tokio::time::timeout(TAKEN_WITHIN, previous).await;
            drop(result.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?);
        }
        let remaining = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        if remaining == 0 {
            return Ok(None);
        }
        let share = BYTES_MAX / self.shared.readers().max(1);
        let length = share.clamp(PART_BYTES_MIN, PART_BYTES_MAX).min(remaining);
        let bytes = self.shared.read(&self.source, self.at, length).await.map_err(|error| {
            tracing::error!(error = %error, "sending a document was aborted because the rest of it could not be read");
            io::Error::other("the document cannot be read")
        })?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += bytes.len() as u64;
        let (sender, receiver) = oneshot::channel();
        self.taken = Some(receiver);
        Ok(Some(Bytes::from_owner(SentPart { bytes, _taken: sender })))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.shared.readers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    use http_body_util::BodyExt as _;

    use super::{PART_BYTES_MAX, PART_BYTES_MIN, READERS_MAX, TAKEN_WITHIN};
    use crate::terms::documents::{Documents, Opened, Source};

    fn open_bytes(bytes: &[u8]) -> Opened {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        let shared = Arc::clone(&Documents::new("nowhere".into()).shared);
        Opened { length: bytes.len() as u64, source: Source::File(Arc::new(file)), shared }
    }

    #[tokio::test]
    async fn streams_exactly_the_requested_range() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|i| (i % 251) as u8).collect();
        for (first, length) in [(0, 200_000), (1, 5), (65_535, 65_538), (199_999, 1), (0, 0)] {
            let mut body = open_bytes(&bytes).read(first, length).expect("there is room");
            let mut read = Vec::new();
            // Each part is dropped before the next one is requested.
            while let Some(part) = body.frame().await {
                read.extend_from_slice(part.expect("a part").data_ref().expect("bytes"));
            }
            let first = usize::try_from(first).expect("small");
            assert_eq!(read, bytes[first..][..usize::try_from(length).expect("small")]);
        }
    }

    /// The next part is not read before the previous one was dropped.
    #[tokio::test]
    async fn holds_one_part_in_memory() {
        let mut body = open_bytes(&[7; 3 * PART_BYTES_MAX]).read(0, 3 * PART_BYTES_MAX as u64);
        let body = body.as_mut().expect("there is room");
        let first = body.frame().await.expect("a part").expect("bytes");
        let first = first.into_data().expect("bytes");
        assert_eq!(first.len(), PART_BYTES_MAX);
        let next = tokio::time::timeout(std::time::Duration::from_millis(50), body.frame()).await;
        assert!(next.is_err(), "the next part is held back");
        drop(first);
        body.frame().await.expect("a part").expect("bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn ends_the_stream_if_a_part_is_not_taken_in_time() {
        let mut body = open_bytes(&[7; 3 * PART_BYTES_MAX]).read(0, 3 * PART_BYTES_MAX as u64);
        let body = body.as_mut().expect("there is room");
        let _part = body.frame().await.expect("a part").expect("bytes");
        let started = tokio::time::Instant::now();
        body.frame().await.expect("an end").expect_err("it took too long");
        assert_eq!(started.elapsed(), TAKEN_WITHIN);
    }

    #[tokio::test]
    async fn sends_smaller_parts_to_more_readers() {
        let opened = open_bytes(&[7; PART_BYTES_MAX]);
        let shared = Arc::clone(&opened.shared);
        shared.readers.store(READERS_MAX - 1, Ordering::Relaxed);
        let again =
            Opened { length: 1, source: opened.source.clone(), shared: Arc::clone(&shared) };
        let mut body = opened.read(0, PART_BYTES_MAX as u64).expect("the last that fits");
        let part = body.frame().await.expect("a part").expect("bytes").into_data().expect("bytes");
        assert_eq!(part.len(), PART_BYTES_MIN);
        assert!(again.read(0, 1).is_none(), "one too many");
        drop(body);
        assert_eq!(shared.readers(), READERS_MAX - 1, "each is counted once");
    }
}
