//! A document on its way to a reader. One part of it is in memory until the reader has taken it, and
//! the more read at once the smaller the parts are, so that all of them together have a limit.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::oneshot;

use super::{Shared, Source};

/// Memory of all readers together, without their connections.
const BYTES_MAX: usize = 32 * 1024 * 1024;
const PART_BYTES_MIN: usize = 4 * 1024;
const PART_BYTES_MAX: usize = 64 * 1024;
/// With more, even the smallest parts would be too much.
pub const READERS_MAX: usize = BYTES_MAX / PART_BYTES_MIN;
/// Time that a reader has for one part: the slowest phone takes more than a kilobyte a second.
const TAKEN_WITHIN: Duration = Duration::from_secs(60);

pub(super) struct Reader {
    source: Source,
    shared: Arc<Shared>,
    at: u64,
    end: u64,
    /// Ends when the part before has been sent.
    taken: Option<oneshot::Receiver<()>>,
}

/// The bytes of a part, and who is told when nobody needs them any more.
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
    /// None when there are too many.
    pub(super) fn start(
        source: Source,
        shared: Arc<Shared>,
        first: u64,
        length: u64,
    ) -> Option<Body> {
        let before = shared.readers.fetch_add(1, Ordering::Relaxed);
        let reader = Self { source, shared, at: first, end: first + length, taken: None };
        // Dropped, it is counted no more.
        (before < READERS_MAX).then(|| {
            Body::from_stream(stream::unfold(reader, |mut reader| async move {
                let part = reader.next().await.transpose()?;
                Some((part, reader))
            }))
        })
    }

    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        if let Some(taken) = self.taken.take() {
            // An error is what is waited for: the sender is gone, and with it the part.
            let taken = tokio::time::timeout(TAKEN_WITHIN, taken).await;
            drop(taken.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?);
        }
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        if left == 0 {
            return Ok(None);
        }
        let share = BYTES_MAX / self.shared.readers().max(1);
        let length = share.clamp(PART_BYTES_MIN, PART_BYTES_MAX).min(left);
        let bytes = self.shared.read(&self.source, self.at, length).await.map_err(|error| {
            tracing::error!(error = %error, "a document was not sent to its end");
            io::Error::other("the document cannot be read")
        })?;
        if bytes.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += bytes.len() as u64;
        let (sent, taken) = oneshot::channel();
        self.taken = Some(taken);
        Ok(Some(Bytes::from_owner(SentPart { bytes, _taken: sent })))
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
    use crate::documents::{Documents, Opened, Source};

    fn opened(bytes: &[u8]) -> Opened {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        let shared = Arc::clone(&Documents::new("nowhere".into()).shared);
        Opened { length: bytes.len() as u64, source: Source::File(Arc::new(file)), shared }
    }

    #[tokio::test]
    async fn it_gives_exactly_what_was_asked_for() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|it| (it % 251) as u8).collect();
        for (first, length) in [(0, 200_000), (1, 5), (65_535, 65_538), (199_999, 1), (0, 0)] {
            let mut body = opened(&bytes).read(first, length).expect("there is room");
            let mut read = Vec::new();
            // Each part is taken before the next is asked for.
            while let Some(part) = body.frame().await {
                read.extend_from_slice(part.expect("a part").data_ref().expect("bytes"));
            }
            let first = usize::try_from(first).expect("small");
            assert_eq!(read, bytes[first..][..usize::try_from(length).expect("small")]);
        }
    }

    /// The next part is not even read before the one before it is gone.
    #[tokio::test]
    async fn one_part_at_a_time_is_in_memory() {
        let mut body = opened(&[7; 3 * PART_BYTES_MAX]).read(0, 3 * PART_BYTES_MAX as u64);
        let body = body.as_mut().expect("there is room");
        let first = body.frame().await.expect("a part").expect("bytes");
        let first = first.into_data().expect("bytes");
        assert_eq!(first.len(), PART_BYTES_MAX);
        let next = tokio::time::timeout(std::time::Duration::from_millis(50), body.frame()).await;
        assert!(next.is_err(), "it is held back");
        drop(first);
        body.frame().await.expect("a part").expect("bytes");
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_take_a_part_gets_no_other() {
        let mut body = opened(&[7; 3 * PART_BYTES_MAX]).read(0, 3 * PART_BYTES_MAX as u64);
        let body = body.as_mut().expect("there is room");
        let _kept = body.frame().await.expect("a part").expect("bytes");
        let started = tokio::time::Instant::now();
        body.frame().await.expect("an end").expect_err("it took too long");
        assert_eq!(started.elapsed(), TAKEN_WITHIN);
    }

    #[tokio::test]
    async fn the_more_read_the_smaller_are_the_parts() {
        let opened = opened(&[7; PART_BYTES_MAX]);
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
