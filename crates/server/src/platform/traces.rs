//! Traces with OpenTelemetry, sent by OTLP over HTTP (`--otlp-endpoint`).
//!
//! Traces are off by default; then they cost a request one atomic load. A span contains the route,
//! never the URL, and no data of the caller but the request ID: no token, no name, no number.

mod context;
mod export;
mod settings;

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, Method, StatusCode};
use musette_store::TRACES;
use opentelemetry::trace::{
    Span as _, SpanContext, SpanKind, Status, TraceContextExt as _, Tracer as _,
    TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};
use tracing::{Span, Subscriber, trace_span};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

pub use context::HEADER;
pub use export::QueueExporter;
use settings::TraceSettings;
pub use settings::{Sampling, TraceArgs};

static ACTIVE: OnceLock<Active> = OnceLock::new();

/// The tracer and the sampling of this process.
struct Active {
    tracer: SdkTracer,
    sampling: Sampling,
}

/// Turns traces on for this process. The returned [`QueueExporter`] sends them once it runs.
pub fn start(settings: TraceSettings) -> QueueExporter {
    let (queue, export) = export::queue(settings.exporter, settings.resource.clone());
    let provider = SdkTracerProvider::builder()
        // Requests that are not sampled get no span at all.
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(settings.resource)
        .with_span_processor(queue)
        .build();
    let active = Active { tracer: provider.tracer("musette"), sampling: settings.sampling };
    // Can only fail for a second server in the process, which does not exist.
    let _ = ACTIVE.set(active);
    musette_store::set_traceparent_source(traceparent);
    export
}

/// Returns the layer that passes spans to OpenTelemetry. None while traces are off.
pub fn layer<S>() -> Option<Box<dyn Layer<S> + Send + Sync>>
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let tracer = ACTIVE.get()?.tracer.clone();
    let layer = OpenTelemetryLayer::new(tracer)
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_context_activation(false);
    // Excludes events, because a log line may contain an address or a cause.
    let is_trace_span = filter_fn(|metadata| metadata.is_span() && metadata.target() == TRACES);
    Some(layer.with_filter(is_trace_span).boxed())
}

/// Returns whether traces are on.
pub fn is_on() -> bool {
    ACTIVE.get().is_some()
}

/// Returns the current span. None while traces are off.
pub fn current() -> Span {
    if is_on() { Span::current() } else { Span::none() }
}

/// Returns the `traceparent` of a span, if it is traced.
pub fn traceparent(span: &Span) -> Option<String> {
    if span.is_disabled() || !is_on() {
        return None;
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    context.is_valid().then(|| context::text(&context))
}

/// Starts the span of a request, as a child of the caller's span if there is one. Its name is the
/// route.
pub fn of_request(method: &Method, route: &str, headers: &HeaderMap, request_id: &str) -> Span {
    let Some(active) = ACTIVE.get() else { return Span::none() };
    let parent = context::of_headers(headers);
    if !active.sampling.takes(parent.as_ref()) {
        return Span::none();
    }
    let method = known_method(method);
    let span = trace_span!(
        target: TRACES,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = tracing::field::Empty,
        "error.type" = tracing::field::Empty,
        musette.request_id = request_id,
    );
    within(&span, parent);
    span
}

/// Records the status of a response.
pub fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        failed(span, status.as_str());
    }
}

/// Records an error. `because` must be one of few values, never a text that may contain an address.
fn failed(span: &Span, because: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", because);
}

/// Records the span of a flag request after its response. No span is open during the evaluation,
/// because it calls nothing that has a span.
pub fn flag_request(
    parent: Option<SpanContext>,
    (method, route): (&Method, &str),
    request_id: &str,
    status: StatusCode,
    took: Duration,
) {
    let Some(active) = ACTIVE.get() else { return };
    if !active.sampling.takes(parent.as_ref()) {
        return;
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "a collector compares spans of many programs by the machines' own time"
    )]
    let ended = SystemTime::now();
    let method = known_method(method);
    let span = active
        .tracer
        .span_builder(format!("{method} {route}"))
        .with_kind(SpanKind::Server)
        .with_start_time(ended.checked_sub(took).unwrap_or(ended))
        .with_attributes([
            KeyValue::new("http.request.method", method.to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("http.response.status_code", i64::from(status.as_u16())),
            KeyValue::new("musette.request_id", request_id.to_owned()),
        ]);
    let parent =
        parent.map_or_else(Context::new, |parent| Context::new().with_remote_span_context(parent));
    let mut span = active.tracer.build_with_context(span, &parent);
    if status.is_server_error() {
        span.set_attribute(KeyValue::new("error.type", status.as_str().to_owned()));
        span.set_status(Status::error(""));
    }
    span.end_with_timestamp(ended);
}

/// Returns the context that a caller sent, for [`flag_request`]. None while traces are off.
pub fn remote(headers: &HeaderMap) -> Option<SpanContext> {
    if is_on() { context::of_headers(headers) } else { None }
}

/// Starts the span of one delivery attempt of a webhook, in the trace of the request that caused
/// the event.
pub fn of_delivery(trace: Option<&str>, event: &str, webhook: &str, tries: i64) -> Span {
    let Some(active) = ACTIVE.get() else { return Span::none() };
    let parent = trace.and_then(context::parse);
    if !active.sampling.takes(parent.as_ref()) {
        return Span::none();
    }
    let span = trace_span!(
        target: TRACES,
        parent: None,
        "deliver an event",
        otel.name = format!("deliver {event}"),
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        http.request.method = "POST",
        http.request.resend_count = tries,
        http.response.status_code = tracing::field::Empty,
        "error.type" = tracing::field::Empty,
        musette.event = event,
        musette.webhook = webhook,
    );
    within(&span, parent);
    span
}

/// Records the outcome of a delivery attempt.
pub fn delivered(span: &Span, status: Option<u16>) {
    match status {
        None => failed(span, "no_answer"),
        Some(status) => {
            span.record("http.response.status_code", i64::from(status));
            if !(200..300).contains(&status) {
                failed(span, &status.to_string());
            }
        }
    }
}

/// Starts the span of the delivery of a one-time code or a notification, as a part of the request
/// that caused it.
pub fn of_message() -> Span {
    if current().is_disabled() {
        return Span::none();
    }
    trace_span!(
        target: TRACES,
        "send a message",
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        "error.type" = tracing::field::Empty,
    )
}

/// Records the outcome of the delivery of a message.
pub fn sent<E>(span: &Span, outcome: &Result<(), E>) {
    if outcome.is_err() {
        failed(span, "not_delivered");
    }
}

fn within(span: &Span, parent: Option<SpanContext>) {
    if let Some(parent) = parent {
        // Fails only for a span whose context was read before; this one is new.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
}

/// Returns the method, or `_OTHER` for an unknown one, because a caller can invent any method.
fn known_method(method: &Method) -> &str {
    const KNOWN: [Method; 9] = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::OPTIONS,
        Method::PATCH,
        Method::CONNECT,
        Method::TRACE,
    ];
    if KNOWN.contains(method) { method.as_str() } else { "_OTHER" }
}
