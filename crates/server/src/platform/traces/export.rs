//! Sends spans to the collector in the background. No request waits for it: if the queue is full, a
//! span is dropped and counted (`musette_trace_spans_total`).

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use axum::http::{Request, Response};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use metrics::counter;
use opentelemetry::Context;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter as _, SpanProcessor};
use tokio::sync::mpsc;

/// The maximum number of spans in the queue; they take a few MB at most.
const QUEUE_MAX: usize = 8192;
/// The maximum number of spans in one export.
const SPANS_PER_EXPORT: usize = 512;
/// How long the first span of an export waits for more spans.
const BATCH_DELAY: Duration = Duration::from_secs(1);
/// The time-out of one export, so that a request that never ends does not block later ones.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(20);
/// The time-out of the last exports when the server stops.
const LAST_EXPORT_TIMEOUT: Duration = Duration::from_secs(3);
/// A response is usually empty, or contains a short reason for a rejection.
const RESPONSE_BYTES_MAX: usize = 64 * 1024;

fn count(outcome: &'static str, spans: usize) {
    counter!("musette_trace_spans_total", "outcome" => outcome).increment(spans as u64);
}

/// Receives spans when they end.
#[derive(Debug)]
pub struct Queue(mpsc::Sender<SpanData>);

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.0.try_send(span).is_err() {
            count("dropped", 1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Sends the spans of the queue.
pub struct QueueExporter {
    spans: mpsc::Receiver<SpanData>,
    exporter: SpanExporter,
    is_failing: bool,
}

pub fn queue(mut exporter: SpanExporter, resource: Resource) -> (Queue, QueueExporter) {
    exporter.set_resource(&resource);
    let (queue, spans) = mpsc::channel(QUEUE_MAX);
    (Queue(queue), QueueExporter { spans, exporter, is_failing: false })
}

impl QueueExporter {
    /// Sends spans until `ending` completes, and then those that are left in the queue.
    pub async fn run(mut self, ending: impl Future<Output = ()>) {
        tokio::pin!(ending);
        let mut batch = Vec::with_capacity(SPANS_PER_EXPORT);
        loop {
            tokio::select! {
                () = &mut ending => break,
                _ = gather(&mut self.spans, &mut batch) => self.send(&mut batch).await,
            }
        }
        let last = async {
            while let Ok(span) = self.spans.try_recv() {
                batch.push(span);
                if batch.len() == SPANS_PER_EXPORT {
                    self.send(&mut batch).await;
                }
            }
            self.send(&mut batch).await;
        };
        if tokio::time::timeout(LAST_EXPORT_TIMEOUT, last).await.is_err() {
            tracing::warn!(
                "the last traces were lost because the collector did not respond in time"
            );
        }
    }

    async fn send(&mut self, batch: &mut Vec<SpanData>) {
        let spans = batch.len();
        if spans == 0 {
            return;
        }
        let export = self.exporter.export(std::mem::take(batch));
        let result = match tokio::time::timeout(EXPORT_TIMEOUT, export).await {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(_) => Err("the collector did not respond in time".to_owned()),
        };
        match &result {
            Ok(()) => {
                count("exported", spans);
                if self.is_failing {
                    tracing::info!("traces can be sent again");
                }
            }
            Err(error) => {
                count("failed", spans);
                if !self.is_failing {
                    tracing::warn!(error = %error, "traces cannot be sent: they are dropped and counted until the collector responds");
                }
            }
        }
        self.is_failing = result.is_err();
    }
}

/// Fills a batch until it is full, or for a second after its first span. Cancelling this function
/// loses no span.
async fn gather(spans: &mut mpsc::Receiver<SpanData>, batch: &mut Vec<SpanData>) {
    if batch.is_empty() && spans.recv_many(batch, SPANS_PER_EXPORT).await == 0 {
        return std::future::pending().await;
    }
    let more = async {
        while batch.len() < SPANS_PER_EXPORT {
            let room = SPANS_PER_EXPORT - batch.len();
            if spans.recv_many(batch, room).await == 0 {
                break;
            }
        }
    };
    // After the second, the batch is sent as it is.
    let _ = tokio::time::timeout(BATCH_DELAY, more).await;
}

type Inner = HyperClient<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The HTTP client of the exporter.
pub struct ExportClient(Inner);

impl ExportClient {
    pub fn new() -> Result<Self, String> {
        let connector = HttpsConnectorBuilder::new()
            .with_native_roots()
            .map_err(|error| format!("--otlp-endpoint: {error}"))?
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Self(HyperClient::builder(TokioExecutor::new()).build(connector)))
    }
}

impl fmt::Debug for ExportClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Client")
    }
}

type Answered<'a> = Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'a>>;

impl HttpClient for ExportClient {
    fn send_bytes<'own, 'answered>(&'own self, request: Request<Bytes>) -> Answered<'answered>
    where
        'own: 'answered,
        Self: 'answered,
    {
        Box::pin(async move {
            let response = self.0.request(request.map(Full::new)).await?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, RESPONSE_BYTES_MAX).collect().await?.to_bytes();
            Ok(Response::from_parts(parts, body))
        })
    }
}
