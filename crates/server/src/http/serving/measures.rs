//! Serves `GET /metrics` on a separate address, because it is for operators only.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};

use super::head::REFUSED;
use super::{AcceptErrors, Service, http1, rejection_response, screen_stream};
use crate::http::layers;
use crate::http::node::health;
use crate::http::wire::problem::Problem;

/// Longer than Prometheus waits between two scrapes by default.
const IDLE_TIMEOUT: Duration = Duration::from_secs(130);

/// Serves until the future is dropped.
pub async fn serve(listener: TcpListener, served: Arc<ArcSwap<Service>>) {
    let mut errors = AcceptErrors::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => drop(tokio::spawn(connection(stream, Arc::clone(&served)))),
            Err(error) => {
                errors.log(&error, "metrics");
                tokio::time::sleep(super::ACCEPT_RETRY_AFTER).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, served: Arc<ArcSwap<Service>>) {
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let response = answer(&served.load(), &request);
        async { Ok::<_, Infallible>(response) }
    });
    let stream = TokioIo::new(screen_stream(stream));
    if let Err(error) = http1(IDLE_TIMEOUT).serve_connection(stream, service).await {
        tracing::debug!(error = %error, "a connection for metrics ended early");
    }
}

fn answer(served: &Service, request: &Request<Incoming>) -> Response {
    let path = request.uri().path();
    if request.method().as_str() == REFUSED {
        return rejection_response(&served.app, path);
    }
    let response = match (path, request.method()) {
        ("/metrics", &Method::GET | &Method::HEAD) => health::metrics(&served.app),
        ("/metrics", _) => Problem::only("GET, HEAD").into_response(),
        _ => Problem::not_found().into_response(),
    };
    layers::completed(&served.app, request.headers(), response)
}
