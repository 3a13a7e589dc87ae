//! The body of a request while it is being received. A body that has to be waited for takes a slot
//! of its client address and of its key. So a client that starts many requests without finishing
//! them uses few slots, and other clients are not affected.

use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::HeaderValue;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use crate::access::limits::held::{OpenRequests, Place};

/// A body. Nearly all arrive together with their head and take no slot.
pub struct RequestBody<B = Incoming> {
    body: B,
    sender: Option<RequestClient>,
    place: Option<Place>,
}

/// The client of a request.
pub struct RequestClient {
    pub held: Arc<OpenRequests>,
    pub address: IpAddr,
    /// The value of `Authorization`.
    pub key: Option<HeaderValue>,
}

/// The address or the key has too many unfinished requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyUnfinished;

impl fmt::Display for TooManyUnfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too many unfinished requests from this address or with this key")
    }
}

impl Error for TooManyUnfinished {}

impl<B> RequestBody<B> {
    /// Wraps a body. `sender` is None if requests are not limited.
    pub const fn new(body: B, sender: Option<RequestClient>) -> Self {
        Self { body, sender, place: None }
    }
}

impl RequestClient {
    fn place(&self) -> Option<Place> {
        self.held.unfinished(self.address, self.key.as_ref().map(HeaderValue::as_bytes))
    }
}

impl<B> Body for RequestBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() {
            if let Some(sender) = self.sender.take() {
                let Some(place) = sender.place() else {
                    return Poll::Ready(Some(Err(TooManyUnfinished.into())));
                };
                self.place = Some(place);
            }
        } else if self.body.is_end_stream() || !matches!(polled, Poll::Ready(Some(Ok(_)))) {
            self.place = None;
        }
        polled.map(|frame| frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
