//! A small HTTP server for a program that is not the whole application: a witness and its metrics.
//!
//! It has the same checks of request heads and the same time limits as the main server, but neither
//! its router nor its database.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::head::{HeadError, REFUSED};
use super::{ACCEPT_RETRY_AFTER, AcceptErrors, FINISH_WITHIN, http1, screen_stream};

/// Further connections wait in the operating system's queue.
const CONNECTIONS_MAX: usize = 512;
/// The time from a response to the next request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(130);

/// Answers one request.
pub type RequestHandler =
    Arc<dyn Fn(Request<Incoming>) -> BoxFuture<'static, Response> + Send + Sync>;

/// Serves until `stop` is ready, and then finishes the requests in flight.
pub async fn serve(
    listener: TcpListener,
    port: &'static str,
    answer: RequestHandler,
    stop: impl Future<Output = ()>,
) {
    let connections = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut errors = AcceptErrors::default();
    tokio::pin!(stop);
    loop {
        let accepted = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => {
                // A small response must not wait for the acknowledgement of the previous one.
                let _ = stream.set_nodelay(true);
                let answer = Arc::clone(&answer);
                let service = hyper::service::service_fn(move |request: Request<Incoming>| {
                    let answer = Arc::clone(&answer);
                    async move { Ok::<_, Infallible>(screened_answer(&answer, request).await) }
                });
                let stream = TokioIo::new(screen_stream(stream));
                let connection = http1(IDLE_TIMEOUT).serve_connection(stream, service);
                let connection = connections.watcher().watch(connection);
                drop(tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!(error = %error, "a connection ended early");
                    }
                    drop(slot);
                }));
            }
            Err(error) => {
                errors.log(&error, port);
                tokio::time::sleep(ACCEPT_RETRY_AFTER).await;
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(FINISH_WITHIN, connections.shutdown()).await.is_err() {
        tracing::warn!(
            "requests were still in flight when the time for the stop ended: they were aborted"
        );
    }
}

async fn screened_answer(answer: &RequestHandler, request: Request<Incoming>) -> Response {
    if request.method().as_str() != REFUSED {
        return answer(request).await;
    }
    let refusal = HeadError::of_request(request.uri().path());
    let mut response = text(refusal.status(), format!("{}\n", refusal.detail()));
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Builds a response of plain text.
pub fn text(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
