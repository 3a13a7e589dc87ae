//! Spans for traces. What becomes of them is decided by whoever receives spans of the target [`TRACES`]; without
//! such a receiver they cost a comparison.

use std::sync::OnceLock;
use std::time::Instant;

use tracing::{Instrument as _, Span, trace_span};

/// The target of all spans that are for traces. Their level is TRACE, so that no log shows them.
pub const TRACES: &str = "musette::traces";

type Traceparent = fn(&Span) -> Option<String>;

static TRACEPARENT: OnceLock<Traceparent> = OnceLock::new();

/// Says how the `traceparent` of a span is found: from then on events keep that of the request that caused them.
pub fn keep_traceparents(of: Traceparent) {
    // A second receiver of spans in one process would be that of another test.
    let _ = TRACEPARENT.set(of);
}

/// The `traceparent` of the span in which this runs.
pub(crate) fn current() -> Option<String> {
    TRACEPARENT.get().and_then(|of| of(&Span::current()))
}

/// The `traceparent` of a request's span.
pub(crate) fn of_request(request: &Span) -> Option<String> {
    TRACEPARENT.get().and_then(|of| of(request))
}

/// The span of a batch: a part of the first request that is traced, and linked with the others.
pub(crate) fn batch<'a>(requests: impl ExactSizeIterator<Item = &'a Span>) -> Span {
    let submissions = i64::try_from(requests.len()).unwrap_or(i64::MAX);
    let mut traced = requests.filter(|it| !it.is_disabled());
    let Some(first) = traced.next() else { return Span::none() };
    let batch = trace_span!(target: TRACES, parent: first, "record a batch", musette.submissions = submissions);
    for other in traced {
        batch.follows_from(other);
        // Also from there: whoever looks at that request wants to see what it waited for.
        other.follows_from(&batch);
    }
    batch
}

/// A commit in a span of its own, measured as `musette_commit_duration_seconds`.
pub(crate) async fn committing<T>(commit: impl Future<Output = T>) -> T {
    let began = Instant::now();
    // A part of what is traced; by itself it would be a trace of its own.
    let span = match Span::current().is_disabled() {
        true => Span::none(),
        false => trace_span!(target: TRACES, "commit"),
    };
    let done = commit.instrument(span).await;
    metrics::histogram!("musette_commit_duration_seconds").record(began.elapsed());
    done
}
