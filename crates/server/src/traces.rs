//! Traces by OpenTelemetry, sent by OTLP over HTTP (`--otlp-endpoint`).
//!
//! Off by default: then a request pays one load. A span says the route and never the address, and nothing that came
//! from a caller but its request id: no token, no name, no number.

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
pub use export::Export;
use settings::TraceSettings;
pub use settings::{Sampling, TraceArgs};

static ACTIVE: OnceLock<Active> = OnceLock::new();

/// What spans of this process go through.
struct Active {
    tracer: SdkTracer,
    sampling: Sampling,
}

/// Turns traces on for this process. What is returned exports them once it runs.
pub fn start(settings: TraceSettings) -> Export {
    let (queue, export) = export::queue(settings.exporter, settings.resource.clone());
    let provider = SdkTracerProvider::builder()
        // What is not sampled has no span at all.
        .with_sampler(Sampler::AlwaysOn)
        .with_resource(settings.resource)
        .with_span_processor(queue)
        .build();
    let active = Active { tracer: provider.tracer("musette"), sampling: settings.sampling };
    // A process starts one server.
    let _ = ACTIVE.set(active);
    musette_store::keep_traceparents(traceparent);
    export
}

/// Hands spans to OpenTelemetry; none while traces are off.
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
    // No event: a line of the log may name an address or a cause.
    let is_ours = filter_fn(|it| it.is_span() && it.target() == TRACES);
    Some(layer.with_filter(is_ours).boxed())
}

/// Whether requests are traced.
pub fn is_on() -> bool {
    ACTIVE.get().is_some()
}

/// The span that is open here; none while traces are off.
pub fn current() -> Span {
    if is_on() { Span::current() } else { Span::none() }
}

/// The `traceparent` of a span, if it is traced.
pub fn traceparent(span: &Span) -> Option<String> {
    if span.is_disabled() || !is_on() {
        return None;
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    context.is_valid().then(|| context::text(&context))
}

/// The span of a request, whose caller may be traced as well. It is named by its route.
pub fn of_request(method: &Method, route: &str, headers: &HeaderMap, request_id: &str) -> Span {
    let Some(active) = ACTIVE.get() else { return Span::none() };
    let parent = context::of_headers(headers);
    if !active.sampling.takes(parent.as_ref()) {
        return Span::none();
    }
    let method = known(method);
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

/// What became of a request, or of a message that was sent.
pub fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        failed(span, status.as_str());
    }
}

/// A cause that is one of few: never a text that names an address.
fn failed(span: &Span, because: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", because);
}

/// A request for flags, after it was answered: nothing is called meanwhile, so no span is open while it is
/// evaluated.
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
    let method = known(method);
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

/// The context that a caller sent, for [`flag_request`]; none while traces are off.
pub fn remote(headers: &HeaderMap) -> Option<SpanContext> {
    if is_on() { context::of_headers(headers) } else { None }
}

/// One try to tell a webhook of an event, which belongs to the trace of the request that caused the event.
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

/// What became of a try.
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

/// The sending of a one-time code or a notice, a part of the request that caused it.
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

/// What became of a message.
pub fn sent<E>(span: &Span, outcome: &Result<(), E>) {
    if outcome.is_err() {
        failed(span, "not_delivered");
    }
}

fn within(span: &Span, parent: Option<SpanContext>) {
    if let Some(parent) = parent {
        // Refused only for a span that was asked for its context before, and this one is new.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
}

/// A caller can make up any method.
fn known(method: &Method) -> &str {
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
