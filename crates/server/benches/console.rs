//! Measures all reads of the console on a store with a million decisions: first and deep pages,
//! with common and worst-case filters. The list of reads is that of `openapi.json`; the bench fails
//! if one is not measured here. Prints a Markdown report, which `bench/run` stores.
//!
//! BENCH_PEOPLE=100000: the number of people, each with ten decisions.
//! BENCH_ENGINE=sqlite|postgres: measures only one engine.

#[path = "console/asked.rs"]
mod asked;
#[path = "console/fill.rs"]
mod fill;
#[path = "console/flags.rs"]
mod flags;
#[path = "consents/program.rs"]
#[expect(dead_code, reason = "used by the consents bench only")]
mod program;

use std::time::{Duration, Instant};

use asked::Question;
use fill::Size;
use program::{Engine, Program, new_store, run};

const REPETITIONS: usize = 100;
const GOAL: Duration = Duration::from_millis(200);
/// The number of pages with 200 items before a deep page, or as many as exist.
const DEEP_PAGES: usize = 20;

fn people() -> u64 {
    let text = std::env::var("BENCH_PEOPLE").unwrap_or_default();
    text.parse().unwrap_or(100_000)
}

fn main() {
    // `cargo test --benches` only checks that it builds.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let engine = std::env::var("BENCH_ENGINE").unwrap_or_default();
    if engine != "postgres" {
        report(Engine::Sqlite);
    }
    if engine != "sqlite" {
        report(Engine::Postgres);
    }
}

fn report(engine: Engine) {
    let dir = tempfile::tempdir().expect("a directory");
    let size = Size::of(people());
    let started = Instant::now();
    let file = dir.path().join("filled.backup");
    fill::write(&file, &size);
    let store = new_store(engine, dir.path());
    run(&store, &["restore", &file.display().to_string()]);
    let program = Program::start_on(store);
    let token =
        run(&program.store, &["token", "issue", "--user", "admin", "--access-ttl", "36000"]);
    let token: serde_json::Value = serde_json::from_str(&token).expect("tokens");
    let client = ApiClient {
        agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
        origin: format!("http://{}", program.address),
        bearer: format!("Bearer {}", token["dhhToken"].as_str().expect("a token")),
    };
    flags::fill(&client);
    println!("\n### The console's reads, {}\n", engine.name());
    println!("{size}; filled in {:.0} s.\n", started.elapsed().as_secs_f64());
    println!("| GET /api/admin/v1 | first ms | p50 ms | p95 ms | slowest ms | |");
    println!("|---|--:|--:|--:|--:|---|");
    let document = client.json("/openapi.json");
    let mut over = 0;
    for question in asked::all(&document, &client) {
        over += usize::from(!measure(&client, &question));
    }
    println!("\n{over} over {} ms at p95.", GOAL.as_millis());
    println!("Memory of the server afterwards: {:.0} MB.", program.memory_mb());
}

/// Sends requests like a browser with one connection.
pub struct ApiClient {
    agent: ureq::Agent,
    origin: String,
    bearer: String,
}

impl ApiClient {
    fn get(&self, path: &str) -> ureq::http::Response<ureq::Body> {
        let request = self.agent.get(format!("{}{path}", self.origin));
        request.header("authorization", &self.bearer).call().expect("a response")
    }

    pub fn json(&self, path: &str) -> serde_json::Value {
        let mut response = self.get(path);
        let text =
            response.body_mut().with_config().limit(u64::MAX).read_to_string().expect("text");
        assert_eq!(response.status(), 200, "{path}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Sends a PUT request, and returns the ETag of the response.
    pub fn put(&self, path: &str, etag: &str, body: &str) -> String {
        let request = self.agent.put(format!("{}{path}", self.origin));
        let request = request
            .header("authorization", &self.bearer)
            .header("content-type", "application/json")
            .header("if-match", etag);
        let mut response = request.send(body).expect("a response");
        let text = response.body_mut().read_to_string().expect("text");
        assert!(response.status().is_success(), "{path}: {text}");
        let etag = response.headers().get("etag").and_then(|etag| etag.to_str().ok());
        etag.unwrap_or_default().to_owned()
    }

    pub fn etag(&self, path: &str) -> String {
        let response = self.get(path);
        let etag = response.headers().get("etag").and_then(|etag| etag.to_str().ok());
        etag.unwrap_or_default().to_owned()
    }

    fn time(&self, question: &Question, path: &str) -> Duration {
        let started = Instant::now();
        let mut response = self.get(path);
        assert_eq!(response.status(), 200, "{path}");
        if question.first_bytes {
            let mut some = [0; 4096];
            std::io::Read::read(&mut response.body_mut().as_reader(), &mut some).expect("bytes");
        } else {
            let body = response.body_mut().with_config().limit(u64::MAX);
            body.read_to_vec().expect("a body");
        }
        started.elapsed()
    }
}

/// Measures a read, and returns whether it was fast enough.
fn measure(client: &ApiClient, question: &Question) -> bool {
    let mut good = row(client, question, &question.path, "");
    if let Some(path) = deep(client, question) {
        good &= row(client, question, &path, ", deep");
    }
    good
}

fn row(client: &ApiClient, question: &Question, path: &str, note: &str) -> bool {
    let first = client.time(question, path);
    let mut times: Vec<Duration> = (0..REPETITIONS).map(|_| client.time(question, path)).collect();
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let at = |share: f64| times[((REPETITIONS as f64 * share) as usize).min(REPETITIONS - 1)];
    let good = at(0.95) < GOAL;
    println!(
        "| `{}`{note} | {:.1} | {:.1} | {:.1} | {:.1} | {} |",
        question.label,
        ms(first),
        ms(at(0.5)),
        ms(at(0.95)),
        ms(times[REPETITIONS - 1]),
        if good { "" } else { "**over**" }
    );
    good
}

/// Returns the path of a deep page.
fn deep(client: &ApiClient, question: &Question) -> Option<String> {
    if !question.paged {
        return None;
    }
    let join = if question.path.contains('?') { '&' } else { '?' };
    let base = format!("{}{join}limit=200", question.path);
    let mut deep_path = None;
    for _ in 0..DEEP_PAGES {
        let path = deep_path.as_ref().unwrap_or(&base);
        let page = client.json(path);
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        deep_path = Some(format!("{base}&cursor={cursor}"));
    }
    deep_path
}
