//! How long answers took. Handles are made once: looking one up by its labels would cost as much as
//! the evaluation.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use axum::http::StatusCode;
use metrics::{Histogram, histogram};

thread_local! {
    static HANDLES: RefCell<HashMap<(&'static str, u16), Histogram>> = RefCell::default();
}

pub fn measure(route: &'static str, status: StatusCode, took: Duration) {
    HANDLES.with_borrow_mut(|handles| {
        let handle = handles.entry((route, status.as_u16())).or_insert_with(|| {
            histogram!(
                "musette_http_request_duration_seconds",
                "route" => route, "status" => status.as_u16().to_string()
            )
        });
        handle.record(took.as_secs_f64());
    });
}
