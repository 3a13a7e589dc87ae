//! How long requests took: `musette_http_request_duration_seconds`, by route and status.
//!
//! Counted in buckets, and by each thread in its own. A recorder that keeps every sample until somebody
//! asks for `/metrics` grows for ever where nobody does.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};

const NAME: &str = "musette_http_request_duration_seconds";
/// In microseconds, and as Prometheus has it.
const BOUNDS: [(u128, &str); 11] = [
    (1_000, "0.001"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (5_000_000, "5"),
];

/// Of one route, method and status, by one thread: nothing can come between a read and a write.
#[derive(Default)]
struct Counts {
    /// The last is for what took longer than every bound.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum_ns: AtomicU64,
}

impl Counts {
    fn add(&self, took: Duration) {
        let add = |to: &AtomicU64, n: u64| {
            to.store(to.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
        };
        let us = took.as_micros();
        let bucket = BOUNDS.iter().position(|(bound, _)| us <= *bound).unwrap_or(BOUNDS.len());
        add(&self.buckets[bucket], 1);
        add(&self.sum_ns, u64::try_from(took.as_nanos()).unwrap_or(0));
    }
}

/// `method="GET",route="/healthz",status="200"`, and what each thread counted of it.
static ALL: Mutex<BTreeMap<String, Vec<Arc<Counts>>>> = Mutex::new(BTreeMap::new());

/// By the route; each has few methods and statuses.
type Mine = HashMap<String, Vec<(Option<Method>, StatusCode, Arc<Counts>)>>;

thread_local! {
    static MINE: RefCell<Mine> = RefCell::default();
}

/// The method is left out where a route has one.
pub fn measure(method: Option<&Method>, route: &str, status: StatusCode, took: Duration) {
    MINE.with_borrow_mut(|mine| {
        let known = mine.get(route).into_iter().flatten();
        let mut known = known.filter(|it| it.0.as_ref() == method && it.1 == status);
        if let Some((_, _, counts)) = known.next() {
            return counts.add(took);
        }
        let counts = counts_of(method, route, status);
        counts.add(took);
        mine.entry(route.to_owned()).or_default().push((method.cloned(), status, counts));
    });
}

fn counts_of(method: Option<&Method>, route: &str, status: StatusCode) -> Arc<Counts> {
    let method = method.map_or_else(String::new, |method| format!("method=\"{method}\","));
    let labels = format!("{method}route=\"{route}\",status=\"{}\"", status.as_u16());
    let counts = Arc::new(Counts::default());
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(labels).or_default().push(Arc::clone(&counts));
    counts
}

/// As Prometheus reads it.
pub fn render(out: &mut String) {
    // Writing to a text cannot fail.
    let _ = writeln!(out, "# TYPE {NAME} histogram");
    for (labels, threads) in &*ALL.lock().unwrap_or_else(PoisonError::into_inner) {
        let sum = |of: &dyn Fn(&Counts) -> &AtomicU64| -> u64 {
            threads.iter().map(|it| of(it).load(Ordering::Relaxed)).sum()
        };
        let mut count = 0;
        let bounds = BOUNDS.iter().map(|(_, bound)| *bound).chain(["+Inf"]);
        for (bucket, bound) in bounds.enumerate() {
            count += sum(&|it| &it.buckets[bucket]);
            let _ = writeln!(out, "{NAME}_bucket{{{labels},le=\"{bound}\"}} {count}");
        }
        let sum_s = Duration::from_nanos(sum(&|it| &it.sum_ns)).as_secs_f64();
        let _ = writeln!(out, "{NAME}_sum{{{labels}}} {sum_s}");
        let _ = writeln!(out, "{NAME}_count{{{labels}}} {count}");
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::{Method, StatusCode};

    use super::{measure, render};

    #[test]
    fn what_each_thread_measured_is_told_together() {
        let took = [1, 1_000, 1_001, 7_000_000];
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for us in took {
                        let took = Duration::from_micros(us);
                        measure(Some(&Method::GET), "/test", StatusCode::OK, took);
                        measure(None, "/test", StatusCode::OK, Duration::ZERO);
                    }
                });
            }
        });
        let mut text = String::new();
        render(&mut text);
        let name = "musette_http_request_duration_seconds";
        for line in [
            "_bucket{method=\"GET\",route=\"/test\",status=\"200\",le=\"0.001\"} 4",
            "_bucket{method=\"GET\",route=\"/test\",status=\"200\",le=\"0.005\"} 6",
            "_bucket{method=\"GET\",route=\"/test\",status=\"200\",le=\"5\"} 6",
            "_bucket{method=\"GET\",route=\"/test\",status=\"200\",le=\"+Inf\"} 8",
            "_sum{method=\"GET\",route=\"/test\",status=\"200\"} 14.004004",
            "_count{method=\"GET\",route=\"/test\",status=\"200\"} 8",
            "_count{route=\"/test\",status=\"200\"} 8",
        ] {
            assert!(text.lines().any(|it| it == format!("{name}{line}")), "{line} in {text}");
        }
    }
}
