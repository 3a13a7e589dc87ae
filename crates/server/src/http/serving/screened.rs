//! A connection whose requests are checked before hyper reads them.
//!
//! A head is passed on as a whole, and only if it is unambiguous (`head.rs`). Instead of any other
//! head, hyper reads a substitute request that tells the service what to answer, and nothing after
//! it. So the error response follows the responses to earlier requests, and has the headers of
//! every response. Usually a head arrives together with its body. Then it is checked inside hyper's
//! buffer, without a copy.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::chunks::Chunks;
use super::head::{self, Framing, HEAD_BYTES_MAX, HeadError};

const READ_BYTES: usize = 8 * 1024;
/// The time from the first byte of a head to its last.
pub const HEAD_WITHIN: Duration = Duration::from_secs(15);
/// The time in which the rest of a rejected request is read: a client that still sends when the connection
/// closes never reads the response.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES_MAX: usize = 1024 * 1024;

/// The part of a message that the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Head,
    Body(u64),
    Chunks(Chunks),
    /// The boundaries of further requests are unknown.
    Lost,
    /// The next head is rejected, and hyper must not see it.
    Refused(HeadError),
    /// hyper has read, or is about to read, the substitute request.
    Substituted,
}

pub struct Screened<T> {
    inner: T,
    at: At,
    /// Bytes that were read but not passed on: an incomplete head, or what follows a rejected one.
    held: Vec<u8>,
    /// The number of bytes in `held` that may be passed on.
    cleared: usize,
    /// The end of [`HEAD_WITHIN`] while a head is incomplete.
    head_deadline: Option<Pin<Box<Sleep>>>,
    lingering: Option<Pin<Box<Sleep>>>,
    lingered: usize,
}

impl<T> Screened<T> {
    pub fn new(inner: T) -> Self {
        Self {
            inner,
            at: At::Head,
            held: Vec::new(),
            cleared: 0,
            head_deadline: None,
            lingering: None,
            lingered: 0,
        }
    }

    /// Returns how many of these bytes may be passed on. The rest is an incomplete head, or
    /// useless.
    fn clear(&mut self, bytes: &[u8]) -> usize {
        let mut cleared = 0;
        while cleared < bytes.len() {
            let rest = &bytes[cleared..];
            match &mut self.at {
                At::Head => match head::read(rest) {
                    Ok(None) => break,
                    Ok(Some(head)) => {
                        cleared += head.bytes;
                        self.at = match head.body {
                            Framing::Length(0) => At::Head,
                            Framing::Length(length) => At::Body(length),
                            Framing::Chunked => At::Chunks(Chunks::Start),
                        };
                    }
                    Err(refusal) => self.at = At::Refused(refusal),
                },
                At::Body(remaining) => {
                    let length = rest.len().min(usize::try_from(*remaining).unwrap_or(usize::MAX));
                    cleared += length;
                    *remaining -= length as u64;
                    if *remaining == 0 {
                        self.at = At::Head;
                    }
                }
                At::Chunks(chunks) => match chunks.take(rest) {
                    Ok(length) => {
                        cleared += length;
                        if *chunks == Chunks::Done {
                            self.at = At::Head;
                        }
                    }
                    Err(_) => self.at = At::Lost,
                },
                At::Lost | At::Refused(_) | At::Substituted => break,
            }
        }
        cleared
    }

    /// Prepares the substitute request, after everything before it was passed on.
    fn substitute(&mut self, refusal: HeadError) {
        self.at = At::Substituted;
        self.held = refusal.request();
        self.cleared = self.held.len();
    }

    fn pass_on(&mut self, buffer: &mut ReadBuf<'_>) {
        let count = self.cleared.min(buffer.remaining());
        buffer.put_slice(&self.held[..count]);
        self.held.drain(..count);
        self.cleared -= count;
    }
}

/// Returns whether a head can end within the last `new` bytes, so that it is worth parsing again.
fn may_end(held: &[u8], new: usize) -> bool {
    let from = held.len().saturating_sub(new + 3);
    held.len() > HEAD_BYTES_MAX
        || held[from..].windows(2).any(|pair| pair == b"\n\n")
        || held[from..].windows(3).any(|triple| triple == b"\n\r\n")
}

impl<T: AsyncRead + Unpin> Screened<T> {
    /// Buffers bytes until some may be passed on. Returns false at the end of the connection, and if the rest of a
    /// head does not arrive in time.
    fn poll_hold(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        while self.cleared == 0 && self.at != At::Lost {
            let mut bytes = [0; READ_BYTES];
            let mut read = ReadBuf::new(&mut bytes);
            let polled = Pin::new(&mut self.inner).poll_read(cx, &mut read);
            // After the read, so that bytes that have come in time count.
            // Some clients send a line break after a body, which begins no head.
            let has_begun = self.held.iter().any(|byte| !matches!(byte, b'\r' | b'\n'));
            if polled.is_pending() && self.at == At::Head && has_begun {
                let deadline = self
                    .head_deadline
                    .get_or_insert_with(|| Box::pin(tokio::time::sleep(HEAD_WITHIN)));
                ready!(deadline.as_mut().poll(cx));
                return Poll::Ready(Ok(false));
            }
            ready!(polled)?;
            let new = read.filled();
            if new.is_empty() {
                return Poll::Ready(Ok(false));
            }
            self.held.extend_from_slice(new);
            if may_end(&self.held, new.len()) {
                let buffer = std::mem::take(&mut self.held);
                self.cleared = self.clear(&buffer);
                self.held = buffer;
                if let (0, At::Refused(refusal)) = (self.cleared, self.at) {
                    self.substitute(refusal);
                }
            }
        }
        self.head_deadline = None;
        Poll::Ready(Ok(self.cleared > 0))
    }

    /// Reads and discards what the peer still sends, for a limited time.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let sleep = self.lingering.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        if sleep.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        while self.lingered < LINGER_BYTES_MAX {
            let mut bytes = [0; READ_BYTES];
            let mut read = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.inner).poll_read(cx, &mut read)) {
                Ok(()) if !read.filled().is_empty() => self.lingered += read.filled().len(),
                _ => return Poll::Ready(()),
            }
        }
        Poll::Ready(())
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Screened<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let (0, At::Refused(refusal)) = (self.cleared, self.at) {
            self.substitute(refusal);
        }
        if self.cleared > 0 {
            self.pass_on(buffer);
            return Poll::Ready(Ok(()));
        }
        match self.at {
            // The service answers and closes the connection; an end of the stream here would
            // prevent that.
            At::Substituted => return Poll::Pending,
            At::Lost => return Poll::Ready(Ok(())),
            _ => {}
        }
        if self.held.is_empty() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
            let new = &buffer.filled()[before..];
            let cleared = self.clear(new);
            if cleared == new.len() {
                return Poll::Ready(Ok(()));
            }
            self.held.extend_from_slice(&new[cleared..]);
            buffer.set_filled(before + cleared);
            if cleared > 0 || self.at == At::Lost {
                return Poll::Ready(Ok(()));
            }
            if let At::Refused(refusal) = self.at {
                self.substitute(refusal);
                self.pass_on(buffer);
                return Poll::Ready(Ok(()));
            }
        }
        if ready!(self.poll_hold(cx))? {
            self.pass_on(buffer);
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Screened<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            ready!(Pin::new(&mut self.inner).poll_shutdown(cx))?;
        }
        if self.at == At::Substituted {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests;
