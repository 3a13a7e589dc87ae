//! Every read of the console on a store with a million decisions: how long it takes, first page and
//! deep page, with the usual and the worst filters. The list of reads is that of `openapi.json`: one
//! that is not asked for here stops the bench. Prints a Markdown report; `bench/run` keeps it.
//!
//! BENCH_PEOPLE=100000: how many people; each has made ten decisions.
//! BENCH_ENGINE=sqlite|postgres: one of the two.

#[path = "console/asked.rs"]
mod asked;
#[path = "console/fill.rs"]
mod fill;
#[path = "console/flags.rs"]
mod flags;
#[path = "consents/program.rs"]
#[expect(dead_code, reason = "what the bench of consents asks")]
mod program;

use std::time::{Duration, Instant};

use asked::Question;
use fill::Size;
use program::{Engine, Program, new_store, run};

const TIMES: usize = 100;
const GOAL: Duration = Duration::from_millis(200);
/// Pages of 200 before a deep page, or as many as exist.
const DEEP: usize = 20;

fn people() -> u64 {
    let text = std::env::var("BENCH_PEOPLE").unwrap_or_default();
    text.parse().unwrap_or(100_000)
}

fn main() {
    // `cargo test --benches` only wants to know that it builds.
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
    let asker = Asker {
        agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
        origin: format!("http://{}", program.address),
        bearer: format!("Bearer {}", token["dhhToken"].as_str().expect("a token")),
    };
    flags::fill(&asker);
    println!("\n### The console's reads, {}\n", engine.name());
    println!("{size}; filled in {:.0} s.\n", started.elapsed().as_secs_f64());
    println!("| GET /api/admin/v1 | first ms | p50 ms | p95 ms | slowest ms | |");
    println!("|---|--:|--:|--:|--:|---|");
    let document = asker.json("/openapi.json");
    let mut over = 0;
    for question in asked::all(&document, &asker) {
        over += usize::from(!measure(&asker, &question));
    }
    println!("\n{over} over {} ms at p95.", GOAL.as_millis());
    println!("Memory of the server afterwards: {:.0} MB.", program.memory_mb());
}

/// Asks like a browser with one connection.
pub struct Asker {
    agent: ureq::Agent,
    origin: String,
    bearer: String,
}

impl Asker {
    fn get(&self, path: &str) -> ureq::http::Response<ureq::Body> {
        let request = self.agent.get(format!("{}{path}", self.origin));
        request.header("authorization", &self.bearer).call().expect("an answer")
    }

    pub fn json(&self, path: &str) -> serde_json::Value {
        let mut answer = self.get(path);
        let text = answer.body_mut().with_config().limit(u64::MAX).read_to_string().expect("text");
        assert_eq!(answer.status(), 200, "{path}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Gives the ETag of the answer.
    pub fn put(&self, path: &str, etag: &str, body: &str) -> String {
        let request = self.agent.put(format!("{}{path}", self.origin));
        let request = request
            .header("authorization", &self.bearer)
            .header("content-type", "application/json")
            .header("if-match", etag);
        let mut answer = request.send(body).expect("an answer");
        let text = answer.body_mut().read_to_string().expect("text");
        assert!(answer.status().is_success(), "{path}: {text}");
        let etag = answer.headers().get("etag").and_then(|it| it.to_str().ok());
        etag.unwrap_or_default().to_owned()
    }

    pub fn etag(&self, path: &str) -> String {
        let answer = self.get(path);
        let etag = answer.headers().get("etag").and_then(|it| it.to_str().ok());
        etag.unwrap_or_default().to_owned()
    }

    fn time(&self, question: &Question, path: &str) -> Duration {
        let started = Instant::now();
        let mut answer = self.get(path);
        assert_eq!(answer.status(), 200, "{path}");
        if question.first_bytes {
            let mut some = [0; 4096];
            std::io::Read::read(&mut answer.body_mut().as_reader(), &mut some).expect("bytes");
        } else {
            let body = answer.body_mut().with_config().limit(u64::MAX);
            body.read_to_vec().expect("a body");
        }
        started.elapsed()
    }
}

/// Whether it was fast enough.
fn measure(asker: &Asker, question: &Question) -> bool {
    let mut good = row(asker, question, &question.path, "");
    if let Some(path) = deep(asker, question) {
        good &= row(asker, question, &path, ", deep");
    }
    good
}

fn row(asker: &Asker, question: &Question, path: &str, note: &str) -> bool {
    let first = asker.time(question, path);
    let mut times: Vec<Duration> = (0..TIMES).map(|_| asker.time(question, path)).collect();
    times.sort();
    let ms = |it: Duration| it.as_secs_f64() * 1e3;
    let at = |share: f64| times[((TIMES as f64 * share) as usize).min(TIMES - 1)];
    let good = at(0.95) < GOAL;
    println!(
        "| `{}`{note} | {:.1} | {:.1} | {:.1} | {:.1} | {} |",
        question.label,
        ms(first),
        ms(at(0.5)),
        ms(at(0.95)),
        ms(times[TIMES - 1]),
        if good { "" } else { "**over**" }
    );
    good
}

/// The address of a page far behind.
fn deep(asker: &Asker, question: &Question) -> Option<String> {
    if !question.paged {
        return None;
    }
    let join = if question.path.contains('?') { '&' } else { '?' };
    let base = format!("{}{join}limit=200", question.path);
    let mut found = None;
    for _ in 0..DEEP {
        let path = found.as_ref().unwrap_or(&base);
        let page = asker.json(path);
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        found = Some(format!("{base}&cursor={cursor}"));
    }
    found
}
