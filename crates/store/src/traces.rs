//! Spans for traces. The subscriber that receives spans of the target [`TRACES`] processes them;
//! without such a subscriber a span costs one comparison.

use std::sync::OnceLock;
use std::time::Instant;

use tracing::{Instrument as _, Span, trace_span};

/// The target of all spans for traces. Their level is TRACE, so that no log shows them.
pub const TRACES: &str = "musette::traces";

type Traceparent = fn(&Span) -> Option<String>;

static TRACEPARENT: OnceLock<Traceparent> = OnceLock::new();

/// Sets the function that returns the `traceparent` of a span. From then on events store that of
/// the request that caused them.
pub fn set_traceparent_source(of: Traceparent) {
    // A second subscriber in one process belongs to another test.
    let _ = TRACEPARENT.set(of);
}

/// Returns the `traceparent` of the current span.
pub(crate) fn current() -> Option<String> {
    TRACEPARENT.get().and_then(|of| of(&Span::current()))
}

/// Returns the `traceparent` of a request's span.
pub(crate) fn of_request(request: &Span) -> Option<String> {
    TRACEPARENT.get().and_then(|of| of(request))
}

/// Creates the span of a batch: a child of the first traced request, linked with the others.
pub(crate) fn batch<'a>(requests: impl ExactSizeIterator<Item = &'a Span>) -> Span {
    let submissions = i64::try_from(requests.len()).unwrap_or(i64::MAX);
    let mut traced = requests.filter(|request| !request.is_disabled());
    let Some(first) = traced.next() else { return Span::none() };
    let batch = trace_span!(target: TRACES, parent: first, "record a batch", musette.submissions = submissions);
    for other in traced {
        batch.follows_from(other);
        // Links in both directions, so that a trace of that request shows what it waited for.
        other.follows_from(&batch);
    }
    batch
}

/// Runs a commit in its own span and measures it as `musette_commit_duration_seconds`.
pub(crate) async fn committing<T>(commit: impl Future<Output = T>) -> T {
    let start = Instant::now();
    // Only as part of a trace; without a parent it would be a separate trace.
    let span = match Span::current().is_disabled() {
        true => Span::none(),
        false => trace_span!(target: TRACES, "commit"),
    };
    let result = commit.instrument(span).await;
    metrics::histogram!("musette_commit_duration_seconds").record(start.elapsed());
    result
}
