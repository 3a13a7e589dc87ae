//! A connection whose peer has stopped reading is ended: what waits to be sent to it would be kept for
//! ever, and an open stream sends without being asked.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// A phone in a lift comes back within it.
const READS_WITHIN: Duration = Duration::from_secs(60);

pub struct Unstuck<T> {
    inner: T,
    /// Running while the peer takes nothing.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<T> Unstuck<T> {
    pub fn new(inner: T) -> Self {
        Self { inner, stuck: None }
    }

    /// What a write came to; an error when none came to anything for too long.
    fn watched<R>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(tokio::time::sleep(READS_WITHIN)));
        ready!(stuck.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer does not read")))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Unstuck<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Unstuck<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.watched(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, bytes);
        self.watched(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::{READS_WITHIN, Unstuck};

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_is_dropped() {
        let (ours, mut theirs) = tokio::io::duplex(16);
        let mut ours = Unstuck::new(ours);
        ours.write_all(&[0; 16]).await.expect("there is room");
        let started = tokio::time::Instant::now();
        let error = ours.write_all(&[0; 16]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        assert_eq!(started.elapsed(), READS_WITHIN);
        theirs.read_exact(&mut [0; 16]).await.expect("what was sent before");
    }

    #[tokio::test(start_paused = true)]
    async fn who_reads_slowly_is_not() {
        let (ours, mut theirs) = tokio::io::duplex(16);
        let mut ours = Unstuck::new(ours);
        let reader = tokio::spawn(async move {
            for _ in 0..8 {
                tokio::time::sleep(READS_WITHIN.saturating_sub(Duration::from_secs(1))).await;
                theirs.read_exact(&mut [0; 16]).await.expect("reads");
            }
        });
        ours.write_all(&[0; 128]).await.expect("it is taken bit by bit");
        reader.await.expect("it read");
    }
}
