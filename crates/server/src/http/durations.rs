//! How long requests took: `musette_http_request_duration_seconds`, by route and status.
//!
//! Samples wait for `tasks::upkeep_metrics`, which counts them into buckets: without it they would be
//! kept until somebody asks for `/metrics`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use metrics::{Histogram, Label, histogram};

/// By the route; each has few methods and statuses.
type Histograms = HashMap<String, Vec<(Option<Method>, StatusCode, Histogram)>>;

thread_local! {
    /// To look a histogram up by its labels costs more than to record in it.
    static HISTOGRAMS: RefCell<Histograms> = RefCell::default();
}

/// The method is left out where a route has one.
pub fn measure(method: Option<&Method>, route: &str, status: StatusCode, took: Duration) {
    HISTOGRAMS.with_borrow_mut(|all| {
        let known = all.get(route).into_iter().flatten();
        let mut known = known.filter(|it| it.0.as_ref() == method && it.1 == status);
        if let Some((_, _, histogram)) = known.next() {
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
