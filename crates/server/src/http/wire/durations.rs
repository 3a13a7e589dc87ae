//! Measures the duration of requests: `musette_http_request_duration_seconds`, by route and status.
//!
//! `tasks::upkeep_metrics` sorts the samples into buckets. Without it, they would accumulate until
//! `/metrics` is read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Histogram, Label, histogram};

/// The histograms by route. A route has few methods and statuses.
type Histograms = HashMap<String, Vec<(Option<Method>, StatusCode, Histogram)>>;

thread_local! {
    /// A cache, because looking up a histogram by its labels costs more than recording a sample.
    static HISTOGRAMS: RefCell<Histograms> = RefCell::default();
}

/// Records a sample. Routes with a single method have no method label.
pub fn measure(method: Option<&Method>, route: &str, status: StatusCode, took: Duration) {
    HISTOGRAMS.with_borrow_mut(|all| {
        let histograms = all.get(route).into_iter().flatten();
        let mut histograms =
            histograms.filter(|entry| entry.0.as_ref() == method && entry.1 == status);
        if let Some((_, _, histogram)) = histograms.next() {
            return histogram.record(took);
        }
        let mut labels = vec![
            Label::new("route", route.to_owned()),
            Label::new("status", status.as_str().to_owned()),
        ];
        labels.extend(method.map(|method| Label::new("method", method.to_string())));
        let histogram = histogram!("musette_http_request_duration_seconds", labels);
        histogram.record(took);
        all.entry(route.to_owned()).or_default().push((method.cloned(), status, histogram));
    });
}
