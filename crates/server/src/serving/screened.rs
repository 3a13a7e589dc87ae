//! A connection whose requests are looked at before hyper reads them.
//!
//! Heads go on as a whole and only when they are beyond doubt (`head.rs`); in place of another one hyper
//! is given a request by which the service knows what to answer, and nothing after it. So the refusal
//! comes in its turn, after the answers to what was sent before, and has what every answer has.
//! A head nearly always comes in one piece with its body: then its bytes are looked at where hyper's
//! buffer has them, and none is copied.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::chunks::Chunks;
use super::head::{self, Framing, HEAD_BYTES_MAX, Refusal};

const READ_BYTES: usize = 8 * 1024;
/// The time from the first byte of a head to its last.
pub const HEAD_WITHIN: Duration = Duration::from_secs(15);
/// A client that still sends when the connection closes never reads the reason.
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
    /// This stands next, and hyper is not to see it.
    Refused(Refusal),
    /// hyper has, or is given, the request that says so.
    Told,
}

pub struct Screened<T> {
    inner: T,
    at: At,
    /// Read and not yet handed on: of a head that is not complete, or behind a refusal.
    held: Vec<u8>,
    /// Bytes that may be handed on.
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

    /// How many of these bytes may be handed on; what is left is part of a head or nothing of use.
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
                At::Body(left) => {
                    let here = rest.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                    cleared += here;
                    *left -= here as u64;
                    if *left == 0 {
                        self.at = At::Head;
                    }
                }
                At::Chunks(chunks) => match chunks.take(rest) {
                    Ok(here) => {
                        cleared += here;
                        if *chunks == Chunks::Done {
                            self.at = At::Head;
                        }
                    }
                    Err(_) => self.at = At::Lost,
                },
                At::Lost | At::Refused(_) | At::Told => break,
            }
        }
        cleared
    }

    /// After what was sent before has been handed on.
    fn tell(&mut self, refusal: Refusal) {
        self.at = At::Told;
        self.held = refusal.request();
        self.cleared = self.held.len();
    }

    fn hand_on(&mut self, buffer: &mut ReadBuf<'_>) {
        let count = self.cleared.min(buffer.remaining());
        buffer.put_slice(&self.held[..count]);
        self.held.drain(..count);
        self.cleared -= count;
    }
}

/// Whether a head can end in the last `new` of these bytes: then it is worth reading again.
fn may_end(held: &[u8], new: usize) -> bool {
    let from = held.len().saturating_sub(new + 3);
    held.len() > HEAD_BYTES_MAX
        || held[from..].windows(2).any(|it| it == b"\n\n")
        || held[from..].windows(3).any(|it| it == b"\n\r\n")
}

impl<T: AsyncRead + Unpin> Screened<T> {
    /// Holds what comes until something may be handed on; false at the end of the connection, and where
    /// the rest of a head does not come in time.
    fn poll_hold(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        while self.cleared == 0 && self.at != At::Lost {
            let mut bytes = [0; READ_BYTES];
            let mut read = ReadBuf::new(&mut bytes);
            let polled = Pin::new(&mut self.inner).poll_read(cx, &mut read);
            // After the read, so that bytes that have come in time count.
            if polled.is_pending() && self.at == At::Head {
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
                let held = std::mem::take(&mut self.held);
                self.cleared = self.clear(&held);
                self.held = held;
                if let (0, At::Refused(refusal)) = (self.cleared, self.at) {
                    self.tell(refusal);
                }
            }
        }
        self.head_deadline = None;
        Poll::Ready(Ok(self.cleared > 0))
    }

    /// Reads and forgets what the peer still sends, for a while.
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
            self.tell(refusal);
        }
        if self.cleared > 0 {
            self.hand_on(buffer);
            return Poll::Ready(Ok(()));
        }
        match self.at {
            // The service answers and has the connection closed; an end seen here would stop it.
            At::Told => return Poll::Pending,
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
                self.tell(refusal);
                self.hand_on(buffer);
                return Poll::Ready(Ok(()));
            }
        }
        if ready!(self.poll_hold(cx))? {
            self.hand_on(buffer);
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
        if self.at == At::Told {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests;
