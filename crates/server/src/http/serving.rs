//! Accepts connections, and stops without losing requests in flight.

mod chunks;
mod head;
mod head_timer;
pub mod measures;
mod screened;
pub mod standalone;
mod threads;

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::future::{Either, ready};
use futures_util::{FutureExt as _, TryFutureExt as _};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::task::AbortOnDropHandle;
use tower::ServiceExt as _;

use super::access::caller::{Peer, address_of};
use super::layers;
use super::wire::arriving::{RequestBody, RequestClient};
use super::wire::problem::Problem;
use crate::http::flags;
use crate::node::app::App;
use crate::platform::slots::HeldSlot;
use head::HeadError;
use head_timer::HeadTimer;
use screened::Screened;
use threads::Threads;

/// The time in which requests in flight must finish when the server stops.
pub const FINISH_WITHIN: Duration = Duration::from_secs(10);
/// The wait after a failed accept, such as for want of file descriptors, until other connections
/// have closed.
const ACCEPT_RETRY_AFTER: Duration = Duration::from_millis(50);
/// The time in which a peer must read some of the response; a phone that loses its connection in a
/// lift is back by then.
const WRITTEN_WITHIN: Duration = Duration::from_secs(60);
/// More than [`head::HEAD_BYTES_MAX`], so that this server rejects a long head, and not hyper.
const BUFFER_BYTES_MAX: usize = head::HEAD_BYTES_MAX + 16 * 1024;

/// Receives SIGTERM and SIGINT.
pub struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    pub fn on_signals() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    pub async fn wait_for_signal(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Paths whose requests run on the shared runtime, so that riders' requests do not wait for long
/// lists.
const OPERATORS: &str = "/api/admin/";

/// Answers requests. Replaced when a node that started without its store has reached it.
pub struct Service {
    pub app: Arc<App>,
    pub router: Router,
}

/// Serves until a signal arrives. Then answers 503 on `/readyz` for `drain_delay`, stops accepting
/// connections and finishes the requests in flight.
pub async fn serve(
    listener: TcpListener,
    served: &Arc<ArcSwap<Service>>,
    mut stop: Stop,
    drain_delay: Duration,
) -> io::Result<()> {
    let connections = GracefulShutdown::new();
    let threads = Threads::start()?;
    let draining = async {
        stop.wait_for_signal().await;
        served.load().app.start_draining();
        tokio::time::sleep(drain_delay).await;
    };
    tokio::pin!(draining);
    let mut errors = AcceptErrors::default();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let peer = Peer(peer.ip());
                    let Ok(place) = take_slot(&served.load().app, peer) else { continue };
                    let stream = Placed { stream, place };
                    if let Err(error) = connect(&threads, &connections, stream, peer, Arc::clone(served)) {
                        tracing::debug!(error = %error, "a connection ended before its first request");
                    }
                }
                Err(error) => {
                    errors.log(&error, "HTTP");
                    tokio::time::sleep(ACCEPT_RETRY_AFTER).await;
                }
            },
            () = &mut draining => break,
        }
    }
    drop(listener);
    if tokio::time::timeout(FINISH_WITHIN, connections.shutdown()).await.is_err() {
        tracing::warn!(
            "requests were still in flight when the time for the stop ended: they were aborted"
        );
    }
    Ok(())
}

/// Errors of `accept`, which come many times a second while file descriptors are used up.
#[derive(Default)]
struct AcceptErrors {
    last_logged: Option<Instant>,
    unlogged: u64,
}

impl AcceptErrors {
    const LOG_EVERY: Duration = Duration::from_secs(1);

    /// Logs an error unless one was logged within the last second.
    fn log(&mut self, error: &io::Error, port: &str) {
        if self.last_logged.is_some_and(|at| at.elapsed() < Self::LOG_EVERY) {
            self.unlogged += 1;
            return;
        }
        tracing::warn!(error = %error, port, unlogged = self.unlogged, "a connection could not be accepted: retrying");
        *self = Self { last_logged: Some(Instant::now()), unlogged: 0 };
    }
}

/// A connection, and its slot among those of its client address.
struct Placed {
    stream: TcpStream,
    place: Option<HeldSlot<IpAddr>>,
}

/// The client address already has the maximum number of connections.
struct TooManyConnections;

/// Takes a slot for a connection. None without limits, and for a proxy, which forwards requests of
/// many clients.
fn take_slot(app: &App, peer: Peer) -> Result<Option<HeldSlot<IpAddr>>, TooManyConnections> {
    let Some(held) = app.limits.held().filter(|_| !app.settings.trusts(peer.0)) else {
        return Ok(None);
    };
    let place = held.connection(peer.0);
    if place.is_none() {
        metrics::counter!("musette_connections_refused_total").increment(1);
    }
    place.map(Some).ok_or(TooManyConnections)
}

/// Wraps the body of a request, so that it counts towards the limits while it is being received.
fn limit_body(app: &App, peer: Peer, request: Request<Incoming>) -> Request<RequestBody> {
    let (parts, body) = request.into_parts();
    let open_resources = app.limits.held().filter(|_| !body.is_end_stream());
    let sender = open_resources.map(|held| RequestClient {
        held: Arc::clone(held),
        address: address_of(peer, &parts.headers, app),
        key: parts.headers.get(header::AUTHORIZATION).cloned(),
    });
    Request::from_parts(parts, RequestBody::new(body, sender))
}

fn connect(
    threads: &Threads,
    connections: &GracefulShutdown,
    placed: Placed,
    peer: Peer,
    served: Arc<ArcSwap<Service>>,
) -> io::Result<()> {
    let Placed { stream, place } = placed;
    // A small response must not wait for the acknowledgement of the previous one.
    stream.set_nodelay(true)?;
    // Deregisters the stream from this thread's runtime; the worker thread registers it with its
    // own.
    let stream = stream.into_std()?;
    let watcher = connections.watcher();
    let idle_timeout = served.load().app.settings.idle_timeout;
    let shared = Handle::current();
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let served = served.load();
        let mut request = limit_body(&served.app, peer, request);
        if flags::is_ours(request.uri().path()) {
            return Either::Left(
                async move { Ok(flags::answer(&served.app, peer, request).await) },
            );
        }
        if request.method().as_str() == head::REFUSED {
            let response = rejection_response(&served.app, request.uri().path());
            return Either::Right(Either::Right(Either::Left(ready(Ok(response)))));
        }
        request.extensions_mut().insert(peer);
        let may_take_long = request.uri().path().starts_with(OPERATORS);
        let response = served.router.clone().oneshot(request);
        let response = async {
            let Ok(response) = response.await;
            response
        };
        Either::Right(if may_take_long {
            // If the client disconnects early, the work is aborted.
            let work = AbortOnDropHandle::new(shared.spawn(response));
            Either::Left(work.map_err(io::Error::other))
        } else {
            Either::Right(Either::Right(response.map(Ok)))
        })
    });
    threads.spawn(async move {
        let stream = match TcpStream::from_std(stream) {
            Ok(stream) => TokioIo::new(screen_stream(stream)),
            Err(error) => return tracing::warn!(error = %error, "an accepted connection could not be handed to a worker thread: it was closed"),
        };
        let connection = http1(idle_timeout).serve_connection(stream, service);
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(error = %error, "a connection ended early");
        }
        drop(place);
    });
    Ok(())
}

/// Wraps a connection so that it ends when its peer stops reading. Otherwise the server would
/// buffer the unsent data without limit, because event streams send without a request.
fn screen_stream(stream: TcpStream) -> Pin<Box<TimeoutWriter<Screened<TcpStream>>>> {
    let mut stream = TimeoutWriter::new(Screened::new(stream));
    stream.set_timeout(Some(WRITTEN_WITHIN));
    Box::pin(stream)
}

/// Returns the settings of hyper for one connection. `idle_timeout` is the time from a response to the next request;
/// the time that the head of a request may take is [`screened::HEAD_WITHIN`].
fn http1(idle_timeout: Duration) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(HeadTimer::default())
        .header_read_timeout(idle_timeout)
        .max_buf_size(BUFFER_BYTES_MAX);
    builder
}

/// Answers a request that must not be read, and closes its connection.
fn rejection_response(app: &App, path: &str) -> Response {
    let refusal = HeadError::of_request(path);
    let problem = Problem::new(refusal.status(), refusal.code(), refusal.detail());
    let close = HeaderValue::from_static("close");
    layers::unread(app, &problem.with_header(header::CONNECTION, close))
}
